/** Reads the libraries that an ELF file is linked with (System V ABI, dynamic section), of 64 bits, little endian. */

const DYNAMIC = 2;
const LOADED = 1;
const TAGS = { needed: 1n, strings: 5n } as const;
const ENTRY_BYTES = 16;

interface Segment {
  readonly type: number;
  readonly offset: number;
  readonly address: number;
  readonly bytes: number;
}

/** Returns the names, such as `libc.so.6`; none for a file that is not linked dynamically. */
export function neededLibraries(file: Buffer): string[] {
  const segments = segmentsOf(file);
  const dynamic = segments.find(({ type }) => type === DYNAMIC);
  if (dynamic === undefined) return [];
  const needed: number[] = [];
  let strings = 0;
  for (let at = dynamic.offset; at < dynamic.offset + dynamic.bytes; at += ENTRY_BYTES) {
    const [tag, value] = [file.readBigInt64LE(at), Number(file.readBigUInt64LE(at + 8))];
    if (tag === TAGS.needed) needed.push(value);
    if (tag === TAGS.strings) strings = offsetOf(value, segments);
  }
  return needed.map((place) => textAt(file, strings + place));
}

function segmentsOf(file: Buffer): readonly Segment[] {
  const start = Number(file.readBigUInt64LE(32));
  const [bytes, count] = [file.readUInt16LE(54), file.readUInt16LE(56)];
  return Array.from({ length: count }, (_, index) => {
    const at = start + index * bytes;
    const number = (place: number): number => Number(file.readBigUInt64LE(at + place));
    return { type: file.readUInt32LE(at), offset: number(8), address: number(16), bytes: number(32) };
  });
}

/** The place in the file of an address in memory. */
function offsetOf(address: number, segments: readonly Segment[]): number {
  const inside = segments.find(
    (one) => one.type === LOADED && address >= one.address && address < one.address + one.bytes,
  );
  if (inside === undefined) throw new Error('the dynamic section of the ELF file names no place in it');
  return address - inside.address + inside.offset;
}

function textAt(file: Buffer, start: number): string {
  return file.toString('latin1', start, file.indexOf(0, start));
}
