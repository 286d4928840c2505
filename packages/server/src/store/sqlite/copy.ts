/**
 * A SQLite file as the source or the target of a copy.
 * Invariant: a target appears under its name only when it is complete and on the disk.
 */
import { existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import {
  CopyError,
  type CopySource,
  type CopyTarget,
  ROWS_PER_BATCH,
  type TargetOption,
} from '../copy/copy.ts';
import { namesOf, orderOf, type Row, type Table } from '../copy/tables.ts';
import { describeLostWrites, findLostWrites } from './answered.ts';
import { connectReader, connectWriter } from './connect.ts';
import { reasonOf } from './failure.ts';
import { migrate, migrations, versionOf } from './migrations.ts';
import { APPLICATION_ID, checkFile, createPrivately, lockFor } from './open.ts';
import { Reader } from './reader.ts';

/** Rejects with StoreOpenError (in use, damaged, newer) or CopyError. */
export async function openSqliteSource(path: string): Promise<CopySource> {
  if (!existsSync(path)) throw new CopyError(`there is no database ${path}: correct --from`);
  const lock = await lockFor(path);
  let database: DatabaseSync | undefined;
  const close = async (): Promise<void> => {
    if (database?.isOpen) database.close();
    lock.close();
  };
  try {
    await checkFile(path, migrations.length);
    const reader = connectReader(path);
    database = reader;
    const version = versionOf(reader);
    if (version < migrations.length) {
      throw new CopyError(
        `the database ${path} has version ${version}, this program's is ${migrations.length}: start this program's daemon on it once, which brings it up to date, then stop it and copy`,
      );
    }
    reader.exec('BEGIN');
    const lost = findLostWrites(path, new Reader(reader).state().revision);
    if (lost !== null)
      throw new CopyError(
        `${describeLostWrites(path, lost)} Start the daemon on it once, then copy what there is.`,
      );
    // The lock excludes every daemon while this is open.
    return { rows: (table) => rowsOf(path, reader, table), confirm: async () => {}, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Opens a source as of this moment, while this process continues to write to the file. */
export function openLiveSqliteSource(path: string): CopySource {
  const reader = connectReader(path);
  reader.exec('BEGIN');
  // The first read determines the moment.
  reader.prepare('SELECT revision FROM state').get();
  return {
    rows: (table) => rowsOf(path, reader, table),
    confirm: async () => {},
    close: async () => reader.close(),
  };
}

/** `option`: names another target. Rejects with StoreOpenError (in use, damaged, newer) or CopyError. */
export async function openSqliteTarget(path: string, option: TargetOption): Promise<CopyTarget> {
  const lock = await lockFor(path);
  try {
    if (existsSync(path)) await requireEmpty(path, option);
    return await SqliteTarget.begin(path, lock);
  } catch (error) {
    lock.close();
    throw error;
  }
}

async function requireEmpty(path: string, option: TargetOption): Promise<void> {
  await checkFile(path, migrations.length);
  const database = connectReader(path);
  try {
    if (versionOf(database) === 0) return;
    const row = database
      .prepare('SELECT revision, (SELECT count(*) FROM documents) AS documents FROM state')
      .get();
    if (row?.revision === 0 && row.documents === 0) return;
  } finally {
    database.close();
  }
  throw new CopyError(
    `the database ${path} is not empty: name a new one with ${option}, or move this one away`,
  );
}

/**
 * Fills a temporary file beside the target and renames it when it is complete. The next copy deletes an unfinished one.
 */
class SqliteTarget implements CopyTarget {
  readonly #path: string;
  readonly #aside: string;
  readonly #lock: DatabaseSync;
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  private constructor(path: string, lock: DatabaseSync, database: DatabaseSync) {
    this.#path = path;
    this.#aside = asideOf(path);
    this.#lock = lock;
    this.#database = database;
  }

  static async begin(path: string, lock: DatabaseSync): Promise<SqliteTarget> {
    const aside = asideOf(path);
    await removeAll(aside);
    await createPrivately(aside);
    const database = connectWriter(aside);
    try {
      // An incomplete file is worthless, so no write waits for the disk.
      database.exec(
        `PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA application_id = ${APPLICATION_ID}`,
      );
      migrate(database);
      database.exec('BEGIN; DELETE FROM state');
    } catch (cause) {
      database.close();
      throw failure(path, 'written', cause);
    }
    return new SqliteTarget(path, lock, database);
  }

  async insert(table: Table, rows: readonly Row[]): Promise<void> {
    let statement = this.#statements.get(table.name);
    if (statement === undefined) {
      const places = Object.keys(table.columns).map(() => '?');
      statement = this.#database.prepare(
        `INSERT INTO ${table.name} (${namesOf(table)}) VALUES (${places.join(', ')})`,
      );
      this.#statements.set(table.name, statement);
    }
    try {
      for (const row of rows) statement.run(...row);
    } catch (cause) {
      throw failure(this.#path, 'written', cause);
    }
  }

  rows(table: Table): AsyncIterable<readonly Row[]> {
    return rowsOf(this.#aside, this.#database, table);
  }

  async commit(): Promise<void> {
    try {
      this.#database.exec('COMMIT');
      this.#database.close();
      await sync(this.#aside);
      // The log of an empty database must not be applied to its successor.
      await removeAll(this.#path);
      await rename(this.#aside, this.#path);
      await sync(dirname(this.#path));
    } catch (cause) {
      throw failure(this.#path, 'written', cause);
    }
  }

  async close(): Promise<void> {
    if (this.#database.isOpen) this.#database.close();
    await removeAll(this.#aside);
    this.#lock.close();
  }
}

async function* rowsOf(path: string, database: DatabaseSync, table: Table): AsyncGenerator<readonly Row[]> {
  const columns = Object.keys(table.columns);
  const text = `SELECT ${namesOf(table)} FROM ${table.name}${orderOf(table)}`;
  let batch: Row[] = [];
  try {
    for (const row of database.prepare(text).iterate()) {
      batch.push(columns.map((column) => row[column] as string | number | null));
      if (batch.length < ROWS_PER_BATCH) continue;
      yield batch;
      batch = [];
    }
  } catch (cause) {
    throw failure(path, 'read', cause);
  }
  if (batch.length > 0) yield batch;
}

function failure(path: string, done: 'read' | 'written', cause: unknown): CopyError {
  return new CopyError(`the database ${path} cannot be ${done}: ${reasonOf(cause)}`, { cause });
}

function asideOf(path: string): string {
  return `${path}.copying`;
}

async function removeAll(path: string): Promise<void> {
  for (const suffix of ['', '-wal', '-shm', '-journal', '.answered'])
    await rm(`${path}${suffix}`, { force: true });
}

async function sync(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
