/** Removes a signature from a PE file (Microsoft's PE Format). Node's own is of other bytes once a script is inside. */

const X64 = 0x8664;
const CHECKSUM = 64;
const DIRECTORIES = 112;
const CERTIFICATES = DIRECTORIES + 4 * 8;

/** Returns the offset of the optional header. Throws an Error if this is no PE file for x64. */
export function optionalHeader(file: Buffer): number {
  const at = file.toString('latin1', 0, 2) === 'MZ' ? file.readUInt32LE(60) : 0;
  if (file.toString('latin1', at, at + 4) !== 'PE\0\0') throw new Error('the file is no PE file');
  if (file.readUInt16LE(at + 4) !== X64) throw new Error('the PE file is for another processor');
  return at + 24;
}

/** Returns the bytes of the certificates that the file refers to. */
export function certificateBytes(file: Buffer): number {
  return file.readUInt32LE(optionalHeader(file) + CERTIFICATES + 4);
}

/** Returns true if the checksum is the one of the content. */
export function hasChecksum(file: Buffer): boolean {
  const at = optionalHeader(file) + CHECKSUM;
  return file.readUInt32LE(at) === checksum(file, at);
}

/** Returns the file without a reference to certificates, with its checksum. */
export function withoutSignature(file: Buffer): Buffer {
  const changed = Buffer.from(file);
  const header = optionalHeader(changed);
  changed.fill(0, header + CERTIFICATES, header + CERTIFICATES + 8);
  changed.writeUInt32LE(checksum(changed, header + CHECKSUM), header + CHECKSUM);
  return changed;
}

/** Adds the words of 16 bits, except the checksum itself, with carries, and then the length. */
function checksum(file: Buffer, at: number): number {
  const words = new Uint16Array(Math.ceil(file.length / 2));
  new Uint8Array(words.buffer).set(file);
  words.fill(0, at / 2, at / 2 + 2);
  let sum = 0;
  for (const word of words) {
    sum += word;
    sum = (sum & 0xffff) + (sum >>> 16);
  }
  return sum + file.length;
}
