/**
 * Notices that a direction of a connection stands still because its reader takes nothing. Never that silence counts as a
 * stall.
 */
export class Stall {
  readonly #ms: number;
  readonly #stalled: () => void;
  #timer: NodeJS.Timeout | null = null;

  constructor(ms: number, stalled: () => void) {
    this.#ms = ms;
    this.#stalled = stalled;
  }

  /** What is under way waits for its reader; told again while it waits, it changes nothing. */
  begin(): void {
    this.#timer ??= setTimeout(this.#stalled, this.#ms).unref();
  }

  end(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}
