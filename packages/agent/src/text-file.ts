/** Reads a file that the user named, with errors that the user can act on. */
import { readFileSync, statSync } from 'node:fs';
import { InvalidInput } from './address.ts';

/** Reads a file that the user named, or an open descriptor. Throws InvalidInput with the system's reason. */
export function readText(path: string | number, what: string): string {
  try {
    // Nothing may ever come out of a pipe or a device. What a shell has opened for this process (`<(…)`) ends.
    if (typeof path === 'string' && !/^\/dev\/(fd\/\d+|stdin)$/.test(path) && !statSync(path).isFile())
      throw new Error('it is no regular file. Give the path of one.');
    return readFileSync(path, 'utf8');
  } catch (error) {
    const reason = fileReasonOf(error);
    throw new InvalidInput(
      `${[what, ...(typeof path === 'string' ? [path] : [])].join(' ')} cannot be read: ${reason}`,
    );
  }
}

/** Node's texts repeat the path. */
function fileReasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const known = 'code' in error ? KNOWN.get(error.code) : undefined;
  return known ?? error.message;
}

const KNOWN: ReadonlyMap<unknown, string> = new Map([
  ['ENOENT', 'there is no such file.'],
  ['ENOTDIR', 'there is no such folder.'],
  ['EACCES', 'this user may not read it.'],
]);
