/**
 * The admin listener: health and Prometheus metrics over plain HTTP, for the operator's own network.
 *
 * Invariant: it changes nothing and shows no secret.
 */
import { createServer } from 'node:net';
import type { Logger } from 'pino';
import { splitTarget } from '../api/query.ts';
import type { ListenAddress } from '../core/settings.ts';
import type { Purpose, Readiness } from '../health/readiness.ts';
import type { Answer } from '../http-server/answer.ts';
import type { Request } from '../http-server/request.ts';
import { HttpServer } from '../http-server/server.ts';
import type { Timeouts } from '../http-server/timeouts.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { listen } from '../system/listen.ts';
import { isServed } from './admin-audience.ts';

const TIMEOUTS: Timeouts = { head: 10_000, request: 10_000, keepAlive: 5_000, silence: 30_000 };
const PER_SOURCE = 64;
const HEAD_LIMIT = 16 * 1024;
const NO_STORE = ['Cache-Control', 'no-store'] as const;
const NO_BROWSERS =
  'this listener serves programs, and browsers only at its address; let them use another name with --admin-host NAME\n';
const PATHS = 'there are /healthz, /readyz, /readyz?for=api and /metrics\n';

export interface Shown {
  readonly metrics: Pick<Metrics, 'contentType' | 'text' | 'acceptFailed'>;
  readonly readiness: Pick<Readiness, 'reasons' | 'warnings'>;
  /** Number of connections at a time. */
  readonly connections: number;
  /** Host names that browsers may use, in lower case. */
  readonly hosts: readonly string[];
}

export interface Admin {
  /** Waits for responses in progress, and cuts the remaining ones after the deadline. */
  close(deadlineMs: number): Promise<void>;
}

/** Serves until `close`. Rejects with ListenError. */
export async function startAdmin(
  address: ListenAddress,
  shown: Shown,
  log: Pick<Logger, 'warn'>,
): Promise<Admin> {
  const hosts = new Set(shown.hosts);
  const http = new HttpServer(
    { perSource: PER_SOURCE, total: shown.connections },
    {
      timeouts: TIMEOUTS,
      headLimit: HEAD_LIMIT,
      onRequest: (request) => void respond(request, { ...shown, hosts }, log),
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

type Known = Omit<Shown, 'hosts'> & { readonly hosts: ReadonlySet<string> };

/** Never rejects. */
async function respond(request: Request, shown: Known, log: Pick<Logger, 'warn'>): Promise<void> {
  try {
    request.answer(await answerTo(request, shown));
  } catch (error) {
    log.warn({ err: error }, 'the admin listener could not answer');
    request.destroy();
  }
}

async function answerTo({ headers, method, target }: Request, known: Known): Promise<Answer> {
  if (!isServed(headers, known.hosts)) return text(403, NO_BROWSERS);
  const document = documentAt(target, known);
  if (method === 'OPTIONS' && (document !== null || target === '*' || target === '/')) return allowed(204);
  if (method !== 'GET' && method !== 'HEAD') return allowed(405);
  return document === null ? text(404, PATHS) : document();
}

/** Null if there is nothing at the target. A query means something for `/readyz` only. */
function documentAt(target: string, { metrics, readiness }: Known): (() => Answer | Promise<Answer>) | null {
  const { pathname, query } = splitTarget(target);
  switch (pathname) {
    case '/healthz':
      return () => text(200, 'ok\n');
    case '/readyz':
      if (query !== '' && query !== 'for=api') return null;
      return () => readyAnswer(readiness, query === '' ? 'traffic' : 'api');
    case '/metrics':
      return async () => answer(200, metrics.contentType, await metrics.text());
    default:
      return null;
  }
}

async function readyAnswer(readiness: Shown['readiness'], purpose: Purpose): Promise<Answer> {
  const [reasons, warnings] = await Promise.all([readiness.reasons(purpose), readiness.warnings(purpose)]);
  const ready = reasons.length === 0;
  const body = JSON.stringify({ ready, reasons, warnings });
  return answer(ready ? 200 : 503, 'application/json', `${body}\n`);
}

function text(status: number, body: string): Answer {
  return answer(status, 'text/plain; charset=utf-8', body);
}

/** Every method that there is, as an answer to OPTIONS or to a method that there is not. */
function allowed(status: 204 | 405): Answer {
  const { headers, body } = text(status, 'only GET, HEAD and OPTIONS\n');
  const allow = ['Allow', 'GET, HEAD, OPTIONS'] as const;
  if (status === 204) return { status, headers: [allow, NO_STORE], body: null };
  return { status, headers: [...headers, allow], body };
}

function answer(status: number, contentType: string, body: string): Answer {
  return { status, headers: [['Content-Type', contentType], NO_STORE], body };
}
