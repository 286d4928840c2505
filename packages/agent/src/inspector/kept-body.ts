/** The beginning of a body that goes by. Never that a slice of somebody else's buffer is kept, which would keep all of that. */

const EMPTY = Buffer.alloc(0);
const FIRST_BYTES = 64;

export class KeptBody {
  readonly #max: number;
  #bytes = EMPTY;
  #length = 0;
  #size = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** How long it was, kept or not. */
  get size(): number {
    return this.#size;
  }

  get isCut(): boolean {
    return this.#size > this.#length;
  }

  /** What it takes, which may be more than what is kept. */
  get memory(): number {
    return this.#bytes.length;
  }

  /** Valid until the next `add`. */
  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Answers by how many bytes it takes more memory than before. */
  add(bytes: Buffer, start: number, end: number): number {
    this.#size += end - start;
    const length = Math.min(end - start, this.#max - this.#length);
    if (length <= 0) return 0;
    const before = this.#bytes.length;
    if (this.#length + length > before) this.#grow(length);
    bytes.copy(this.#bytes, this.#length, start, start + length);
    this.#length += length;
    return this.#bytes.length - before;
  }

  /** To what came in one piece, else to twice the size, so that a body in tiny pieces costs no more than its length. */
  #grow(length: number): void {
    const doubled = this.#length === 0 ? FIRST_BYTES : 2 * this.#bytes.length;
    const larger = Buffer.allocUnsafeSlow(Math.min(this.#max, Math.max(doubled, this.#length + length)));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}
