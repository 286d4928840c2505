/**
 * One master key for all daemons and commands of a file.
 * Invariant: other files in the same process do not use it.
 */
import { randomBytes } from 'node:crypto';
import { before } from 'node:test';

/**
 * Shares the key for tests that share or copy a database with its secrets. Call it at the top of the file, before
 * daemons start.
 */
export function shareMasterKey(): void {
  // Not while the file is loaded, which would set it for all files of the process.
  before(() => {
    process.env.UNDERPASS_MASTER_KEY = randomBytes(32).toString('hex');
  });
}
