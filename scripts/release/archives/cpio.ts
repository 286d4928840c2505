/** Writes cpio archives ("newc"), the payload of RPM packages. */
import type { Entry } from './entry.ts';

const TRAILER = 'TRAILER!!!';
const REGULAR_FILE = 0o100000;

type File = Entry & { readonly kind: 'file' };

/** `time`: seconds since 1970, for each file. Paths begin with "./". */
export function cpio(files: readonly File[], time: number): Buffer {
  const parts = files.flatMap(({ path, mode, content }, index) => {
    const fields = { inode: index + 1, mode: REGULAR_FILE | mode, links: 1, time, bytes: content.length };
    return [header(`./${path}`, fields), content, padding(content.length)];
  });
  return Buffer.concat([...parts, header(TRAILER, { inode: 0, mode: 0, links: 1, time: 0, bytes: 0 })]);
}

interface Fields {
  readonly inode: number;
  readonly mode: number;
  readonly links: number;
  readonly time: number;
  readonly bytes: number;
}

function header(name: string, { inode, mode, links, time, bytes }: Fields): Buffer {
  const numbers = [inode, mode, 0, 0, links, time, bytes, 0, 0, 0, 0, Buffer.byteLength(name) + 1, 0];
  const text = `070701${numbers.map((value) => value.toString(16).padStart(8, '0')).join('')}${name}\0`;
  const content = Buffer.from(text);
  return Buffer.concat([content, padding(content.length)]);
}

function padding(bytes: number): Buffer {
  return Buffer.alloc(-bytes & 3);
}
