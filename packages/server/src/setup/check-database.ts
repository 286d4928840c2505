/** Tries to reach the database of a setup. */
import { toDatabase } from '../command/config.ts';
import { nameOf } from '../store/databases/database.ts';
import { tryDatabase } from '../store/databases/open.ts';
import { StoreOpenError } from '../store/open-error.ts';
import { SetupError } from './setup-error.ts';

/** `text`: as the option. Rejects with SetupError, or ConfigError for a wrong form. */
export async function checkDatabase(text: string, dataDir: string): Promise<void> {
  const database = toDatabase('database', text, dataDir);
  try {
    await tryDatabase(database);
  } catch (error) {
    if (error instanceof StoreOpenError) throw new SetupError(`--database: ${error.message}`);
    if (database.kind === 'postgres' || !(error instanceof Error)) throw error;
    throw new SetupError(
      `--database ${nameOf(database)}: the file cannot be written there: ${error.message}; give sqlite:PATH, another --data-dir, or the rights`,
    );
  }
}
