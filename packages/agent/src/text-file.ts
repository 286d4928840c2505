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
    const reason = error instanceof Error ? error.message : String(error);
    throw new InvalidInput(
      `${[what, ...(typeof path === 'string' ? [path] : [])].join(' ')} cannot be read: ${reason}`,
    );
  }
}
