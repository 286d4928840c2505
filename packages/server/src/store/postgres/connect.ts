/** Connections to the primary server, each set up for its use. */
import { Client, type ClientConfig, DatabaseError } from 'pg';
import { installAdmit } from './admit.ts';
import { installFunctions } from './apply.ts';
import { isWorthAnotherWay, UnsuitableServerError } from './failure.ts';
import { type Identity, identityOf } from './identity.ts';
import { type Host, parseSettings, type Settings } from './settings.ts';
import { waysTo } from './tls.ts';

/** Beyond this a server that does not answer counts as away, in milliseconds. */
export const QUERY_TIMEOUT_MS = 15_000;
/** A writer that stops in the middle of a write gives the lock back after this, in milliseconds: all writers of all daemons wait for it. */
const STALLED_WRITE_MS = 10_000;
/** The name of a daemon's connections in the server's views. */
export const DAEMON = 'underpassd';

/** Judges the server of a new connection before it is used. Throws UnsuitableServerError. */
export type Admission = (identity: Identity) => void;

/** Connections behind a pooler: its clients follow each other on one session, so that names of statements may be taken. */
const behindPooler = new WeakSet<object>();

/**
 * A connection that is open; its owner is told by `lost` when it ends by itself. Hosts are tried in their order. `accept` runs on each
 * connection; one that it rejects is closed, and the next host is tried.
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
    // Without a listener the error of an idle connection would end the process.
    client.on('error', () => {});
    try {
      await client.connect();
      await accept(client);
      return client;
    } catch (error) {
      abandon(client);
      // The server's own answer says more than that it has no TLS.
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

/** The part that the connection's limits have in its set-up, in milliseconds. */
interface Limits {
  readonly statement: number;
  readonly idleInTransaction?: number;
}

/**
 * Sets a connection up for a daemon. By SET and not as parameters of the start: poolers refuse those that they do not know.
 * Rejects with UnsuitableServerError for a server that cannot be written to.
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

/** A connection that only reads. */
export function connectReader(
  url: string,
  admit: Admission,
  lost: (client: Client) => void,
): Promise<Client> {
  return connect(url, lost, { query_timeout: QUERY_TIMEOUT_MS }, (client) =>
    setUp(client, admit, { statement: QUERY_TIMEOUT_MS }),
  );
}

/** The connection of this process's one writer. A server that is told not to wait for its disk waits here all the same. */
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

/** The connection of this process's rate limiter: what it writes is worth nothing after a crash, and waits for no disk. */
export function connectLimiter(url: string, lost: (client: Client) => void): Promise<Client> {
  return connect(url, lost, { query_timeout: QUERY_TIMEOUT_MS }, async (client) => {
    await setUp(client, () => {}, { statement: QUERY_TIMEOUT_MS });
    await client.query('SET synchronous_commit = off');
    await installAdmit(client);
  });
}

/** A connection that hears of commits. It is silent for as long as nothing is written, so that it has no limits. */
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

/** The statement as this connection takes it: prepared once under its name, unless a pooler may give the session to others. */
export function prepared<Text extends Pick<Statement, 'name' | 'text'>>(
  client: object,
  statement: Text,
): Omit<Text, 'name'> {
  if (!behindPooler.has(client)) return statement;
  const { name: _, ...rest } = statement;
  return rest;
}

/** Ends a connection whatever state it is in; does not wait for the server. */
export function abandon(client: Client): void {
  client.end().catch(() => {});
}

/** Which server and database, without user and password: for messages. */
export function nameOf(client: Client): string {
  const where = client.host.startsWith('/') ? client.host : `${client.host}:${client.port}`;
  return `"${client.database ?? ''}" at ${where}`;
}

export { UnsuitableServerError };
