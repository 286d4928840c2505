/**
 * The admin listener: health and Prometheus metrics over plain HTTP, for the operator's own network. Never that it writes or
 * shows a secret.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, isIP } from 'node:net';
import type { Logger } from 'pino';
import type { ListenAddress } from './core/settings.ts';
import type { Readiness } from './health/readiness.ts';
import { Connections } from './http-server/connections.ts';
import { createHttpServer, type Timeouts } from './http-server/server.ts';
import type { Metrics } from './metrics/metrics.ts';
import { listen } from './system/listen.ts';

const TIMEOUTS: Timeouts = { head: 10_000, request: 10_000, keepAlive: 5_000, silence: 30_000 };
const PER_SOURCE = 64;
const HEAD_LIMIT = 16 * 1024;

export interface Shown {
  readonly metrics: Pick<Metrics, 'contentType' | 'text' | 'acceptFailed'>;
  readonly readiness: Readiness;
  /** How many there may be at a time. */
  readonly connections: number;
}

export interface Admin {
  /** Lets what is asked be answered; what is still open after the deadline is cut. */
  close(deadlineMs: number): Promise<void>;
}

/** Serves until `close`. Rejects with ListenError. */
export async function startAdmin(
  address: ListenAddress,
  shown: Shown,
  log: Pick<Logger, 'warn'>,
): Promise<Admin> {
  const connections = new Connections({ perSource: PER_SOURCE, total: shown.connections });
  const http = createHttpServer(
    { connections, timeouts: TIMEOUTS, headLimit: HEAD_LIMIT },
    (request, response) => {
      respond(request, response, shown).catch((error: unknown) => response.destroy(error as Error));
    },
  );
  const server = createServer({ noDelay: true }, (socket) => {
    const connection = connections.add(socket);
    if (connection?.surplus) connection.stream.destroy();
    else if (connection !== null) http.emit('connection', connection.stream);
  });
  await listen(server, address);
  // Out of file descriptors, as a rule: that it cannot be scraped now must not look like a fault of the daemon.
  server.on('error', (error: NodeJS.ErrnoException) => {
    shown.metrics.acceptFailed(error.code ?? '');
    log.warn({ err: error }, 'the admin listener could not accept a connection');
  });
  return {
    async close(deadlineMs) {
      const closed = new Promise((resolve) => server.close(resolve));
      await connections.close(deadlineMs);
      http.close();
      await closed;
    },
  };
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  { metrics, readiness }: Shown,
): Promise<void> {
  if (!isLocalAudience(request))
    return reply(response, 403, 'this listener answers to its address, not to web pages\n');
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return reply(response, 405, 'only GET and HEAD\n');
  switch (request.url) {
    case '/healthz':
      return reply(response, 200, 'ok\n');
    case '/readyz':
      return replyReadiness(response, readiness);
    case '/metrics':
      response.setHeader('content-type', metrics.contentType);
      response.end(await metrics.text());
      return;
    default:
      return reply(response, 404, 'there are /healthz, /readyz and /metrics\n');
  }
}

/** Refuses requests that a web page in some browser made: a foreign Origin, or a name that was rebound to this address. */
function isLocalAudience(request: IncomingMessage): boolean {
  if (request.headers.origin !== undefined) return false;
  const host = (request.headers.host ?? '').replace(/:\d+$/, '').replace(/^\[|\]$/g, '');
  return host === 'localhost' || isIP(host) !== 0;
}

async function replyReadiness(response: ServerResponse, readiness: Readiness): Promise<void> {
  const [reasons, warnings] = await Promise.all([readiness.reasons(), readiness.warnings()]);
  const ready = reasons.length === 0;
  response
    .writeHead(ready ? 200 : 503, { 'content-type': 'application/json', 'cache-control': 'no-store' })
    .end(`${JSON.stringify({ ready, reasons, warnings })}\n`);
}

function reply(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(text);
}
