/**
 * Reads files that an option, the environment or the data directory names.
 *
 * Invariant: a file is opened only if it is a regular one, and no more than its limit is read. A pipe could keep a start waiting
 * without end, and a device could fill the memory.
 */
import { closeSync, constants, fstatSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';

/** Bytes of a text file: certificates, keys and options are far smaller. */
export const maxTextFile = 4 * 1024 * 1024;

/** The pipes that a shell has opened for this process (`<(…)`), which end. */
const OPENED = /^\/dev\/(fd\/\d+|stdin)$/;
/** Another process may put a pipe in the place of the file in between: its open does not wait for a writer. */
const FLAGS = constants.O_RDONLY | constants.O_NONBLOCK;

/** Node's own texts name its calls, and the path once more. */
const REASONS: ReadonlyMap<unknown, string> = new Map([
  ['ENOENT', 'there is no such file'],
  ['ENOTDIR', 'there is no such folder'],
  ['EACCES', 'this user may not read it'],
]);

/** A file that is there and is not read. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';
  readonly path: string;
  /** Goes on from the name of the file: "is no regular file". */
  readonly reason: string;

  constructor(path: string, reason: string) {
    super(`${path} ${reason}`);
    this.path = path;
    this.reason = reason;
  }
}

/** Follows links. Throws an error whose message has the reason, without the path. */
export function readNamedFile(path: string, limit = maxTextFile): string {
  try {
    const isOpened = OPENED.test(path);
    if (!isOpened) check(path, statSync(path), limit);
    const file = openSync(path, isOpened ? constants.O_RDONLY : FLAGS);
    try {
      if (!isOpened) check(path, fstatSync(file), limit);
      return readAll(path, file, limit);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const known = 'code' in error ? REASONS.get(error.code) : undefined;
    const reason = error instanceof UnreadableFile ? error.reason : (known ?? error.message);
    throw new Error(`cannot be read: ${reason}`, { cause: error });
  }
}

/** The same, without blocking other work. Rejects with UnreadableFile, or the system's error. */
export async function readRegularFile(path: string, limit = maxTextFile): Promise<string> {
  check(path, await stat(path), limit);
  const file = await open(path, FLAGS);
  try {
    check(path, await file.stat(), limit);
    return await readAllOf(path, file, limit);
  } finally {
    await file.close();
  }
}

/** Checks a file of any size that is read in pieces. Rejects like `readRegularFile`. */
export async function requireRegularFile(path: string): Promise<void> {
  check(path, await stat(path), Number.POSITIVE_INFINITY);
}

function check(path: string, stats: Stats, limit: number): void {
  if (!stats.isFile()) throw new UnreadableFile(path, 'is no regular file');
  if (stats.size > limit) throw tooLarge(path, limit);
}

/** Files below /proc have no size, and others grow. */
function readAll(path: string, file: number, limit: number): string {
  const pieces: Buffer[] = [];
  for (let total = 0; total <= limit; ) {
    const piece = Buffer.allocUnsafe(64 * 1024);
    const length = readSync(file, piece);
    if (length === 0) return Buffer.concat(pieces).toString('utf8');
    pieces.push(piece.subarray(0, length));
    total += length;
  }
  throw tooLarge(path, limit);
}

async function readAllOf(path: string, file: FileHandle, limit: number): Promise<string> {
  const pieces: Buffer[] = [];
  for (let total = 0; total <= limit; ) {
    const { bytesRead, buffer } = await file.read({ buffer: Buffer.allocUnsafe(64 * 1024) });
    if (bytesRead === 0) return Buffer.concat(pieces).toString('utf8');
    pieces.push(buffer.subarray(0, bytesRead));
    total += bytesRead;
  }
  throw tooLarge(path, limit);
}

function tooLarge(path: string, limit: number): UnreadableFile {
  return new UnreadableFile(path, `is larger than ${limit} bytes`);
}
