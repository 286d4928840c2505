/** Connections to the database file, each set up for what it is used for. */
import { dirname, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';

/** Only for a foreign process at the file, such as a backup: our own one writer never waits for itself. */
const BUSY_TIMEOUT_MS = 5000;

/**
 * The connection of the one writer. FULL: a commit returns after its fsync.
 * A checkpoint every 16 MiB of log keeps fsyncs of the main file rare; the log file itself is cut back to 64 MiB.
 * What a large change cannot have in memory is put beside the database, for the whole process: a container may have no other place
 * that can be written, and refuse the deletion of much at once.
 */
export function connectWriter(path: string): DatabaseSync {
  const database = connect(path, 'rwc');
  const directory = dirname(resolve(path)).replaceAll("'", "''");
  database.exec(`
    PRAGMA temp_store_directory = '${directory}';
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    PRAGMA wal_autocheckpoint = 4096;
    PRAGMA journal_size_limit = 67108864;
    PRAGMA cache_size = -16384;
  `);
  return database;
}

/**
 * A connection that only reads. Not opened read-only: after a crash the first reader must be able to recover the log. Never makes
 * a file, which would be taken for the database when that was removed.
 */
export function connectReader(path: string): DatabaseSync {
  const database = connect(path, 'rw');
  // No memory mapping: a failing disk would end the process by a signal instead of giving an error.
  database.exec('PRAGMA query_only = ON; PRAGMA cache_size = -32768;');
  return database;
}

/**
 * The connections of this process share the index of the log in memory (sqlite.org/vfs.html, "unix-excl"): SQLite's other way is a file
 * of its own, which cannot be made on a full disk, and without which nothing can be read. Another process finds the database locked.
 */
function connect(path: string, mode: 'rw' | 'rwc'): DatabaseSync {
  const url = pathToFileURL(path);
  url.searchParams.set('vfs', 'unix-excl');
  url.searchParams.set('mode', mode);
  return new DatabaseSync(url, { timeout: BUSY_TIMEOUT_MS });
}
