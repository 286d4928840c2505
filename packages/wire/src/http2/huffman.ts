/**
 * Decodes the Huffman code of header strings (RFC 7541, appendix B), eight bits at a time.
 * Invariant: padding must be the beginning of the code's end mark.
 */

/**
 * Bits of each byte's code. The code is canonical: shorter ones first, those of one length in the order of the bytes.
 */
// biome-ignore format: sixteen bytes a line.
const LENGTHS = [
  13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28,
  28, 28, 28, 28, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 28,
  6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6,
  5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7, 8, 15, 6, 12, 10,
  13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
  7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19, 13, 14, 6,
  15, 5, 6, 5, 6, 5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5,
  6, 7, 6, 5, 5, 6, 7, 7, 7, 7, 7, 15, 11, 14, 13, 28,
  20, 22, 20, 20, 22, 22, 22, 23, 22, 23, 23, 23, 23, 23, 24, 23,
  24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23, 23, 24,
  22, 21, 20, 22, 22, 23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23,
  21, 21, 22, 21, 23, 22, 23, 23, 20, 22, 22, 22, 23, 22, 22, 23,
  26, 26, 20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25,
  19, 21, 26, 27, 27, 26, 27, 24, 21, 21, 26, 26, 28, 27, 27, 27,
  20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25, 24, 24, 26, 23,
  26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27, 27, 27, 27, 26,
] as const;

/** Marks an entry that is a byte and the bits that it takes. Other entries are a table of 256 entries, or invalid. */
const LEAF = 0x8000;
const NOTHING = 0xffff;
const tables = makeTables();

function makeTables(): Uint16Array {
  const entries: number[] = new Array<number>(256).fill(NOTHING);
  const bySize = LENGTHS.map((length, byte) => ({ length, byte })).sort(
    (one, other) => one.length - other.length || one.byte - other.byte,
  );
  let code = 0;
  let before: number = bySize[0]!.length;
  for (const { length, byte } of bySize) {
    code *= 2 ** (length - before);
    before = length;
    enter(entries, code, length, byte);
    code += 1;
  }
  return Uint16Array.from(entries);
}

function enter(entries: number[], code: number, length: number, byte: number): void {
  let table = 0;
  let left = length;
  while (left > 8) {
    left -= 8;
    const at = table + (Math.floor(code / 2 ** left) & 0xff);
    if (entries[at] === NOTHING) {
      entries[at] = entries.length >> 8;
      for (let i = 0; i < 256; i += 1) entries.push(NOTHING);
    }
    table = entries[at]! << 8;
  }
  const first = table + ((code * 2 ** (8 - left)) & 0xff);
  entries.fill(LEAF | (left << 8) | byte, first, first + 2 ** (8 - left));
}

/** The shortest code has five bits. */
const LONGEST_RATIO = 8 / 5;

/** Returns null if the code is malformed. */
export function decodeHuffman(bytes: Buffer, start: number, end: number): string | null {
  const out = Buffer.allocUnsafe(Math.floor((end - start) * LONGEST_RATIO));
  let size = 0;
  let bits = 0;
  let count = 0;
  /** Bits since the last decoded byte. */
  let since = 0;
  let table = 0;
  let pos = start;
  while (true) {
    if (count < 8 && pos < end) {
      bits = ((bits << 8) | bytes[pos]!) & 0xffff;
      pos += 1;
      count += 8;
      since += 8;
    }
    if (count === 0) break;
    const eight = count >= 8 ? bits >> (count - 8) : bits << (8 - count);
    const entry = tables[(table << 8) | (eight & 0xff)]!;
    if (entry === NOTHING) {
      if (count >= 8) return null;
      break;
    }
    if ((entry & LEAF) === 0) {
      if (count < 8) break;
      table = entry;
      count -= 8;
      continue;
    }
    const used = (entry >> 8) & 0xf;
    if (used > count) break;
    count -= used;
    since = count;
    table = 0;
    out[size] = entry & 0xff;
    size += 1;
  }
  const ones = (1 << count) - 1;
  return since > 7 || (bits & ones) !== ones ? null : out.toString('latin1', 0, size);
}
