/**
 * The inspector's HTTP server.
 * Invariant: a connection has one request only, and an unread response costs no more than itself.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { GrowingBuffer } from '@underpass/wire';
import type { HostPort } from '../address.ts';
import { EventStream } from './event-stream.ts';
import { Guard } from './guard.ts';
import type { Inspector } from './inspector.ts';
import { type Asset, PAGE_POLICY, pageAsset } from './page.ts';
import { type Ends, mayAsk, userOfPeer } from './peer-user.ts';
import { type Answer, answerOf, answerTo, error, TooLarge } from './routes.ts';

const CONNECTIONS_MAX = 64;
const IDLE_MS = 30_000;
/** Ports after the wanted one that are tried. */
const PORTS_TRIED = 50;

/** Resolves with the user of a connection, or null if the system does not report it. */
type Identify = (ends: Ends) => Promise<number | null>;

export interface InspectorServer {
  readonly url: string;
  /** The URL that admits the agent's own user. It has the token if the system does not report the user of a connection. */
  readonly pageUrl: string;
  /** The required value of the header `X-Inspector-Token`. */
  readonly token: string;
  close(): void;
}

/** Listens there, or at the next port that is free. Rejects when there is none. */
export async function serveInspector(
  inspector: Inspector,
  wanted: HostPort,
  identify: Identify = userOfPeer,
): Promise<InspectorServer> {
  const token = randomBytes(18).toString('base64url');
  const run = randomBytes(6).toString('hex');
  let guard: Guard | null = null;
  const server = createServer({ requestTimeout: IDLE_MS, keepAlive: false }, (request, response) => {
    void serve({ inspector, token, run, guard, identify }, request, response).catch((failure) => {
      if (!isGone(failure)) process.emitWarning(failure instanceof Error ? failure : String(failure));
      response.destroy();
    });
  });
  // Further ones that a client sends at once are refused, so that one answer at a time waits for its reader.
  server.maxRequestsPerSocket = 1;
  server.maxConnections = CONNECTIONS_MAX;
  server.timeout = IDLE_MS;
  const port = await listen(server, wanted);
  guard = new Guard({ host: wanted.host, port }, token);
  const url = `http://${wanted.host.includes(':') ? `[${wanted.host}]` : wanted.host}:${port}`;
  return {
    url,
    pageUrl: (await isTold(wanted.host, port, identify)) ? url : `${url}/#token=${token}`,
    token,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function listen(server: Server, { host, port }: HostPort): Promise<number> {
  for (let tried = 0; ; tried++) {
    try {
      server.listen(port === 0 ? 0 : port + tried, host);
      await once(server, 'listening');
      break;
    } catch (failure) {
      if (!isTaken(failure) || tried === PORTS_TRIED || port + tried >= 65_535) throw failure;
    }
  }
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}

/** True if the system reports the user of a connection. The agent tests this with a connection of its own. */
async function isTold(host: string, port: number, identify: Identify): Promise<boolean> {
  const socket = connect({ host, port });
  try {
    await once(socket, 'connect');
    return mayAsk(await identify(farSideOf(socket)));
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

function farSideOf({ localAddress, localPort, remoteAddress, remotePort }: Socket): Ends {
  return {
    localAddress: remoteAddress,
    localPort: remotePort,
    remoteAddress: localAddress,
    remotePort: localPort,
  };
}

/**
 * The token for the page; '' for other users of this machine, and for unknown ones. A page without it requests it
 * from the user.
 */
async function tokenFor({ token, identify }: Context, { socket }: IncomingMessage): Promise<string> {
  return mayAsk(await identify(socket)) ? token : '';
}

function isTaken(failure: unknown): boolean {
  return failure instanceof Error && 'code' in failure && failure.code === 'EADDRINUSE';
}

interface Context {
  readonly inspector: Inspector;
  readonly token: string;
  readonly run: string;
  /** Null before it listens. */
  readonly guard: Guard | null;
  readonly identify: Identify;
}

async function serve(context: Context, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = URL.parse(request.url ?? '', 'http://inspector');
  if (url === null || context.guard === null) return await send(response, error(400, 'This is no path.'));
  const refusal = context.guard.refusal({ path: url.pathname, headers: request.headers });
  if (refusal !== null) return await send(response, error(403, refusal));
  const asset =
    request.method === 'GET' ? await pageAsset(url.pathname, () => tokenFor(context, request)) : null;
  if (asset !== null) return sendAsset(response, asset);
  if (request.method === 'GET' && url.pathname === '/api/events')
    return streamEvents(context, request, response);
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  const asking = {
    method: request.method ?? '',
    url,
    body: (max: number) => readBody(request, max),
    signal: gone.signal,
  };
  await send(response, await answerOf(context.inspector, asking).catch(answerTo));
}

function sendAsset(response: ServerResponse, { status, type, body }: Asset): void {
  response.writeHead(status, { ...SAFE, 'Content-Security-Policy': PAGE_POLICY, 'Content-Type': type });
  response.end(body);
}

/** Nothing that went by is ever a page, a script or a style of this origin. */
const SAFE = {
  Connection: 'close',
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
} as const;

async function send(response: ServerResponse, answer: Answer): Promise<void> {
  if ('pieces' in answer) {
    const disposition = `attachment; filename="${answer.fileName}"`;
    const headers = { 'Content-Type': 'application/json', 'Content-Disposition': disposition };
    response.writeHead(answer.status, { ...SAFE, ...headers });
    await pipeline(Readable.from(answer.pieces), response);
    return;
  }
  const [type, body] = contentOf(answer);
  response.writeHead(answer.status, {
    ...SAFE,
    'Content-Type': type,
    'Content-Length': Buffer.byteLength(body),
  });
  response.end(body);
}

function contentOf(
  answer: Exclude<Answer, { readonly pieces: unknown }>,
): readonly [string, string | Buffer] {
  if ('json' in answer) return ['application/json', `${JSON.stringify(answer.json)}\n`];
  if ('text' in answer) return ['text/plain; charset=utf-8', answer.text];
  return ['application/octet-stream', answer.bytes];
}

function streamEvents({ inspector, run }: Context, request: IncomingMessage, response: ServerResponse): void {
  const lastEventId = request.headers['last-event-id'];
  response.writeHead(200, { ...SAFE, 'Content-Type': 'text/event-stream' });
  new EventStream({
    sink: response,
    store: inspector.store,
    run,
    status: () => inspector.status,
    watchStatus: (changed) => inspector.watchStatus(changed),
    lastEventId: typeof lastEventId === 'string' ? lastEventId : null,
  });
}

async function readBody(request: IncomingMessage, max: number): Promise<string> {
  const body = new GrowingBuffer();
  for await (const chunk of request as AsyncIterable<Buffer>) {
    if (body.length + chunk.length > max) throw new TooLarge(`No more than ${max} bytes are taken here.`);
    body.append(chunk);
  }
  return body.bytes.toString('utf8');
}

function isGone(failure: unknown): boolean {
  return (
    failure instanceof Error &&
    'code' in failure &&
    String(failure.code).match(/PREMATURE_CLOSE|ECONNRESET|EPIPE|ABORT/) !== null
  );
}
