/**
 * Connects an operator's command to the daemon that holds the database: a Unix socket beside the database's file. A
 * connection has one request at most, and a line of JSON each way.
 * On SQLite one process has the database. A command that runs in it cannot differ from it about ids, caches or
 * notified subscribers.
 */
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import type { Logger } from 'pino';
import type { Database } from '../store/databases/database.ts';
import type { JsonObject } from '../store/store.ts';
import { OperatorError } from './operator-error.ts';
import type { OperatorRequest, RestartRequest } from './requests.ts';

/** Bytes of a Unix socket's path that all supported systems accept. */
const LONGEST_PATH = 103;

interface ReadLimits {
  readonly silence: number;
  readonly longest: number;
}

/** Limits for clients: 5 s, 64 KiB. */
const WITH_CLIENTS: ReadLimits = { silence: 5_000, longest: 64 * 1024 };
/** Commands at a time, so that they cannot use up the file descriptors. */
const CONNECTIONS = 16;
const WITH_DAEMON: ReadLimits = { silence: 0, longest: Number.POSITIVE_INFINITY };

export type Reply = { readonly answer: JsonObject } | { readonly error: string };

export interface OperatorSocket {
  close(): Promise<void>;
}

/** Null where commands reach the database by themselves. */
export function socketPath(database: Database): string | null {
  return database.kind === 'sqlite' ? join(dirname(database.path), 'underpass.sock') : null;
}

/**
 * Listens at `path`, for the owner of the process only. The lock on the database proves that an existing socket is
 * stale. Null if no socket is possible: the daemon is of use without one.
 */
export async function listenForOperators<Request extends OperatorRequest | RestartRequest>(
  path: string,
  perform: (request: Request) => Promise<JsonObject>,
  log: Logger,
): Promise<OperatorSocket | null> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    void serve(socket, perform, log);
  });
  server.maxConnections = CONNECTIONS;
  try {
    await listenPrivately(server, path);
  } catch (error) {
    log.warn(
      { err: error, path },
      'there is no socket for commands of operators, which need one while the daemon runs',
    );
    return null;
  }
  // Node removes the file.
  return { close: () => new Promise((resolve) => server.close(() => resolve())) };
}

async function listenPrivately(server: Server, path: string): Promise<void> {
  if (Buffer.byteLength(path) > LONGEST_PATH)
    throw new Error(`the path is longer than the ${LONGEST_PATH} bytes that an address may have`);
  rmSync(path, { force: true });
  // From its first moment no other user can open the socket.
  const mask = process.umask(0o177);
  try {
    server.listen(path);
  } finally {
    process.umask(mask);
  }
  await once(server, 'listening');
}

async function serve<Request extends OperatorRequest | RestartRequest>(
  socket: Socket,
  perform: (request: Request) => Promise<JsonObject>,
  log: Logger,
): Promise<void> {
  socket.on('error', () => socket.destroy());
  const reply = await readLine(socket, WITH_CLIENTS)
    .then(async (line): Promise<Reply> => {
      const request = JSON.parse(line) as Request;
      const answer = await perform(request);
      log.info({ operation: request.operation }, 'operator command done');
      return { answer };
    })
    .catch((error: unknown): Reply => {
      if (error instanceof OperatorError) return { error: error.message };
      log.error({ err: error }, 'operator command failed');
      return { error: 'the daemon could not do it: its log has the reason; mend that, then try again' };
    });
  // A client that keeps its own half open must not delay the end of the daemon.
  socket.end(`${JSON.stringify(reply)}\n`, () => socket.destroy());
}

/** Returns null if no daemon listens there. Rejects with OperatorError if the daemon refuses. */
export async function askDaemon(
  path: string,
  request: OperatorRequest | RestartRequest,
): Promise<JsonObject | null> {
  if (Buffer.byteLength(path) > LONGEST_PATH) return null;
  const socket = connect(path);
  try {
    await once(socket, 'connect');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ECONNREFUSED' || code === 'ENOTDIR') return null;
    throw new OperatorError(
      `the daemon cannot be reached through ${path}: ${message}. Run this command as the user of the daemon.`,
      { cause: error },
    );
  }
  socket.write(`${JSON.stringify(request)}\n`);
  const reply = JSON.parse(await readLine(socket, WITH_DAEMON).catch(unanswered)) as Reply;
  socket.destroy();
  if ('error' in reply) throw new OperatorError(reply.error);
  return reply.answer;
}

function unanswered(cause: unknown): never {
  throw new OperatorError('the daemon ended before it answered: look whether it was done, then try again', {
    cause,
  });
}

/** The first line that comes. `silence`: milliseconds without a byte after which it is given up, 0 for never. */
async function readLine(socket: Socket, { silence, longest }: ReadLimits): Promise<string> {
  socket.setTimeout(silence, () => socket.destroy());
  socket.setEncoding('utf8');
  let text = '';
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    text += chunk;
    const end = text.indexOf('\n');
    if (end >= 0) {
      socket.setTimeout(0);
      return text.slice(0, end);
    }
    if (text.length > longest) break;
  }
  throw new Error('the connection ended before the line did');
}
