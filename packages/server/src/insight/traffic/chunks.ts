/**
 * Chunks of bytes of one size, which are used again. Memory that the system lends and takes back all the time would grow
 * to several times what is in use.
 */

/** Bytes of a chunk. No line of an entry is longer. */
export const CHUNK_BYTES = 8 * 1024;
/** Chunks that are allocated together. */
const SLAB_CHUNKS = 32;

export class Chunks {
  readonly #free: Buffer[] = [];
  #used = 0;

  /** Chunks in use. */
  get used(): number {
    return this.#used;
  }

  take(): Buffer {
    this.#used += 1;
    return this.#free.pop() ?? this.#allocate();
  }

  release(chunk: Buffer): void {
    this.#used -= 1;
    this.#free.push(chunk);
  }

  #allocate(): Buffer {
    const slab = Buffer.allocUnsafeSlow(SLAB_CHUNKS * CHUNK_BYTES);
    for (let at = 1; at < SLAB_CHUNKS; at += 1)
      this.#free.push(slab.subarray(at * CHUNK_BYTES, (at + 1) * CHUNK_BYTES));
    return slab.subarray(0, CHUNK_BYTES);
  }
}
