/**
 * Decodes header blocks (HPACK, RFC 7541) with the dynamic table of their connection.
 * Invariant: the table stays within its limit, and a short block cannot produce an unbounded list. Fields beyond the
 * limit are counted but not kept.
 */
import { decodeHuffman } from './huffman.ts';
import { type HeaderField, type ReceivedField, receivedField, STATIC_TABLE } from './static-table.ts';

/** Bytes of the dynamic table that the peer may use, the default of the RFC. */
const TABLE_BYTES = 4096;
/** Bytes that each field costs in addition (RFC 7541, section 4.1). */
const FIELD_BYTES = 32;
/** Bytes of the longest integer that is allowed here. */
const INTEGER_BYTES = 5;

export interface HeaderList {
  readonly fields: readonly ReceivedField[];
  /** The list has more bytes than allowed. `fields` has only the first ones. */
  readonly isTooLarge: boolean;
}

export class HeaderDecoder {
  readonly #maxList: number;
  /** The dynamic table, newest field last. */
  readonly #table: ReceivedField[] = [];
  #tableBytes = 0;
  #tableLimit = TABLE_BYTES;
  #bytes: Buffer = Buffer.alloc(0);
  #pos = 0;

  constructor(maxList: number) {
    this.#maxList = maxList;
  }

  /** Decodes a block. Returns null if it is malformed. Then no later block can be decoded. */
  decode(block: Buffer): HeaderList | null {
    this.#bytes = block;
    this.#pos = 0;
    const fields: ReceivedField[] = [];
    let size = 0;
    while (this.#pos < block.length) {
      const first = block[this.#pos]!;
      if ((first & 0xe0) === 0x20) {
        // A size update is allowed only before the first field (RFC 7541, section 4.2).
        if (size > 0 || !this.#resize()) return null;
        continue;
      }
      const field = (first & 0x80) === 0 ? this.#literal(first) : this.#at(this.#integer(7));
      if (field === null) return null;
      size += sizeOf(field);
      if (size <= this.#maxList) fields.push(field);
    }
    return { fields, isTooLarge: size > this.#maxList };
  }

  #resize(): boolean {
    const limit = this.#integer(5);
    if (limit === -1 || limit > TABLE_BYTES) return false;
    this.#tableLimit = limit;
    this.#evict(0);
    return true;
  }

  #literal(first: number): ReceivedField | null {
    const isKept = (first & 0x40) !== 0;
    const index = this.#integer(isKept ? 6 : 4);
    const name = index === 0 ? this.#string() : (this.#at(index)?.name ?? null);
    if (name === null) return null;
    const value = this.#string();
    if (value === null) return null;
    const field = receivedField(name, value);
    if (isKept) this.#keep(field);
    return field;
  }

  #at(index: number): ReceivedField | null {
    if (index <= 0) return null;
    if (index <= STATIC_TABLE.length) return STATIC_TABLE[index - 1]!;
    return this.#table[this.#table.length - (index - STATIC_TABLE.length)] ?? null;
  }

  #keep(field: ReceivedField): void {
    const size = sizeOf(field);
    this.#evict(size);
    if (size > this.#tableLimit) return;
    this.#table.push(field);
    this.#tableBytes += size;
  }

  /** Evicts entries to make room. An entry larger than the table empties it. */
  #evict(needed: number): void {
    let evicted = 0;
    while (this.#tableBytes + needed > this.#tableLimit && evicted < this.#table.length) {
      this.#tableBytes -= sizeOf(this.#table[evicted]!);
      evicted += 1;
    }
    if (evicted > 0) this.#table.splice(0, evicted);
  }

  /** Decodes an integer with a prefix of `prefix` bits; -1 if it is cut or too large. */
  #integer(prefix: number): number {
    const bytes = this.#bytes;
    const most = (1 << prefix) - 1;
    let value = bytes[this.#pos]! & most;
    this.#pos += 1;
    if (value < most) return value;
    for (let i = 0; i < INTEGER_BYTES; i += 1) {
      const byte = bytes[this.#pos];
      if (byte === undefined) return -1;
      this.#pos += 1;
      value += (byte & 0x7f) * 2 ** (7 * i);
      if ((byte & 0x80) === 0) return value;
    }
    return -1;
  }

  #string(): string | null {
    const bytes = this.#bytes;
    if (this.#pos >= bytes.length) return null;
    const isHuffman = (bytes[this.#pos]! & 0x80) !== 0;
    const length = this.#integer(7);
    const start = this.#pos;
    const end = start + length;
    if (length === -1 || end > bytes.length) return null;
    this.#pos = end;
    return isHuffman ? decodeHuffman(bytes, start, end) : bytes.toString('latin1', start, end);
  }
}

function sizeOf({ name, value }: HeaderField): number {
  return name.length + value.length + FIELD_BYTES;
}
