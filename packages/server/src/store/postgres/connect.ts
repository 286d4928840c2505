/** Connections to the server, each set up for what it is used for. */
import { Client, type ClientConfig, Pool } from 'pg';
import { installAdmit } from './admit.ts';
import { installFunctions } from './apply.ts';
import { connectTimeoutMs } from './connect-timeout.ts';

/** Beyond this a server that does not answer counts as away, in milliseconds. */
const QUERY_TIMEOUT_MS = 15_000;
/** Whoever stops in the middle of a write gives the lock back after this, in milliseconds: all writers of all daemons wait for it. */
const STALLED_WRITE_MS = 10_000;
const READERS = 8;
/** These stay when nothing is read for a while: making a new one would delay the first change of a quiet time at the other daemons. */
const LASTING_READERS = 2;
/** What the server shows of a daemon's connections. */
export const DAEMON = 'underpassd';

function options(url: string): ClientConfig {
  return {
    connectionString: url,
    application_name: DAEMON,
    connectionTimeoutMillis: connectTimeoutMs(url) ?? undefined,
    keepAlive: true,
  };
}

/** A connection that is open; its owner is told by `lost` when it ends by itself. */
export async function connect(
  url: string,
  lost: (client: Client) => void = () => {},
  more: ClientConfig = {},
): Promise<Client> {
  const client = new Client({ ...options(url), ...more });
  // Without a listener the error of an idle connection would end the process.
  client.on('error', () => {});
  await client.connect();
  client.on('end', () => lost(client));
  return client;
}

/** The connection of this process's one writer. A server that is told not to wait for its disk waits here all the same. */
export async function connectWriter(url: string, lost: (client: Client) => void): Promise<Client> {
  const client = await connect(url, lost, {
    query_timeout: QUERY_TIMEOUT_MS,
    statement_timeout: QUERY_TIMEOUT_MS,
    idle_in_transaction_session_timeout: STALLED_WRITE_MS,
  });
  try {
    await client.query(
      "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'",
    );
    await installFunctions(client);
    return client;
  } catch (error) {
    abandon(client);
    throw error;
  }
}

/** The connection of this process's rate limiter: what it writes is worth nothing after a crash, and waits for no disk. */
export async function connectLimiter(url: string, lost: (client: Client) => void): Promise<Client> {
  const client = await connect(url, lost, {
    query_timeout: QUERY_TIMEOUT_MS,
    statement_timeout: QUERY_TIMEOUT_MS,
  });
  try {
    await client.query('SET synchronous_commit = off');
    await installAdmit(client);
    return client;
  } catch (error) {
    abandon(client);
    throw error;
  }
}

/** Connections that only read. */
export function connectReaders(url: string): Pool {
  const pool = new Pool({
    ...options(url),
    max: READERS,
    min: LASTING_READERS,
    allowExitOnIdle: true,
    query_timeout: QUERY_TIMEOUT_MS,
    statement_timeout: QUERY_TIMEOUT_MS,
  });
  // A connection that is lost while idle has left the pool already; the next read opens another.
  pool.on('error', () => {});
  return pool;
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
