/**
 * Detects that a direction of a connection stalls because its reader reads nothing.
 * Invariant: silence is no stall.
 */
export class Stall {
  readonly #ms: number;
  readonly #stalled: () => void;
  #timer: NodeJS.Timeout | null = null;

  constructor(ms: number, stalled: () => void) {
    this.#ms = ms;
    this.#stalled = stalled;
  }

  /** Reports that bytes wait for the reader. Further calls during the wait have no effect. */
  begin(): void {
    this.#timer ??= setTimeout(this.#stalled, this.#ms).unref();
  }

  end(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}
