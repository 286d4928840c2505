/**
 * A PostgreSQL database as the source or the target of a copy.
 * Invariant: a target is filled in one transaction.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import {
  CopyError,
  type CopySource,
  type CopyTarget,
  ROWS_PER_BATCH,
  type TargetOption,
} from '../copy/copy.ts';
import { type ColumnType, namesOf, orderOf, type Row, type Table } from '../copy/tables.ts';
import type { Revision } from '../store.ts';
import { abandon, DAEMON, nameOf } from './connect.ts';
import { reasonOf } from './failure.ts';
import { migrations, schemaOf } from './migrations.ts';
import { ANY_DAEMON } from './neighbours.ts';
import { reach, upgrade } from './open.ts';

const PATIENCE_MS = 1_000;
const ASK_AGAIN_MS = 100;
const COPYING = { application_name: 'underpassd copy' };

/**
 * `live` allows daemons to write meanwhile; the rows are still of one moment. Rejects with StoreOpenError or CopyError.
 */
export async function openPostgresSource(url: string, { live = false } = {}): Promise<CopySource> {
  const client = await reach(url, COPYING);
  try {
    const { version } = await schemaOf(client);
    if (version === 0)
      throw new CopyError(
        `the database ${nameOf(client)} holds no installation: correct ${live ? '--database' : '--from'}`,
      );
    if (version !== migrations.length) {
      throw new CopyError(
        `the database ${nameOf(client)} has version ${version}, this program's is ${migrations.length}: copy with the program that wrote it, or let this program's daemon bring it up to date first`,
      );
    }
    if (!live) await requireUnused(client);
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const revision = await revisionOf(client);
    return {
      rows: (table) => rowsOf(client, table),
      confirm: async () => {
        if (!live) await requireUnchanged(url, revision);
      },
      close: async () => abandon(client),
    };
  } catch (error) {
    abandon(client);
    throw error;
  }
}

/**
 * Opens the target in one transaction, which leaves nothing if it ends early. `option`: names another target. Rejects
 * with StoreOpenError or CopyError.
 */
export async function openPostgresTarget(url: string, option: TargetOption): Promise<CopyTarget> {
  const client = await reach(url, COPYING);
  try {
    if ((await schemaOf(client)).version > 0) await requireEmpty(client, option);
    await upgrade(client);
    await client.query('BEGIN');
    await requireEmpty(client, option);
    return {
      insert: (table, rows) => insert(client, table, rows),
      rows: (table) => rowsOf(client, table),
      commit: () => commit(client),
      close: async () => abandon(client),
    };
  } catch (error) {
    abandon(client);
    throw error;
  }
}

/**
 * Fails if a daemon uses the database. Each daemon has a named connection that listens. The server may notice its end a
 * little later.
 */
async function requireUnused(client: Client): Promise<void> {
  for (let left = PATIENCE_MS; ; left -= ASK_AGAIN_MS) {
    const { rows } = await client.query(
      'SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1',
      [DAEMON],
    );
    if (rows.length === 0 && (await client.query(ANY_DAEMON)).rows.length === 0) return;
    if (left <= 0) {
      throw new CopyError(
        `the database ${nameOf(client)} is in use by a daemon: stop every daemon on it first`,
      );
    }
    await pause(ASK_AGAIN_MS);
  }
}

/** Takes the lock of all writes, so that no installation begins meanwhile. */
async function requireEmpty(client: Client, option: TargetOption): Promise<void> {
  await requireUnused(client);
  const { rows } = await client.query('SELECT revision FROM underpass.state FOR UPDATE');
  const documents = await client.query('SELECT FROM underpass.documents LIMIT 1');
  if (Number(rows[0]?.revision) === 0 && documents.rows.length === 0) return;
  throw new CopyError(
    `the database ${nameOf(client)} is not empty: make a new one with createdb, and name it with ${option}`,
  );
}

async function requireUnchanged(url: string, revision: Revision): Promise<void> {
  const client = await reach(url, COPYING);
  try {
    if ((await revisionOf(client)) === revision) return;
    throw new CopyError(
      `the database ${nameOf(client)} was written to while it was copied: stop every daemon on it and copy again; nothing was kept`,
    );
  } finally {
    abandon(client);
  }
}

async function revisionOf(client: Client): Promise<Revision> {
  const { rows } = await client.query('SELECT revision FROM underpass.state');
  return Number(rows[0]?.revision);
}

async function insert(client: Client, table: Table, rows: readonly Row[]): Promise<void> {
  const types = Object.values(table.columns);
  const places = types.map((type, at) => `$${at + 1}::${ARRAYS[type]}`);
  const values = types.map((type, at) => rows.map((row) => (type === 'boolean' ? row[at] === 1 : row[at])));
  const given = `SELECT * FROM unnest(${places.join(', ')})`;
  // The existing row is updated, not replaced, because processes may wait for its lock.
  const text =
    table.key.length === 0
      ? `UPDATE underpass.${table.name} SET (${namesOf(table)}) = (${given})`
      : `INSERT INTO underpass.${table.name} (${namesOf(table)}) ${given}`;
  try {
    await client.query({ name: `copy-${table.name}`, text, values });
  } catch (cause) {
    throw failure(client, `does not take the ${table.name}`, cause);
  }
}

async function commit(client: Client): Promise<void> {
  try {
    await client.query('COMMIT');
  } catch (cause) {
    throw failure(
      client,
      'may or may not have kept the copy; if it now counts as not empty, it has all of it',
      cause,
    );
  }
}

function failure(client: Client, what: string, cause: unknown): CopyError {
  return new CopyError(`the database ${nameOf(client)} ${what}: ${reasonOf(cause)}`, { cause });
}

const ARRAYS: Readonly<Record<ColumnType, string>> = {
  text: 'text[]',
  integer: 'bigint[]',
  boolean: 'boolean[]',
};

const READERS: Readonly<Record<ColumnType, (value: unknown) => string | number>> = {
  text: String,
  integer: Number,
  boolean: Number,
};

async function* rowsOf(client: Client, table: Table): AsyncGenerator<readonly Row[]> {
  const columns = Object.entries(table.columns);
  const query = async (text: string) => {
    try {
      return (await client.query<Record<string, unknown>>(text)).rows;
    } catch (cause) {
      throw failure(client, 'cannot be read', cause);
    }
  };
  await query(
    `DECLARE copied NO SCROLL CURSOR FOR SELECT ${namesOf(table)} FROM underpass.${table.name}${orderOf(table)}`,
  );
  for (;;) {
    const rows = await query(`FETCH ${ROWS_PER_BATCH} FROM copied`);
    if (rows.length > 0) {
      yield rows.map((row) =>
        columns.map(([column, type]) => (row[column] === null ? null : READERS[type](row[column]))),
      );
    }
    if (rows.length < ROWS_PER_BATCH) break;
  }
  await query('CLOSE copied');
}
