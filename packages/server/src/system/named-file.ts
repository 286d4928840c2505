/** Reads a file that an option names. Never that a pipe or a device, of which nothing may ever come, holds up a start. */
import { readFileSync, statSync } from 'node:fs';

/** What a shell has opened for this process (`<(…)`) ends. */
const OPENED = /^\/dev\/(fd\/\d+|stdin)$/;

/** Node's own texts name its calls, and the path once more. */
const REASONS: ReadonlyMap<unknown, string> = new Map([
  ['ENOENT', 'there is no such file'],
  ['ENOTDIR', 'there is no such folder'],
  ['EACCES', 'this user may not read it'],
]);

/** Throws an error whose message says why it cannot be read, without the path. */
export function readNamedFile(path: string): string {
  try {
    if (!OPENED.test(path) && !statSync(path).isFile()) throw new Error('is no regular file');
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const reason = 'code' in error ? REASONS.get(error.code) : undefined;
    throw new Error(`cannot be read: ${reason ?? error.message}`, { cause: error });
  }
}
