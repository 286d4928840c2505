/**
 * Checks that a database is reachable, and upgrades it to the current version, before it is used.
 * Invariant: no message contains a password.
 */
import type { Client, ClientConfig } from 'pg';
import { DOCUMENT_FORMAT } from '../format.ts';
import { StoreOpenError } from '../open-error.ts';
import { abandon, connect, nameOf } from './connect.ts';
import { isConnectionLoss, isLasting, reasonOf, sqlState, UnsuitableServerError } from './failure.ts';
import { identityOf } from './identity.ts';
import { migrate, migrations, OLDEST_PROGRAM, type Schema, schemaOf } from './migrations.ts';
import { parseSettings, placeOf } from './settings.ts';

/** PostgreSQL 13. Older versions are neither maintained nor tested. */
const OLDEST_SERVER = 130_000;
/** Milliseconds to wait for a second session of a pooler. */
const SESSION_TIMEOUT_MS = 5_000;

const RIGHTS = `SELECT current_setting('transaction_read_only') = 'on' AS read_only,
  has_database_privilege(current_database(), 'TEMPORARY') AS temporary,
  (SELECT bool_and(has_table_privilege(c.oid, p.name)) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    CROSS JOIN unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS p (name)
    WHERE n.nspname = 'underpass' AND c.relkind = 'r' AND c.relname <> 'schema_version') AS tables,
  (SELECT coalesce(bool_and(has_sequence_privilege(c.oid, 'USAGE')), true)
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = 'underpass' AND c.relkind = 'S') AS sequences`;

/** Remedies by SQL state, for failures that have nothing to do with rights. */
const REMEDIES: Readonly<Record<string, string>> = {
  '25006': 'It takes no writes: name the primary in --database, or switch off default_transaction_read_only.',
  '53100': 'Make room on the disk of the server.',
  '53200': 'The server is out of memory.',
  '57014': 'Another session may hold a lock: end it, and start again.',
};

/** Tests pass other `steps`, and another oldest program, for an older or newer schema. */
export async function prepare(url: string, steps?: readonly string[], oldest?: number): Promise<void> {
  let isPooled = false;
  const client = await reach(url, {}, async (candidate) => {
    ({ isPooled } = await identityOf(candidate));
  });
  try {
    if (isPooled) await requireSession(client, url);
    await upgrade(client, steps, oldest);
  } finally {
    abandon(client);
  }
}

/** Upgrades the database of a connection. Rejects with StoreOpenError. */
export async function upgrade(
  client: Client,
  steps: readonly string[] = migrations,
  oldest = OLDEST_PROGRAM,
): Promise<void> {
  try {
    const { rows } = await client.query('SHOW server_version_num');
    if (Number(rows[0]?.server_version_num) < OLDEST_SERVER) {
      throw new StoreOpenError(
        'server-too-old',
        `the server of the database ${nameOf(client)} is older than PostgreSQL 13. Upgrade it.`,
      );
    }
    const found = await schemaOf(client);
    const schema = found.version < steps.length ? await migrate(client, steps, oldest) : found;
    if (schema.oldest > steps.length) throw newer(client, schema, steps.length);
    await requireRights(client);
    await checkFormats(client);
  } catch (error) {
    throw error instanceof StoreOpenError ? error : notUsable(client, error);
  }
}

/**
 * Rejects poolers that may give a session to another client after each transaction. Functions, settings and LISTEN of a
 * connection would be lost or shared. Two connections detect it: while the second has an open transaction, the first is
 * on another session than before.
 */
async function requireSession(client: Client, url: string): Promise<void> {
  const other = await reach(url, { query_timeout: SESSION_TIMEOUT_MS });
  try {
    const before = await sessionOf(client);
    await other.query('BEGIN');
    const taken = await sessionOf(other);
    // If the second got the first one's session, the result is known, and no session may be left for the first.
    const after = taken === before ? null : await sessionOf(client);
    await other.query('ROLLBACK');
    if (after === before) return;
  } catch (error) {
    // Transactions are refused here if even statements share sessions.
    if (!isLasting(error)) throw unreachable(url, error);
  } finally {
    abandon(other);
  }
  throw new StoreOpenError(
    'shared-sessions',
    `the database ${nameOf(client)} is behind a pooler that shares sessions between transactions (PgBouncer: pool_mode = transaction or statement). The daemon needs a session of its own for LISTEN and its functions. Set pool_mode = session for this database, or name the server itself in --database.`,
  );
}

async function sessionOf(client: Client): Promise<unknown> {
  return (await client.query('SELECT pg_backend_pid() AS session')).rows[0]?.session;
}

