/** Tries to reach the database of a setup. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { toDatabase } from '../command/config.ts';
import { type Database, nameOf } from '../store/databases/database.ts';
import { tryDatabase } from '../store/databases/open.ts';
import { StoreOpenError } from '../store/open-error.ts';
import { SetupError } from './setup-error.ts';

/** `text`: that of the option. Rejects with SetupError, or ConfigError for a wrong form. */
export async function checkDatabase(text: string, dataDir: string): Promise<void> {
  const database = toDatabase('database', text, dataDir);
  // The daemon refuses this, too, because the database may be the wrong one.
  if ((await isEmpty(database)) && existsSync(join(dataDir, 'bootstrap.json')))
    throw new SetupError(
      `--database ${nameOf(database)}: is empty, but ${dataDir} has an installation; stop its daemon and copy it with "underpassd copy", or give another --data-dir`,
    );
}

async function isEmpty(database: Database): Promise<boolean> {
  try {
    return await tryDatabase(database);
  } catch (error) {
    if (error instanceof StoreOpenError) throw new SetupError(`--database: ${error.message}`);
    if (database.kind === 'postgres' || !(error instanceof Error)) throw error;
    throw new SetupError(
      `--database ${nameOf(database)}: the file cannot be written there: ${error.message}; give sqlite:PATH, another --data-dir, or the rights`,
    );
  }
}
