/**
 * The admin listener: health and Prometheus metrics over plain HTTP, for the operator's own network. Never that it writes or
 * shows a secret.
 */
import { createServer, isIP } from 'node:net';
import type { Logger } from 'pino';
import type { ListenAddress } from './core/settings.ts';
import type { Purpose, Readiness } from './health/readiness.ts';
import type { Answer } from './http-server/answer.ts';
import type { Request } from './http-server/request.ts';
import { HttpServer } from './http-server/server.ts';
import type { Timeouts } from './http-server/timeouts.ts';
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
  const http = new HttpServer(
    { perSource: PER_SOURCE, total: shown.connections },
    {
      timeouts: TIMEOUTS,
      headLimit: HEAD_LIMIT,
      onRequest: (request) => void respond(request, shown, log),
      onFault: (sender) => sender.refuse(text(400, 'this is no request that could be answered\n')),
      crashed: (error) => log.warn({ err: error }, 'a connection to the admin listener failed'),
    },
  );
  const server = createServer({ noDelay: true }, (socket) => http.serve(socket));
  await listen(server, address);
  // Out of file descriptors, as a rule: that it cannot be scraped now must not look like a fault of the daemon.
  server.on('error', (error: NodeJS.ErrnoException) => {
    shown.metrics.acceptFailed(error.code ?? '');
    log.warn({ err: error }, 'the admin listener could not accept a connection');
  });
  return {
    async close(deadlineMs) {
      const closed = new Promise((resolve) => server.close(resolve));
      await http.close(deadlineMs);
      await closed;
    },
  };
}

/** Never rejects. */
async function respond(request: Request, shown: Shown, log: Pick<Logger, 'warn'>): Promise<void> {
  try {
    request.answer(await answerTo(request, shown));
  } catch (error) {
    log.warn({ err: error }, 'the admin listener could not answer');
    request.destroy();
  }
}

async function answerTo(request: Request, { metrics, readiness }: Shown): Promise<Answer> {
  if (!isLocalAudience(request)) return text(403, 'this listener answers to its address, not to web pages\n');
  if (request.method !== 'GET' && request.method !== 'HEAD') return text(405, 'only GET and HEAD\n');
  switch (request.target) {
    case '/healthz':
      return text(200, 'ok\n');
    case '/readyz':
      return readyAnswer(readiness, 'traffic');
    case '/readyz?for=api':
      return readyAnswer(readiness, 'api');
    case '/metrics':
      return {
        status: 200,
        headers: [['Content-Type', metrics.contentType]],
        body: await metrics.text(),
      };
    default:
      return text(404, 'there are /healthz, /readyz, /readyz?for=api and /metrics\n');
  }
}

/** Refuses requests that a web page in some browser made: a foreign Origin, or a name that was rebound to this address. */
function isLocalAudience({ headers }: Request): boolean {
  if (headers.has('origin')) return false;
  const host = (headers.get('host') ?? '').replace(/:\d+$/, '').replace(/^\[|\]$/g, '');
  return host === 'localhost' || isIP(host) !== 0;
}

async function readyAnswer(readiness: Readiness, purpose: Purpose): Promise<Answer> {
  const [reasons, warnings] = await Promise.all([readiness.reasons(purpose), readiness.warnings(purpose)]);
  const ready = reasons.length === 0;
  return {
    status: ready ? 200 : 503,
    headers: [
      ['Content-Type', 'application/json'],
      ['Cache-Control', 'no-store'],
    ],
    body: `${JSON.stringify({ ready, reasons, warnings })}\n`,
  };
}

function text(status: number, body: string): Answer {
  return { status, headers: [['Content-Type', 'text/plain; charset=utf-8']], body };
}
