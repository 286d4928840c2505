/**
 * Keeps the beginning of a body that passes.
 * Invariant: no slice of a foreign buffer is kept, because a slice would keep the whole buffer.
 */

const EMPTY = Buffer.alloc(0);
/** Largest piece in bytes that is kept as a string, which costs a tenth of a buffer. */
const SHORT = 4_096;

export class KeptBody {
  readonly #max: number;
  /** One character a byte; what is in `#bytes` is not here. */
  #text = '';
  #bytes = EMPTY;
  #length = 0;
  #size = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** Bytes of the body, kept or not. */
  get size(): number {
    return this.#size;
  }

  get isCut(): boolean {
    return this.#size > this.#length;
  }

  /** True: no further bytes are kept. */
  get isFull(): boolean {
    return this.#length === this.#max;
  }

  /** Bytes of memory, possibly more than the kept bytes. */
  get memory(): number {
    return this.#text.length + this.#bytes.length;
  }

  /** Valid until the next `add`. */
  get bytes(): Buffer {
    return this.#text === '' ? this.#bytes.subarray(0, this.#length) : Buffer.from(this.#text, 'latin1');
  }

  /** Answers by how many bytes it takes more memory than before. */
  add(bytes: Buffer, start: number, end: number): number {
    this.#size += end - start;
    const length = Math.min(end - start, this.#max - this.#length);
    if (length <= 0) return 0;
    if (this.#length === 0 && length <= SHORT) {
      this.#text = bytes.toString('latin1', start, start + length);
      this.#length = length;
      return length;
    }
    const before = this.memory;
    if (this.#length + length > this.#bytes.length) this.#grow(length);
    bytes.copy(this.#bytes, this.#length, start, start + length);
    this.#length += length;
    return this.memory - before;
  }

  /** So many bytes more belong to it, of which nothing is here. */
  skip(bytes: number): void {
    this.#size += bytes;
  }

  /**
   * Grows to the size of the first piece, then to twice the size. Thus a body in tiny pieces costs no more than its
   * length.
   */
  #grow(length: number): void {
    const size = Math.min(this.#max, Math.max(2 * this.#length, this.#length + length));
    const larger = Buffer.allocUnsafeSlow(size);
    this.bytes.copy(larger);
    this.#bytes = larger;
    this.#text = '';
  }
}

/** The body of a message without one. */
export const NO_BODY = new KeptBody(0);
