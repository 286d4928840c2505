import { readFileSync } from 'node:fs';
import { InvalidInput } from './address.ts';

/** Reads a file that the user named. Throws InvalidInput with the system's reason. */
export function readText(path: string, what: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new InvalidInput(`${what} ${path} cannot be read: ${reason}`);
  }
}
