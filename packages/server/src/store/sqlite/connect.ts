/** Connections to the database file, each set up for what it is used for. */
import { DatabaseSync } from 'node:sqlite';

/** Only for a foreign process at the file, such as a backup: our own one writer never waits for itself. */
const BUSY_TIMEOUT_MS = 5000;

/**
 * The connection of the one writer. FULL: a commit returns after its fsync.
 * A checkpoint every 16 MiB of log keeps fsyncs of the main file rare; the log file itself is cut back to 64 MiB.
 */
export function connectWriter(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
  database.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    PRAGMA wal_autocheckpoint = 4096;
    PRAGMA journal_size_limit = 67108864;
    PRAGMA cache_size = -16384;
  `);
  return database;
}

/** A connection that only reads. Not opened read-only: after a crash the first reader must be able to recover the log. */
export function connectReader(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
  // No memory mapping: a failing disk would end the process by a signal instead of giving an error.
  database.exec('PRAGMA query_only = ON; PRAGMA cache_size = -32768;');
  return database;
}