/** Fails at the start if rights are missing. Otherwise each write would fail. */
async function requireRights(client: Client): Promise<void> {
  const { rows } = await client.query(RIGHTS);
  const { read_only, temporary, tables, sequences } = rows[0] as Readonly<Record<string, unknown>>;
  if (read_only === true)
    throw new StoreOpenError(
      'not-writable',
      `the database ${nameOf(client)} takes no writes: default_transaction_read_only is on. Set it off for this user and database, or name the primary in --database.`,
    );
  if (temporary !== true || tables !== true || sequences !== true)
    throw new StoreOpenError(
      'not-writable',
      `the database ${nameOf(client)} lacks rights for this user: ${temporary === true ? 'SELECT, INSERT, UPDATE and DELETE on all tables, and USAGE on all sequences, of the schema "underpass"' : 'TEMPORARY on the database'}. Grant them, or make the user the owner of the schema.`,
    );
}

async function checkFormats(client: Client): Promise<void> {
  const { rows } = await client.query(
    'SELECT max(format) AS format FROM underpass.documents WHERE format > 1 AND format > $1',
    [DOCUMENT_FORMAT],
  );
  if (rows[0]?.format === null) return;
  throw new StoreOpenError(
    'newer-version',
    `the database ${nameOf(client)} has documents of format ${rows[0]?.format}; this program knows formats up to ${DOCUMENT_FORMAT}. Nothing was changed. Run the newer program that wrote them.`,
  );
}

/** Opens a connection. Rejects with StoreOpenError. `more` are settings of the driver. */
export async function reach(
  url: string,
  more: ClientConfig = {},
  accept?: (client: Client) => Promise<void>,
): Promise<Client> {
  try {
    return await connect(url, () => {}, more, accept);
  } catch (error) {
    throw unreachable(url, error);
  }
}

function unreachable(url: string, error: unknown): StoreOpenError {
  const where = nameIn(url);
  switch (sqlState(error)) {
    case '28P01':
    case '28000':
    case '28P02':
      return new StoreOpenError(
        'access-denied',
        `the database ${where} does not let this daemon in: ${reasonOf(error)}. Check user and password of --database, and the server's pg_hba.conf.`,
        { cause: error },
      );
    case '3D000':
      return new StoreOpenError(
        'no-such-database',
        `the database ${where} does not exist: make it with createdb, or correct --database.`,
        { cause: error },
      );
    default:
      if (error instanceof UnsuitableServerError)
        return new StoreOpenError('refused', `the database ${where} cannot be used: ${error.message}.`, {
          cause: error,
        });
      if (isLasting(error)) {
        return new StoreOpenError(
          'refused',
          `the database ${where} refuses the connection: ${reasonOf(error)}. Correct --database, the server's settings or the pooler's; trying again changes nothing.`,
          { cause: error },
        );
      }
      // The driver's error if the server requires a password and none is set.
      if (error instanceof Error && error.message.startsWith('SASL')) {
        return new StoreOpenError(
          'access-denied',
          `the database ${where} requires a password: put it into --database, or into the variable PGPASSWORD.`,
          { cause: error },
        );
      }
      return new StoreOpenError(
        'unreachable',
        `the database ${where} cannot be reached: ${reasonOf(error)}. Check --database, and that the server runs and can be reached from here.`,
        { cause: error },
      );
  }
}

/** Returns hosts and database of the URL, without the user and other parameters, because one may be a password. */
function nameIn(url: string): string {
  const { hosts, database = '' } = parseSettings(url);
  return `"${database}" at ${hosts.map(placeOf).join(',')}`;
}

function notUsable(client: Client, error: unknown): StoreOpenError {
  const remedy = REMEDIES[sqlState(error) ?? ''];
  if (isConnectionLoss(error) || remedy !== undefined) {
    const what = remedy ?? 'Check that the server runs and can be reached from here.';
    const failed = `the database ${nameOf(client)} cannot be set up: ${reasonOf(error)}`;
    return new StoreOpenError('unreachable', `${failed}. ${what} Nothing was changed.`, { cause: error });
  }
  return new StoreOpenError(
    'not-writable',
    `the database ${nameOf(client)} cannot be set up: ${reasonOf(error)}. The user needs the right to create the schema "underpass" there, or to own it; nothing was changed.`,
    { cause: error },
  );
}

function newer(client: Client, { version, oldest }: Schema, known: number): StoreOpenError {
  const since = oldest === version ? '' : `, which programs since version ${oldest} can use`;
  return new StoreOpenError(
    'newer-version',
    `the database ${nameOf(client)} has version ${version}${since}; this program knows versions up to ${known}. Run the newer program, or restore a backup that was made before it.`,
  );
}
