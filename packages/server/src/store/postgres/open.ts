/**
 * Makes sure that a database can be reached and is of today's version, before anything uses it. Never that a message names a
 * password.
 */
import type { Client, ClientConfig } from 'pg';
import { DOCUMENT_FORMAT } from '../format.ts';
import { StoreOpenError } from '../open-error.ts';
import { abandon, connect, nameOf } from './connect.ts';
import { reasonOf, sqlState } from './failure.ts';
import { migrate, migrations, versionOf } from './migrations.ts';

/** PostgreSQL 13: older ones are not maintained by their makers, and not tested with. */
const OLDEST_SERVER = 130_000;

/** `steps` is handed in so that a test can have an older history. */
export async function prepare(url: string, steps: readonly string[] = migrations): Promise<void> {
  const client = await reach(url);
  try {
    await upgrade(client, steps);
  } finally {
    abandon(client);
  }
}

/** Brings the database of a connection to today's version. Rejects with StoreOpenError. */
export async function upgrade(client: Client, steps: readonly string[] = migrations): Promise<void> {
  try {
    const { rows } = await client.query('SHOW server_version_num');
    if (Number(rows[0]?.server_version_num) < OLDEST_SERVER) {
      throw new StoreOpenError(
        'server-too-old',
        `the server of the database ${nameOf(client)} is older than PostgreSQL 13. Upgrade it.`,
      );
    }
    const found = await versionOf(client);
    const version = found < steps.length ? await migrate(client, steps) : found;
    if (version > steps.length) throw newer(client, version, steps.length);
    await checkFormats(client);
  } catch (error) {
    throw error instanceof StoreOpenError ? error : notUsable(client, error);
  }
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

/** A connection. Rejects with StoreOpenError. `more`: settings of the driver. */
export async function reach(url: string, more: ClientConfig = {}): Promise<Client> {
  try {
    return await connect(url, () => {}, more);
  } catch (error) {
    throw unreachable(url, error);
  }
}

function unreachable(url: string, error: unknown): StoreOpenError {
  const where = placeOf(url);
  switch (sqlState(error)) {
    case '28P01':
    case '28000':
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
      // The driver's own refusal to log in without a password that the server asks for.
      if (error instanceof Error && error.message.startsWith('SASL')) {
        return new StoreOpenError(
          'access-denied',
          `the database ${where} asks for a password: put it into --database, or into the variable PGPASSWORD.`,
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

/** Host and database of the URL: neither the user nor the parameters, among which a password may be. */
function placeOf(text: string): string {
  const url = new URL(text.replace('@/', '@host/'));
  const where = url.searchParams.get('host') ?? url.host;
  return `"${url.pathname.slice(1)}" at ${where === '' ? 'localhost' : where}`;
}

function notUsable(client: Client, error: unknown): StoreOpenError {
  return new StoreOpenError(
    'not-writable',
    `the database ${nameOf(client)} cannot be set up: ${reasonOf(error)}. The user needs the right to create the schema "underpass" there, or to own it; nothing was changed.`,
    { cause: error },
  );
}

function newer(client: Client, version: number, known: number): StoreOpenError {
  return new StoreOpenError(
    'newer-version',
    `the database ${nameOf(client)} has version ${version}; this program knows versions up to ${known}. Run the newer program, or restore a backup that was made before it.`,
  );
}
