/**
 * A cancellable wait. It does not keep the process alive.
 * Invariant: at most one wait is in progress.
 */

/** Runs a function after some milliseconds, unless the returned function is called first. */
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

  /** Resolves after `ms` milliseconds, or at the next `end` if that is earlier; null waits for `end` only. */
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
