/**
 * Joins pieces of bytes in one buffer that grows. A list of the pieces would cost an object for each, and keep their
 * buffers alive.
 *
 * Invariant: the memory taken is at most twice the bytes, or the first size.
 */

const FIRST_BYTES = 256;
const NOTHING = Buffer.alloc(0);

export interface GrowingOptions {
  /** Bytes of memory for the first piece, unless it is longer; default 256. */
  readonly firstBytes?: number;
  /** Bytes expected at most. Memory does not grow beyond them in advance. */
  readonly mostBytes?: number;
}

export class GrowingBuffer {
  readonly #firstBytes: number;
  readonly #mostBytes: number;
  #memory: Buffer<ArrayBuffer> = NOTHING;
  #length = 0;

  constructor({ firstBytes = FIRST_BYTES, mostBytes = Number.POSITIVE_INFINITY }: GrowingOptions = {}) {
    this.#firstBytes = firstBytes;
    this.#mostBytes = mostBytes;
  }

  get length(): number {
    return this.#length;
  }

  /** Bytes of memory taken. */
  get capacity(): number {
    return this.#memory.length;
  }

  /** All bytes so far, as a view. Later pieces do not change it. */
  get bytes(): Buffer<ArrayBuffer> {
    return this.#memory.subarray(0, this.#length);
  }

  /** Copies the piece behind the bytes so far. */
  append(piece: Uint8Array): void {
    const length = this.#length + piece.length;
    if (length > this.#memory.length) {
      const ahead = Math.max(2 * this.#memory.length, this.#firstBytes);
      this.#grow(Math.max(length, Math.min(ahead, this.#mostBytes)));
    }
    this.#memory.set(piece, this.#length);
    this.#length = length;
  }

  /** Returns all bytes so far and forgets them. */
  take(): Buffer<ArrayBuffer> {
    const { bytes } = this;
    this.clear();
    return bytes;
  }

  clear(): void {
    this.#memory = NOTHING;
    this.#length = 0;
  }

  #grow(size: number): void {
    // A part of Node's pool would keep the whole pool alive.
    const memory = Buffer.allocUnsafeSlow(size);
    this.#memory.copy(memory, 0, 0, this.#length);
    this.#memory = memory;
  }
}

/** Copies the bytes into memory of their own. A small view keeps the whole buffer behind it alive. */
export function apart(bytes: Buffer): Buffer {
  if (bytes.length === bytes.buffer.byteLength) return bytes;
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(copy);
  return copy;
}
