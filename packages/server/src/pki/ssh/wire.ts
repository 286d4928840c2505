/** The data types of SSH (RFC 4251, section 5): written into buffers, and read strictly. */

export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

export function boolean(value: boolean): Buffer {
  return Buffer.of(value ? 1 : 0);
}

export function uint64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(value);
  return bytes;
}

/** Length and bytes; text is written as UTF-8. */
export function string(value: string | Uint8Array): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([uint32(bytes.length), bytes]);
}

/** A number that is not negative, given as big-endian bytes: in its shortest form, with a zero before a set top bit. */
export function mpint(magnitude: Uint8Array): Buffer {
  const start = magnitude.findIndex((byte) => byte !== 0);
  if (start === -1) return uint32(0);
  const digits = magnitude.subarray(start);
  const sign = (digits[0] as number) >= 0x80 ? [0] : [];
  return string(Buffer.concat([Buffer.from(sign), digits]));
}

/** Bytes that do not hold what was to be read from them. */
export class WireError extends Error {
  override readonly name = 'WireError';
}

export class Reader {
  #rest: Buffer;

  constructor(bytes: Buffer) {
    this.#rest = bytes;
  }

  /** Unread bytes. */
  get rest(): Buffer {
    return this.#rest;
  }

  byte(): number {
    return this.#take(1).readUInt8();
  }

  boolean(): boolean {
    return this.byte() !== 0;
  }

  uint32(): number {
    return this.#take(4).readUInt32BE();
  }

  uint64(): bigint {
    return this.#take(8).readBigUInt64BE();
  }

  /** Reads a fixed number of bytes without a length field. */
  bytes(count: number): Buffer {
    return this.#take(count);
  }

  string(): Buffer {
    const length = this.uint32();
    if (length > this.#rest.length) throw new WireError('a field is longer than what holds it');
    return this.#take(length);
  }

  /** A string that is text. */
  text(): string {
    return this.string().toString('utf8');
  }

  /** A string of names with commas between them. */
  names(): readonly string[] {
    const text = this.string().toString('latin1');
    return text === '' ? [] : text.split(',');
  }

  /** The bytes of a positive number without leading zeros. A number in any but its shortest form is refused. */
  positive(): Buffer {
    const bytes = this.string();
    const magnitude = bytes[0] === 0 ? bytes.subarray(1) : bytes;
    if (magnitude.length === 0 || !mpint(magnitude).subarray(4).equals(bytes)) {
      throw new WireError('a number is not positive or not in its shortest form');
    }
    return magnitude;
  }

  end(): void {
    if (this.#rest.length > 0) throw new WireError('there are bytes after the last field');
  }

  #take(count: number): Buffer {
    if (count > this.#rest.length) throw new WireError('a field is cut off');
    const bytes = this.#rest.subarray(0, count);
    this.#rest = this.#rest.subarray(count);
    return bytes;
  }
}
