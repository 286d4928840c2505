/** Opens connections to the primary server, each with the settings for its use. */
import { Client, type ClientConfig, DatabaseError } from 'pg';
import { installAdmit } from './admit.ts';
import { installFunctions } from './apply.ts';
import { isWorthAnotherWay, UnsuitableServerError } from './failure.ts';
import { type Identity, identityOf } from './identity.ts';
import { type Host, parseSettings, type Settings } from './settings.ts';
import { waysTo } from './tls.ts';

/** Milliseconds without a response after which a server counts as unavailable. */
export const QUERY_TIMEOUT_MS = 15_000;
/** Milliseconds after which a stalled writer loses the lock, for which the writers of all daemons wait. */
const STALLED_WRITE_MS = 10_000;
/** The name of a daemon's connections in the server's views. */
export const DAEMON = 'underpassd';

/** Checks the server of a new connection before it is used. Throws UnsuitableServerError. */
export type Admission = (identity: Identity) => void;

/**
 * Connections behind a pooler. Several clients of a pooler use one session in turn, so statement names may be taken.
 */
const behindPooler = new WeakSet<object>();

/**
 * Opens a connection. `lost` is called if it ends by itself. Hosts are tried in order. A connection that `accept`
 * rejects is closed, and the next host is tried.
 */
export async function connect(
  url: string,
  lost: (client: Client) => void = () => {},
  more: ClientConfig = {},
  accept: (client: Client) => Promise<void> = async () => {},
): Promise<Client> {
  const settings = parseSettings(url);
  const failures: unknown[] = [];
  for (const host of settings.hosts) {
    try {
      const client = await connectTo(host, settings, more, accept);
      client.on('end', () => lost(client));
      return client;
    } catch (error) {
      failures.push(error);
    }
  }
  throw failures.length === 1
    ? failures[0]
    : new AggregateError(failures, 'no host of the database can be used');
}

async function connectTo(
  host: Host,
  settings: Settings,
  more: ClientConfig,
  accept: (client: Client) => Promise<void>,
): Promise<Client> {
  let failure: unknown;
  for (const ssl of waysTo(host, settings.tls)) {
    const client = new Client({ ...options(host, settings), ssl, ...more });
    // An 'error' event without a listener would end the process.
    client.on('error', () => {});
    try {
      await client.connect();
      await accept(client);
      return client;
    } catch (error) {
      abandon(client);
      // The server's error is more useful than the lack of TLS.
      if (failure === undefined || error instanceof DatabaseError) failure = error;
      if (!isWorthAnotherWay(error)) throw error;
    }
  }
  throw failure;
}

function options({ host, port }: Host, settings: Settings): ClientConfig {
  const { user, password, database, applicationName, options: given, connectTimeoutMs } = settings;
  return {
    host,
    port,
    ...(user === undefined ? {} : { user }),
    ...(password === undefined ? {} : { password }),
    ...(database === undefined ? {} : { database }),
    ...(given === undefined ? {} : { options: given }),
    application_name: applicationName ?? DAEMON,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
  };
}

/** Settings of the connection's limits, in milliseconds. */
interface Limits {
  readonly statement: number;
  readonly idleInTransaction?: number;
}

/**
 * Configures a connection for a daemon. It uses SET, because poolers reject unknown start parameters. Rejects with
 * UnsuitableServerError if the server is read-only.
 */
export async function setUp(
  client: Client,
  admit: Admission,
  { statement, idleInTransaction }: Limits,
): Promise<void> {
  const limits = [
    `SET statement_timeout = ${statement}`,
    ...(idleInTransaction === undefined
      ? []
      : [`SET idle_in_transaction_session_timeout = ${idleInTransaction}`]),
  ];
  await client.query(limits.join(';'));
  const identity = await identityOf(client);
  if (identity.isPooled) behindPooler.add(client);
  admit(identity);
}

/** Opens a connection for reads. */
export function connectReader(
  url: string,
  admit: Admission,
  lost: (client: Client) => void,
): Promise<Client> {
  return connect(url, lost, { query_timeout: QUERY_TIMEOUT_MS }, (client) =>
    setUp(client, admit, { statement: QUERY_TIMEOUT_MS }),
  );
}

/**
 * Opens the connection of this process's writer. Its commits wait for the disk, even if the server is configured
 * otherwise.
 */
export function connectWriter(
  url: string,
  admit: Admission,
  lost: (client: Client) => void,
): Promise<Client> {
  return connect(url, lost, { query_timeout: QUERY_TIMEOUT_MS }, async (client) => {
    await setUp(client, admit, { statement: QUERY_TIMEOUT_MS, idleInTransaction: STALLED_WRITE_MS });
    await client.query(
      "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'",
    );
    await installFunctions(client);
  });
}

/**
 * Opens the connection of this process's rate limiter. Its writes are worthless after a crash, so they do not wait for
 * the disk.
 */
export function connectLimiter(url: string, lost: (client: Client) => void): Promise<Client> {
  return connect(url, lost, { query_timeout: QUERY_TIMEOUT_MS }, async (client) => {
    await setUp(client, () => {}, { statement: QUERY_TIMEOUT_MS });
    await client.query('SET synchronous_commit = off');
    await installAdmit(client);
  });
}

/**
 * Opens a connection that receives notifications of commits. It has no time limits, because it is silent while nothing
 * is written.
 */
export function connectListener(
  url: string,
  admit: Admission,
  lost: (client: Client) => void,
): Promise<Client> {
  return connect(url, lost, {}, async (client) => admit(await identityOf(client)));
}

export interface Statement {
  readonly name: string;
  readonly text: string;
  readonly values: unknown[];
}

/** Returns the statement for this connection: prepared under its name, unless a pooler may share the session. */
export function prepared<Text extends Pick<Statement, 'name' | 'text'>>(
  client: object,
  statement: Text,
): Omit<Text, 'name'> {
  if (!behindPooler.has(client)) return statement;
  const { name: _, ...rest } = statement;
  return rest;
}

/** Ends a connection in any state, without waiting for the server. */
export function abandon(client: Client): void {
  client.end().catch(() => {});
}

/** Returns server and database for messages, without user and password. */
export function nameOf(client: Client): string {
  const where = client.host.startsWith('/') ? client.host : `${client.host}:${client.port}`;
  return `"${client.database ?? ''}" at ${where}`;
}

export { UnsuitableServerError };
