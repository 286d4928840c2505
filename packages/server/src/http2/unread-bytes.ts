/**
 * What came on a stream and nobody took yet, in order. Never that it costs several times its bytes: small pieces, each of which would keep
 * the buffer that it came in, are copied together.
 */

/** Pieces from this size on are kept as they came. */
const KEPT_BYTES = 8 * 1024;
const BLOCK_BYTES = 16 * 1024;

export class UnreadBytes {
  #pieces: Buffer[] = [];
  /** Filled up to `used`; the last piece began at `start`, if that is one of copies. */
  #block = Buffer.alloc(0);
  #start: number | null = null;
  #used = 0;

  get isEmpty(): boolean {
    return this.#pieces.length === 0;
  }

  push(bytes: Buffer): void {
    if (bytes.length >= KEPT_BYTES) {
      this.#start = null;
      this.#pieces.push(bytes);
      return;
    }
    if (this.#block.length - this.#used < bytes.length) {
      this.#block = Buffer.allocUnsafe(BLOCK_BYTES);
      this.#start = null;
      this.#used = 0;
    }
    if (this.#start !== null) this.#pieces.pop();
    this.#start ??= this.#used;
    this.#used += bytes.copy(this.#block, this.#used);
    this.#pieces.push(this.#block.subarray(this.#start, this.#used));
  }

  /** Undefined: there is none. */
  shift(): Buffer | undefined {
    const first = this.#pieces.shift();
    if (this.isEmpty) this.#start = null;
    return first;
  }

  /** Throws everything away, and says how many bytes it was. */
  clear(): number {
    const bytes = this.#pieces.reduce((sum, { length }) => sum + length, 0);
    this.#pieces = [];
    this.#block = Buffer.alloc(0);
    this.#start = null;
    this.#used = 0;
    return bytes;
  }
}
