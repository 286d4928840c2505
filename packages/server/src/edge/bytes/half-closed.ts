/**
 * Ends a connection that one side has ended if the other side makes no progress. A kernel keeps the socket of a lost
 * peer for a minute or longer, so silence is the only sign.
 */

/** Parts in which silence is measured, so that no byte sets a timer. */
const PARTS = 4;

export class HalfClosed {
  readonly #ms: number;
  readonly #silent: () => void;
  #timer: NodeJS.Timeout | null = null;
  #silentParts = 0;

  /**
   * `silent` is called if no byte was carried for `ms` milliseconds, or a quarter more. It is called again after as
   * long, unless `end` is called.
   */
  constructor(ms: number, silent: () => void) {
    this.#ms = ms;
    this.#silent = silent;
  }

  /** A side has ended. */
  begin(): void {
    this.#silentParts = 0;
    this.#timer ??= setInterval(() => this.#passed(), this.#ms / PARTS).unref();
  }

  /** Bytes were carried. */
  progress(): void {
    this.#silentParts = 0;
  }

  end(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  #passed(): void {
    this.#silentParts += 1;
    // The first part had begun before the last bytes.
    if (this.#silentParts <= PARTS) return;
    this.#silentParts = 0;
    this.#silent();
  }
}
