/** Whole numbers as bytes: seven bits in each, the lowest first. */

/** Bytes that grow as they are written. */
export class ByteWriter {
  #bytes: Buffer;
  length = 0;

  constructor(room = 64) {
    this.#bytes = Buffer.allocUnsafeSlow(room);
  }

  /** Writes a whole number from 0 to 2^53 - 1. */
  number(value: number): void {
    let left = value;
    while (left >= 0x80) {
      this.#byte((left % 0x80) | 0x80);
      left = Math.floor(left / 0x80);
    }
    this.#byte(left);
  }

  /** The written bytes, valid until the next write. */
  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.length);
  }

  #byte(value: number): void {
    if (this.length === this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(2 * this.#bytes.length);
      this.#bytes.copy(larger);
      this.#bytes = larger;
    }
    this.#bytes[this.length] = value;
    this.length += 1;
  }
}

export class ByteReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isMore(): boolean {
    return this.#at < this.#bytes.length;
  }

  /** Returns 0 at the end. */
  number(): number {
    let value = 0;
    let factor = 1;
    for (;;) {
      const byte = this.#bytes[this.#at] ?? 0;
      this.#at += 1;
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
      factor *= 0x80;
    }
  }
}
