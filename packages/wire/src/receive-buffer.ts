/** Chunks of at least this many bytes are kept uncopied, if they fill enough of their memory. */
const KEEP_BYTES = 8192;
/** The default: a chunk must fill half of its memory. */
const KEEP_RATIO = 2;
const FIRST_BLOCK_BYTES = 1024;
const MAX_BLOCK_BYTES = 65_536;

/**
 * Keeps bytes that a stream's owner has not read. It joins small chunks, because each would pin the network buffer
 * behind it.
 * Invariant: a window full of one-byte frames costs about as much memory as the window.
 */
export class ReceiveBuffer {
  readonly #ratio: number;
  #sealed: Buffer[] = [];
  #tail: Buffer | null = null;
  #tailUsed = 0;
  length = 0;

  /** `ratio` is the memory that a large chunk may keep, as a multiple of its bytes. */
  constructor(ratio: number = KEEP_RATIO) {
    this.#ratio = ratio;
  }

  push(chunk: Buffer): void {
    this.length += chunk.length;
    if (chunk.length >= KEEP_BYTES && chunk.length * this.#ratio >= chunk.buffer.byteLength) {
      this.#seal();
      this.#sealed.push(chunk);
      return;
    }
    let at = 0;
    while (at < chunk.length) {
      if (this.#tail === null || this.#tailUsed === this.#tail.length) this.#grow(chunk.length - at);
      const size = chunk.copy(this.#tail!, this.#tailUsed, at);
      this.#tailUsed += size;
      at += size;
    }
  }

  /** Puts bytes back in front. */
  unshift(chunk: Buffer): void {
    if (chunk.length === 0) return;
    this.length += chunk.length;
    this.#sealed.unshift(chunk);
  }

  /** Returns the oldest adjacent bytes; undefined if empty. */
  shift(): Buffer | undefined {
    if (this.#sealed.length === 0) this.#seal();
    const chunk = this.#sealed.shift();
    if (chunk !== undefined) this.length -= chunk.length;
    return chunk;
  }

  clear(): void {
    this.#sealed = [];
    this.#tail = null;
    this.#tailUsed = 0;
    this.length = 0;
  }

  /** Makes room for `wanted` bytes, or some of them. */
  #grow(wanted: number): void {
    const doubled = (this.#tail?.length ?? FIRST_BLOCK_BYTES / 2) * 2;
    const size = Math.min(Math.max(doubled, wanted), MAX_BLOCK_BYTES);
    this.#seal();
    this.#tail = Buffer.allocUnsafeSlow(size);
  }

  #seal(): void {
    if (this.#tail !== null && this.#tailUsed > 0) this.#sealed.push(this.#tail.subarray(0, this.#tailUsed));
    this.#tail = null;
    this.#tailUsed = 0;
  }
}
