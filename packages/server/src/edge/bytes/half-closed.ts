/**
 * The bound on a connection that one side has ended: it lives only while the other side makes progress. A kernel keeps the socket of a peer
 * that is gone for a minute or longer, so that silence is the only sign of it.
 */

/** Silence is measured in parts, so that bytes set no timer. */
const PARTS = 4;

export class HalfClosed {
  readonly #ms: number;
  readonly #silent: () => void;
  #timer: NodeJS.Timeout | null = null;
  #silentParts = 0;

  /** `silent`: nothing was carried for `ms` milliseconds, or a quarter more; called again after as long unless `end` is called. */
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
