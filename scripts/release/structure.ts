/** Checks an executable by its structure, because most of them cannot run on the machine that builds them. */
import { checkSignature } from './macho/check.ts';
import { readMachO, segmentOf } from './macho/read.ts';
import { certificateBytes, hasChecksum, optionalHeader } from './pe.ts';
import type { Platform } from './platforms.ts';

/** Changed from `:0` when Node finds a script inside itself. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2:1';
const ELF = 0x7f454c46;
const ELF_MACHINES: Readonly<Record<string, number>> = { 'linux-x64': 62, 'linux-arm64': 183 };
const ELF_NOTE = 4;
const BLOB = 'NODE_SEA_BLOB';

/** Throws an Error that names the fault. */
export function checkExecutable(file: Buffer, platform: Platform): void {
  if (!file.includes(FUSE)) throw new Error('Node in this file looks for no script in itself');
  CHECKS[platform.format](file, platform.name);
}

const CHECKS: Readonly<Record<Platform['format'], (file: Buffer, platform: string) => void>> = {
  elf: checkElf,
  pe: checkPe,
  macho: checkMachO,
};

function checkElf(file: Buffer, platform: string): void {
  if (file.readUInt32BE(0) !== ELF) throw new Error('the file is no ELF file');
  if (file.readUInt16LE(18) !== ELF_MACHINES[platform])
    throw new Error('the ELF file is for another processor');
  const start = Number(file.readBigUInt64LE(32));
  const [bytes, count] = [file.readUInt16LE(54), file.readUInt16LE(56)];
  const headers = Array.from({ length: count }, (_, index) => start + index * bytes);
  const hasBlob = headers.some((at) => file.readUInt32LE(at) === ELF_NOTE && hasNote(file, at));
  if (!hasBlob) throw new Error(`the ELF file has no note ${BLOB}`);
}

/** Returns true if a part of the file, which consists of notes, has one of this name. */
function hasNote(file: Buffer, header: number): boolean {
  const offset = Number(file.readBigUInt64LE(header + 8));
  const notes = file.subarray(offset, offset + Number(file.readBigUInt64LE(header + 32)));
  for (let at = 0; at + 12 <= notes.length; ) {
    const nameBytes = notes.readUInt32LE(at);
    const contentBytes = notes.readUInt32LE(at + 4);
    if (notes.toString('latin1', at + 12, at + 12 + nameBytes) === `${BLOB}\0`) return true;
    at += 12 + inWords(nameBytes) + inWords(contentBytes);
  }
  return false;
}

function inWords(bytes: number): number {
  return Math.ceil(bytes / 4) * 4;
}

function checkPe(file: Buffer): void {
  optionalHeader(file);
  if (!file.includes(Buffer.from(BLOB, 'utf16le'))) throw new Error(`the PE file has no resource ${BLOB}`);
  if (certificateBytes(file) > 0) throw new Error('the PE file has a signature of other bytes');
  if (!hasChecksum(file)) throw new Error('the PE file has another checksum than it states');
}

function checkMachO(file: Buffer, platform: string): void {
  const parsed = readMachO(file);
  if (`darwin-${parsed.processor}` !== platform) throw new Error('the Mach-O file is for another processor');
  const { sections } = segmentOf(parsed, 'NODE_SEA');
  if (sections.every(({ name }) => name !== `__${BLOB}`))
    throw new Error(`the Mach-O file has no section ${BLOB}`);
  if (!checkSignature(file).isAdHoc) throw new Error('the signature is of a certificate');
}
