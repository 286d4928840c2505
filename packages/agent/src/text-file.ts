/**
 * Reads files that the user named, with errors that the user can act on.
 *
 * Invariant: a file is opened only if it is a regular one, and no more than its limit is read.
 */
import { closeSync, constants, fstatSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import { InvalidInput } from './address.ts';

/** Bytes of a text file: certificates and settings are far smaller. */
const LIMIT = 4 * 1024 * 1024;
/** The pipes that a shell has opened for this process (`<(…)`), which end. */
const OPENED = /^\/dev\/(fd\/\d+|stdin)$/;

interface ReadOptions {
  /** Bytes. */
  readonly limit?: number;
  /** The flag that named the file. */
  readonly flag?: string | null;
}

/** Reads a file that the user named, or an open descriptor; links are followed. Throws InvalidInput with the system's reason. */
export function readText(
  path: string | number,
  what: string,
  { limit = LIMIT, flag = null }: ReadOptions = {},
): string {
  try {
    if (typeof path === 'number') return readAll(path, limit);
    return OPENED.test(path) ? readOpened(path, limit) : readRegular(path, limit);
  } catch (error) {
    const reason = fileReasonOf(error);
    throw new InvalidInput(
      `${[what, ...(typeof path === 'string' ? [path] : [])].join(' ')} cannot be read: ${reason}`,
      flag,
    );
  }
}

function readOpened(path: string, limit: number): string {
  const file = openSync(path, constants.O_RDONLY);
  try {
    return readAll(file, limit);
  } finally {
    closeSync(file);
  }
}

/** A pipe could be waited for without end, and a device fill the memory. */
function readRegular(path: string, limit: number): string {
  check(statSync(path), limit);
  // Another process may put a pipe there in between: this open does not wait for a writer.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    check(fstatSync(file), limit);
    return readAll(file, limit);
  } finally {
    closeSync(file);
  }
}

function check(stats: Stats, limit: number): void {
  if (!stats.isFile()) throw new Error('it is no regular file. Give the path of one.');
  if (stats.size > limit) throw tooLarge(limit);
}

function readAll(file: number, limit: number): string {
  const pieces: Buffer[] = [];
  for (let total = 0; total <= limit; ) {
    const piece = Buffer.allocUnsafe(64 * 1024);
    const length = readSync(file, piece);
    if (length === 0) return Buffer.concat(pieces).toString('utf8');
    pieces.push(piece.subarray(0, length));
    total += length;
  }
  throw tooLarge(limit);
}

function tooLarge(limit: number): Error {
  return new Error(`it is larger than ${limit} bytes. Give the path of another.`);
}

/** Node's texts repeat the path. */
function fileReasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const known = 'code' in error ? KNOWN.get(error.code) : undefined;
  return known ?? error.message;
}

const KNOWN: ReadonlyMap<unknown, string> = new Map([
  ['ENOENT', 'there is no such file. Give the path of one.'],
  ['ENOTDIR', 'there is no such folder. Give the path of a file.'],
  ['EACCES', 'this user may not read it. Give it the right to, or the path of another.'],
]);
