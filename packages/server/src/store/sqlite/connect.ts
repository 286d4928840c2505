/** Opens connections to the database file, each with the settings for its use. */
import { dirname, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';

/**
 * Milliseconds to wait for another process at the file, such as a backup. The one writer of this process never waits
 * for itself.
 */
const BUSY_TIMEOUT_MS = 5000;

/**
 * Opens the connection of the one writer. FULL: a commit returns after its fsync. A checkpoint every 16 MiB of log
 * keeps fsyncs of the main file rare. The log file is cut back to 64 MiB. Temporary data of large changes goes beside
 * the database, for the whole process, because a container may have no other writable place.
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
 * Opens a connection that only reads. It is not opened read-only, because the first reader after a crash must recover
 * the log. It never creates a file, which could replace a removed database.
 */
export function connectReader(path: string): DatabaseSync {
  const database = connect(path, 'rw');
  // No memory mapping: a failing disk would end the process by a signal instead of an error.
  database.exec('PRAGMA query_only = ON; PRAGMA cache_size = -32768;');
  return database;
}

/**
 * Keeps the index of the log in memory, shared by the connections of this process (sqlite.org/vfs.html, "unix-excl").
 * SQLite's default is a file, which cannot be created on a full disk, and then nothing can be read. Other processes
 * find the database locked.
 */
function connect(path: string, mode: 'rw' | 'rwc'): DatabaseSync {
  const url = pathToFileURL(path);
  url.searchParams.set('vfs', 'unix-excl');
  url.searchParams.set('mode', mode);
  return new DatabaseSync(url, { timeout: BUSY_TIMEOUT_MS });
}
