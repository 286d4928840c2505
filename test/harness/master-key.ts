/** One master key for all daemons and commands of a file. Never that another file in the same process starts its own with it. */
import { randomBytes } from 'node:crypto';
import { before } from 'node:test';

/** For what shares or copies a database, with the secrets in it. Call at the top of the file, before what starts daemons. */
export function shareMasterKey(): void {
  // Not while the file is loaded, which would set it for all files of the process.
  before(() => {
    process.env.UNDERPASS_MASTER_KEY = randomBytes(32).toString('hex');
  });
}
