/**
 * Checks that a database file is this program's, undamaged and exclusive, and upgrades it, before it is used.
 * Invariant: an unrecognised file is never written.
 */
import { statSync } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeFolder } from '../../system/make-folder.ts';
import { DOCUMENT_FORMAT } from '../format.ts';
import { StoreOpenError } from '../open-error.ts';
import { connectReader, connectWriter } from './connect.ts';
import { isBusy, isDamage, reasonOf } from './failure.ts';
import { migrate, migrations, versionOf } from './migrations.ts';

/** Marks the file as this program's (sqlite.org/pragma.html#pragma_application_id): "Undp". */
export const APPLICATION_ID = 0x556e6470;

/**
 * Bytes up to which a file is checked completely. The check of a larger file would take longer than the rest of a
 * start.
 */
const LARGEST_CHECKED_BYTES = 64 * 1024 * 1024;

/** Tests pass other `steps` for an older schema. */
export async function prepare(path: string, steps: readonly string[] = migrations): Promise<DatabaseSync> {
  await createPrivately(path);
  const lock = await lockFor(path);
  try {
    await checkAndMigrate(path, steps);
    return lock;
  } catch (error) {
    lock.close();
    throw error;
  }
}

/**
 * Creates a file that only its owner can read. Secrets are sealed, but it contains names and addresses of a whole
 * organisation.
 */
export async function createPrivately(path: string): Promise<void> {
  try {
    makeFolder(dirname(path));
    const stats = statSync(path, { throwIfNoEntry: false });
    // Opening a pipe would wait for a reader, perhaps for ever.
    if (stats?.isFile() === false) throw new Error('it is no regular file');
    const file = await open(path, 'a', 0o600);
    try {
      await file.chmod(0o600);
    } finally {
      await file.close();
    }
  } catch (error) {
    throw notWritable(path, error);
  }
}

/**
 * Holds an exclusive lock on a file beside the database. The operating system releases it with the process. The
 * database itself cannot be locked, because the writer thread and the readers are separate connections.
 */
export async function lockFor(path: string): Promise<DatabaseSync> {
  const lockPath = `${path}.lock`;
  await createPrivately(lockPath);
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(lockPath);
    // SQLite would write an empty file at every lock, which fails on a full disk.
    if (versionOf(lock) === 0) lock.exec('PRAGMA user_version = 1');
    lock.exec('PRAGMA journal_mode = OFF; BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock?.close();
    if (!isBusy(error)) throw notWritable(lockPath, error);
    throw new StoreOpenError(
      'locked',
      `the database ${path} is in use by another process. Stop it, or give this one another data directory with --data-dir.`,
      { cause: error },
    );
  }
}

/**
 * Checks that the file is this program's, undamaged and of a known version. Returns the version. Rejects with
 * StoreOpenError.
 */
export async function checkFile(path: string, latest: number): Promise<number> {
  let database: DatabaseSync | undefined;
  try {
    database = connectReader(path);
    const version = versionOf(database);
    checkOwner(database, path);
    if (version > latest) throw newer(path, version, latest);
    const { size } = await stat(path);
    if (size <= LARGEST_CHECKED_BYTES) checkStructure(database, path);
    return version;
  } catch (error) {
    throw unusable(path, error);
  } finally {
    if (database?.isOpen) database.close();
  }
}

async function checkAndMigrate(path: string, steps: readonly string[]): Promise<void> {
  const version = await checkFile(path, steps.length);
  let database: DatabaseSync | undefined;
  try {
    // The file is known to be this program's now, and may be written.
    database = connectWriter(path);
    // A start without changes writes nothing, because it must succeed on a full disk.
    if (version === 0) database.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
    if (version > 0 && version < steps.length) await backUp(database, `${path}.backup-v${version}`);
    if (version < steps.length) migrate(database, steps);
    checkFormats(database, path);
  } catch (error) {
    throw unusable(path, error);
  } finally {
    if (database?.isOpen) database.close();
  }
}

function unusable(path: string, error: unknown): StoreOpenError {
  if (error instanceof StoreOpenError) return error;
  return isDamage(error) ? damaged(path, reasonOf(error), error) : notWritable(path, error);
}

function checkOwner(database: DatabaseSync, path: string): void {
  const owner = database.prepare('PRAGMA application_id').get()?.application_id;
  const { tables } = database.prepare('SELECT count(*) AS tables FROM sqlite_schema').get() ?? {};
  if (owner !== APPLICATION_ID && tables !== 0) throw damaged(path, 'it is the database of another program');
}

function checkFormats(database: DatabaseSync, path: string): void {
  const found = database
    .prepare('SELECT max(format) AS format FROM documents WHERE format > 1 AND format > ?')
    .get(DOCUMENT_FORMAT)?.format;
  if (typeof found !== 'number') return;
  throw new StoreOpenError(
    'newer-version',
    `the database ${path} has documents of format ${found}; this program knows formats up to ${DOCUMENT_FORMAT}. Nothing was changed. Run the newer program that wrote them.`,
  );
}

function checkStructure(database: DatabaseSync, path: string): void {
  const found = database.prepare('PRAGMA quick_check(1)').get()?.quick_check;
  if (found !== 'ok') throw damaged(path, String(found));
}

/** Writes a backup, which appears under its name only when it is complete. */
async function backUp(database: DatabaseSync, target: string): Promise<void> {
  const unfinished = `${target}.unfinished`;
  await rm(unfinished, { force: true });
  // VACUUM INTO accepts an existing empty file, which has the right mode already.
  await createPrivately(unfinished);
  database.prepare('VACUUM INTO ?').run(unfinished);
  const file = await open(unfinished, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(unfinished, target);
}

function notWritable(path: string, cause: unknown): StoreOpenError {
  return new StoreOpenError(
    'not-writable',
    `the database ${path} cannot be written: ${reasonOf(cause)}. Check that the directory and the file belong to this user and that the disk has room, or choose another data directory.`,
    { cause },
  );
}

function damaged(path: string, found: string, cause?: unknown): StoreOpenError {
  return new StoreOpenError(
    'damaged',
    `the database ${path} is damaged: ${found}. Nothing was changed. Move it away together with ${path}-wal, and put a backup in its place.`,
    { cause },
  );
}

function newer(path: string, version: number, known: number): StoreOpenError {
  return new StoreOpenError(
    'newer-version',
    `the database ${path} has version ${version}; this program knows versions up to ${known}. Run the newer program, or put back the backup ${path}.backup-v${known} that it made.`,
  );
}
