/** A wait that can be ended from outside. Never that it keeps the process alive, or that two wait at once. */

/** Runs something after some milliseconds, unless what it answers is called first. */
export type After = (ms: number, run: () => void) => () => void;

export const after: After = (ms, run) => {
  const timer = setTimeout(run, ms).unref();
  return () => clearTimeout(timer);
};

export class Resting {
  readonly #after: After;
  #end: (() => void) | null = null;

  constructor(after: After) {
    this.#after = after;
  }

  /** Resolves after so many milliseconds, at the latest at the next `end`; null: not before that. */
  rest(ms: number | null): Promise<void> {
    return new Promise((resolve) => {
      const cancel = ms === null ? () => {} : this.#after(ms, () => this.end());
      this.#end = () => {
        this.#end = null;
        cancel();
        resolve();
      };
    });
  }

  end(): void {
    this.#end?.();
  }
}
