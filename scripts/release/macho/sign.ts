/**
 * Writes an ad-hoc code signature into a Mach-O file, as `codesign --sign -` does: hashes without a certificate.
 * macOS on arm64 starts no file without one. The layout is that of `cs_blobs.h` in Apple's XNU sources.
 */
import { createHash } from 'node:crypto';
import { CODE_SIGNATURE, type MachO, readMachO, segmentOf } from './read.ts';

const SUPER_BLOB = 0xfade0cc0;
const CODE_DIRECTORY = 0xfade0c02;
const REQUIREMENTS = 0xfade0c01;
const CMS_WRAPPER = 0xfade0b01;

const SLOT_DIRECTORY = 0;
const SLOT_REQUIREMENTS = 2;
const SLOT_CMS = 0x10000;

const PAGE_BITS = 12;
const PAGE_BYTES = 2 ** PAGE_BITS;
const HASH_BYTES = 32;
const SHA256 = 2;
const VERSION = 0x20400;
const DIRECTORY_BYTES = 88;
const AD_HOC = 2;
const MAIN_BINARY = 1n;
/** Special slots before the pages: the requirements, and before them Info.plist, which is absent. */
const SPECIAL_SLOTS = 2;
const COMMAND_BYTES = 16;
/** Pages in memory. */
const MEMORY_PAGE = { x64: 0x1000, arm64: 0x4000 } as const;

/** Returns the signed file. Throws an Error if the file has a signature already, or no room for the load command. */
export function signAdHoc(unsigned: Buffer, identifier: string): Buffer {
  const parsed = readMachO(unsigned);
  const codeBytes = upTo(unsigned.length, 16);
  const signatureBytes = upTo(bytesOfSignature(codeBytes, identifier), 16);
  const signed = Buffer.alloc(codeBytes + signatureBytes);
  unsigned.copy(signed);
  addCommand(signed, parsed, { offset: codeBytes, bytes: signatureBytes });
  growLinkEdit(signed, parsed, unsigned.length);
  signatureOf(signed.subarray(0, codeBytes), identifier).copy(signed, codeBytes);
  return signed;
}

function addCommand(file: Buffer, parsed: MachO, place: NonNullable<MachO['signature']>): void {
  const { commandsEnd, segments, signature } = parsed;
  if (signature !== null) throw new Error('the file has a signature already');
  const sections = segments.flatMap(({ sections }) => sections).filter(({ offset }) => offset > 0);
  const first = Math.min(...sections.map(({ offset }) => offset));
  if (commandsEnd + COMMAND_BYTES > first) throw new Error('there is no room for one more load command');
  file.writeUInt32LE(CODE_SIGNATURE, commandsEnd);
  file.writeUInt32LE(COMMAND_BYTES, commandsEnd + 4);
  file.writeUInt32LE(place.offset, commandsEnd + 8);
  file.writeUInt32LE(place.bytes, commandsEnd + 12);
  file.writeUInt32LE(file.readUInt32LE(16) + 1, 16);
  file.writeUInt32LE(file.readUInt32LE(20) + COMMAND_BYTES, 20);
}

/** The last segment holds the signature, too. `before`: bytes of the unsigned file. */
function growLinkEdit(file: Buffer, parsed: MachO, before: number): void {
  const { at, offset, bytes } = segmentOf(parsed, '__LINKEDIT');
  if (offset + bytes !== before) throw new Error('__LINKEDIT does not end with the file');
  const now = file.length - offset;
  file.writeBigUInt64LE(BigInt(upTo(now, MEMORY_PAGE[parsed.processor])), at + 32);
  file.writeBigUInt64LE(BigInt(now), at + 48);
}

function bytesOfSignature(codeBytes: number, identifier: string): number {
  const pages = Math.ceil(codeBytes / PAGE_BYTES);
  const directory =
    DIRECTORY_BYTES + Buffer.byteLength(identifier) + 1 + (SPECIAL_SLOTS + pages) * HASH_BYTES;
  return 12 + 3 * 8 + directory + 12 + 8;
}

/** `code`: all bytes before the signature, with their final content. */
function signatureOf(code: Buffer, identifier: string): Buffer {
  const requirements = blob(REQUIREMENTS, Buffer.alloc(4));
  const blobs = [
    [SLOT_DIRECTORY, codeDirectory(code, identifier, sha256(requirements))],
    [SLOT_REQUIREMENTS, requirements],
    [SLOT_CMS, blob(CMS_WRAPPER, Buffer.alloc(0))],
  ] as const;
  const index = Buffer.alloc(4 + blobs.length * 8);
  index.writeUInt32BE(blobs.length);
  let offset = 8 + index.length;
  for (const [at, [slot, { length }]] of blobs.entries()) {
    index.writeUInt32BE(slot, 4 + at * 8);
    index.writeUInt32BE(offset, 8 + at * 8);
    offset += length;
  }
  return blob(SUPER_BLOB, Buffer.concat([index, ...blobs.map(([, content]) => content)]));
}

function codeDirectory(code: Buffer, identifier: string, requirements: Buffer): Buffer {
  const { offset, bytes } = segmentOf(readMachO(code), '__TEXT');
  const name = Buffer.from(`${identifier}\0`);
  const hashes = hashesOfPages(code);
  const special = [requirements, Buffer.alloc(HASH_BYTES)];
  const head = Buffer.alloc(DIRECTORY_BYTES - 8);
  // Offsets count from the start of the blob, which has 8 bytes before `head`.
  const numbers = [
    ...[VERSION, AD_HOC, DIRECTORY_BYTES + name.length + SPECIAL_SLOTS * HASH_BYTES, DIRECTORY_BYTES],
    ...[SPECIAL_SLOTS, hashes.length, code.length],
  ];
  for (const [at, value] of numbers.entries()) head.writeUInt32BE(value, at * 4);
  head.set([HASH_BYTES, SHA256, 0, PAGE_BITS], 28);
  head.writeBigUInt64BE(BigInt(offset), 56);
  head.writeBigUInt64BE(BigInt(bytes), 64);
  head.writeBigUInt64BE(MAIN_BINARY, 72);
  return blob(CODE_DIRECTORY, Buffer.concat([head, name, ...special, ...hashes]));
}

function hashesOfPages(code: Buffer): readonly Buffer[] {
  const count = Math.ceil(code.length / PAGE_BYTES);
  return Array.from({ length: count }, (_, page) =>
    sha256(code.subarray(page * PAGE_BYTES, (page + 1) * PAGE_BYTES)),
  );
}

function blob(magic: number, content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(magic);
  head.writeUInt32BE(8 + content.length, 4);
  return Buffer.concat([head, content]);
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}

function upTo(bytes: number, unit: number): number {
  return Math.ceil(bytes / unit) * unit;
}
