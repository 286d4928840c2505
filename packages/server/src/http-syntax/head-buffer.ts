/**
 * Collects a head that arrives in pieces, until its empty line.
 * Invariant: each byte is scanned once.
 */
import { CR, LF } from './bytes.ts';

export class HeadBuffer {
  #bytes: Buffer | null = null;
  #length = 0;
  #scanned = 0;
  readonly #limit: number;
  readonly #isLoose: boolean;

  /** `isLoose`: lines may end with LF alone. */
  constructor(limit: number, isLoose = false) {
    this.#limit = limit;
    this.#isLoose = isLoose;
  }

  get length(): number {
    return this.#length;
  }

  /** True when the head is worth parsing: it is whole, too long, or has a line end that no head may have. */
  append(chunk: Buffer): boolean {
    const length = this.#length + chunk.length;
    if (this.#bytes === null || this.#bytes.length < length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(2 * length, 1024));
      if (this.#bytes !== null) this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    chunk.copy(this.#bytes, this.#length);
    this.#length = length;
    return this.#scan(this.#bytes, length);
  }

  /** The bytes so far; the buffer is empty afterwards. */
  take(): Buffer {
    const bytes = this.#bytes === null ? Buffer.alloc(0) : this.#bytes.subarray(0, this.#length);
    this.clear();
    return bytes;
  }

  clear(): void {
    this.#bytes = null;
    this.#length = 0;
    this.#scanned = 0;
  }

  #scan(bytes: Buffer, length: number): boolean {
    const filled = bytes.subarray(0, length);
    let at = this.#scanned;
    while (at < length) {
      const lf = filled.indexOf(LF, at);
      if (lf === -1) break;
      if (this.#isLoose ? endsLooseHead(filled, lf) : endsHead(filled, lf)) return true;
      at = lf + 1;
    }
    this.#scanned = length;
    return length > this.#limit;
  }
}

/** A line end without CR ends it, too: no head may have one. */
function endsHead(bytes: Buffer, lf: number): boolean {
  return lf === 0 || bytes[lf - 1] !== CR || (lf >= 3 && bytes[lf - 2] === LF);
}

function endsLooseHead(bytes: Buffer, lf: number): boolean {
  if (lf === 0) return false;
  return bytes[lf - 1] === LF || (lf >= 2 && bytes[lf - 1] === CR && bytes[lf - 2] === LF);
}
