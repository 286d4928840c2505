/** Writes zip archives (PKWARE APPNOTE 6.3) that depend on nothing but their content and one time. */

import { promisify } from 'node:util';
import { crc32, deflateRaw } from 'node:zlib';
import { type Entry, sortedEntries } from './entry.ts';

const compress = promisify(deflateRaw);
const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
/** Version 2.0, which has folders and deflate. */
const VERSION = 20;
const DEFLATE = 8;
/** Names in UTF-8. */
const FLAGS = 0x0800;
const UNIX = 3;
const REGULAR_FILE = 0o100000;

/** `time`: seconds since 1970, for each entry. Files only. */
export async function zip(entries: readonly (Entry & { kind: 'file' })[], time: number): Promise<Buffer> {
  const locals: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const { path, mode, content } of sortedEntries(entries)) {
    const name = Buffer.from(path);
    const packed = await compress(content, { level: 6 });
    const shared = fields(name, { content, packed, time });
    const local = Buffer.concat([number(LOCAL, 4), shared, number(0, 2), name, packed]);
    const place = [number(0, 2), number(0, 2), number(0, 2), number(0, 2)];
    const attributes = number((REGULAR_FILE | mode) * 0x10000, 4);
    const made = Buffer.from([VERSION, UNIX]);
    central.push(
      Buffer.concat([number(CENTRAL, 4), made, shared, ...place, attributes, number(offset, 4), name]),
    );
    locals.push(local);
    offset += local.length;
  }
  const bytes = central.reduce((sum, { length }) => sum + length, 0);
  const count = number(central.length, 2);
  const end = [number(END, 4), number(0, 4), count, count, number(bytes, 4), number(offset, 4), number(0, 2)];
  return Buffer.concat([...locals, ...central, ...end]);
}

interface Content {
  readonly content: Buffer;
  readonly packed: Buffer;
  readonly time: number;
}

/** The fields that the local header and the central directory share, up to the length of the name. */
function fields(name: Buffer, { content, packed, time }: Content): Buffer {
  const date = new Date(time * 1000);
  const clock = (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1);
  const day = ((date.getUTCFullYear() - 1980) << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate();
  return Buffer.concat([
    ...[VERSION, FLAGS, DEFLATE, clock, day].map((value) => number(value, 2)),
    ...[crc32(content), packed.length, content.length].map((value) => number(value, 4)),
    number(name.length, 2),
  ]);
}

function number(value: number, bytes: 2 | 4): Buffer {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntLE(value, 0, bytes);
  return buffer;
}
