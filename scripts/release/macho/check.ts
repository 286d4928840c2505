/**
 * Checks the code signature of a Mach-O file as the kernel of macOS does: structure, places and the hash of each page.
 * It shares no code with the writer, except the reader of load commands. The certificate is not checked.
 */
import { hash } from 'node:crypto';
import { readMachO, segmentOf } from './read.ts';

export interface SignatureFacts {
  readonly identifier: string;
  /** True without a certificate. */
  readonly isAdHoc: boolean;
  readonly pages: number;
}

/** Bytes of the fields of a CodeDirectory that are read here. */
const LEAST_DIRECTORY = 88;

/** Throws an Error that names the fault. */
export function checkSignature(file: Buffer): SignatureFacts {
  const parsed = readMachO(file);
  const { signature } = parsed;
  require(signature !== null, 'the file has no signature');
  const { offset, bytes } = signature;
  const last = segmentOf(parsed, '__LINKEDIT');
  require(offset % 16 === 0, 'the signature does not start at a multiple of 16');
  require(offset + bytes === file.length, 'the signature does not end with the file');
  require(offset >= last.offset && last.offset + last.bytes === file.length, '__LINKEDIT ends elsewhere');
  require(last.memoryBytes >= last.bytes, '__LINKEDIT is larger in the file than in memory');
  checkSegments(parsed.segments);
  const blobs = blobsOf(file.subarray(offset, offset + bytes));
  const directory = blobs.get(0);
  const requirements = blobs.get(2);
  require(directory !== undefined && requirements !== undefined, 'a part of the signature is missing');
  require(requirements.readUInt32BE(0) === 0xfade0c01, 'the requirements have another magic number');
  const text = segmentOf(parsed, '__TEXT');
  return checkDirectory(directory, { code: file.subarray(0, offset), requirements, text });
}

/** No segment begins before the one before ends, in the file and in memory. */
function checkSegments(segments: ReturnType<typeof readMachO>['segments']): void {
  for (const [index, { name, offset, address }] of segments.entries()) {
    const before = segments[index - 1];
    if (before === undefined) continue;
    require(offset >= before.offset + before.bytes, `the segment ${name} overlaps in the file`);
    require(address >= before.address + before.memoryBytes, `the segment ${name} overlaps in memory`);
  }
}

/** Returns the parts by their slots. */
function blobsOf(signature: Buffer): ReadonlyMap<number, Buffer> {
  require(signature.readUInt32BE(0) === 0xfade0cc0, 'the signature has another magic number');
  const whole = signature.subarray(0, signature.readUInt32BE(4));
  require(whole.length === signature.readUInt32BE(4), 'the signature is cut off');
  const count = whole.readUInt32BE(8);
  const blobs = new Map<number, Buffer>();
  let end = 12 + count * 8;
  for (let index = 0; index < count; index++) {
    const slot = whole.readUInt32BE(12 + index * 8);
    const at = whole.readUInt32BE(16 + index * 8);
    require(at >= end && at + 8 <= whole.length, `the part ${slot} of the signature is out of place`);
    end = at + whole.readUInt32BE(at + 4);
    require(end <= whole.length, `the part ${slot} of the signature is cut off`);
    blobs.set(slot, whole.subarray(at, end));
  }
  return blobs;
}

interface Signed {
  readonly code: Buffer;
  readonly requirements: Buffer;
  readonly text: { readonly offset: number; readonly bytes: number };
}

function checkDirectory(directory: Buffer, { code, requirements, text }: Signed): SignatureFacts {
  require(directory.readUInt32BE(0) === 0xfade0c02, 'the code directory has another magic number');
  require(directory.length >= LEAST_DIRECTORY, 'the code directory is cut off');
  const field = (at: number): number => directory.readUInt32BE(at);
  const [hashesAt, nameAt, specialCount, pages] = [field(16), field(20), field(24), field(28)];
  require(field(8) >= 0x20400, 'the code directory is of an old version');
  require(field(32) === code.length, 'the code directory covers another length');
  require(directory[36] === 32 && directory[37] === 2, 'the hashes are not SHA-256');
  const pageBytes = 2 ** (directory[39] ?? 0);
  require(pages === Math.ceil(code.length / pageBytes), 'the number of pages differs');
  require(hashesAt + pages * 32 <= directory.length, 'the hashes are cut off');
  const hashAt = (slot: number): string =>
    directory.toString('hex', hashesAt + slot * 32, hashesAt + slot * 32 + 32);
  require(specialCount >= 2 && hashAt(-2) === sha256(requirements), 'the hash of the requirements differs');
  for (let page = 0; page < pages; page++) {
    const bytes = code.subarray(page * pageBytes, (page + 1) * pageBytes);
    require(hashAt(page) === sha256(bytes), `the hash of page ${page} differs`);
  }
  require(Number(directory.readBigUInt64BE(64)) === text.offset, 'the executable segment starts elsewhere');
  require(Number(directory.readBigUInt64BE(72)) === text.bytes, 'the executable segment has another length');
  require(directory.readBigUInt64BE(80) % 2n === 1n, 'the executable segment is not of a main program');
  return {
    identifier: directory.toString('utf8', nameAt, directory.indexOf(0, nameAt)),
    isAdHoc: (field(12) & 2) !== 0,
    pages,
  };
}

function sha256(bytes: Buffer): string {
  return hash('sha256', bytes, 'hex');
}

function require(condition: boolean, fault: string): asserts condition {
  if (!condition) throw new Error(fault);
}
