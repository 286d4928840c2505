/** Writes tar archives (POSIX ustar) that depend on nothing but their content and one time. */

import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type Entry, sortedEntries } from './entry.ts';

const BLOCK = 512;
/** Byte of the gzip header with the operating system. */
const SYSTEM = 9;
const UNIX = 3;
const compress = promisify(gzip);

export interface Owned {
  readonly user?: number;
  readonly group?: number;
}

/** `time`: seconds since 1970, for each entry. */
export function tar(entries: readonly (Entry & Owned)[], time: number): Buffer {
  const parts = sortedEntries(entries).flatMap((entry) => {
    const content = entry.kind === 'file' ? entry.content : Buffer.alloc(0);
    return [header(entry, content.length, time), content, Buffer.alloc(-content.length & (BLOCK - 1))];
  });
  return Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)]);
}

/** Compresses without a name and without a time. */
export async function gzipped(content: Buffer): Promise<Buffer> {
  const bytes = await compress(content, { level: 6 });
  bytes[SYSTEM] = UNIX;
  return bytes;
}

const TYPES: Readonly<Record<Entry['kind'], string>> = { file: '0', link: '2', folder: '5' };

function header(entry: Entry & Owned, bytes: number, time: number): Buffer {
  const block = Buffer.alloc(BLOCK);
  const { name, prefix } = splitPath(entry.kind === 'folder' ? `${entry.path}/` : entry.path);
  const mode = entry.kind === 'link' ? 0o777 : entry.mode;
  const octal = (value: number, at: number, width: number): void => {
    block.write(`${value.toString(8).padStart(width - 1, '0')}\0`, at);
  };
  block.write(name, 0);
  octal(mode, 100, 8);
  octal(entry.user ?? 0, 108, 8);
  octal(entry.group ?? 0, 116, 8);
  octal(bytes, 124, 12);
  octal(time, 136, 12);
  block.write(' '.repeat(8), 148);
  block.write(TYPES[entry.kind], 156);
  if (entry.kind === 'link') block.write(within(entry.target, 100), 157);
  block.write('ustar\x0000', 257);
  block.write(prefix, 345);
  const sum = block.reduce((all, byte) => all + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}

/** A name has 100 bytes, and the folders before it 155. */
function splitPath(path: string): { readonly name: string; readonly prefix: string } {
  if (Buffer.byteLength(path) <= 100) return { name: path, prefix: '' };
  const at = path.indexOf('/', path.length - 101);
  if (at === -1) throw new Error(`${path}: the name is too long for tar`);
  return { name: within(path.slice(at + 1), 100), prefix: within(path.slice(0, at), 155) };
}

function within(text: string, bytes: number): string {
  if (Buffer.byteLength(text) > bytes) throw new Error(`${text}: too long for tar`);
  return text;
}
