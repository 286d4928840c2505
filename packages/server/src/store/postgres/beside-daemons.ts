/**
 * Changes the schema beside daemons that serve.
 * Invariant: no step waits for a lock while it holds another one that a daemon may wait for.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import { StoreOpenError } from '../open-error.ts';
import { nameOf } from './connect.ts';
import { sqlState } from './failure.ts';

/**
 * Milliseconds that all tables together may take. Daemons wait behind this session for as long. It is shorter than the
 * server's `deadlock_timeout`, after which a daemon's transaction would be cancelled.
 */
const LOCK_MS = 500;
/** Milliseconds in which daemons go on, before the next attempt. */
const BETWEEN_MS = 250;
/** Number of attempts, in about 45 seconds. */
const ATTEMPTS = 60;
const CANCELED = '57014';

/** The first table is the one that every writer locks first. */
const TABLES = `SELECT string_agg(format('underpass.%I', c.relname), ', ' ORDER BY c.relname <> 'state', c.oid) AS tables
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 'underpass' AND c.relkind = 'r'`;

/** Milliseconds after its last renewal for which a daemon lives. */
const LEASE_MS = 20_000;
/** Daemons of schemas before 11 do not name theirs. */
const OLDER = `SELECT n.facts FROM underpass.nodes n
  WHERE n.dead IS NULL AND n.renewed > clock_timestamp() - ${LEASE_MS} * interval '1 ms'
    AND coalesce((n.facts->>'schema')::integer, 10) < $1
  ORDER BY n.incarnation LIMIT 1`;

/** Locks all tables, in an open transaction. Rejects with the driver's error if another session does not give them up. */
export async function lockTables(client: Client): Promise<void> {
  const { rows } = await client.query(TABLES);
  await client.query('SAVEPOINT unlocked');
  for (let attempt = 1; ; attempt += 1) {
    try {
      await client.query(`SET LOCAL statement_timeout = ${LOCK_MS}`);
      await client.query(`LOCK TABLE ${rows[0]?.tables} IN ACCESS EXCLUSIVE MODE`);
      await client.query('SET LOCAL statement_timeout TO DEFAULT');
      return;
    } catch (error) {
      if (sqlState(error) !== CANCELED || attempt === ATTEMPTS) throw error;
      await client.query('ROLLBACK TO SAVEPOINT unlocked');
      await pause(BETWEEN_MS);
    }
  }
}

/** Rejects with StoreOpenError if a daemon runs whose schema is older than `oldest`. */
export async function requireNoOlderDaemon(client: Client, oldest: number): Promise<void> {
  const { rows: tables } = await client.query(
    "SELECT FROM pg_catalog.pg_tables WHERE schemaname = 'underpass' AND tablename = 'nodes'",
  );
  if (tables.length === 0) return;
  const { rows } = await client.query(OLDER, [oldest]);
  const found = rows[0]?.facts as { readonly name?: unknown; readonly version?: unknown } | undefined;
  if (found === undefined) return;
  const name = typeof found.name === 'string' ? ` ${found.name}` : '';
  throw new StoreOpenError(
    'older-daemons',
    `the daemon${name} of version ${found.version} uses the database ${nameOf(client)}, and could not go on with the schema of this program. Upgrade it to the version before this one first, or stop it. If it was killed, start again in ${LEASE_MS / 1000} s. Nothing was changed.`,
  );
}
