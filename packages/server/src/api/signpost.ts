/**
 * Redirects browsers that open the bare domain or `connect.<domain>` to the console. Other requests get a text with the
 * addresses of the service.
 * Invariant: no response contains anything of its request.
 */
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Logger } from 'pino';
import { type ConnectionAddresses, ipOf } from '../core/ip/client-address.ts';
import { connectAddress, consoleUrl } from '../core/service-names.ts';
import type { Settings } from '../core/settings.ts';
import type { Answer } from '../http-server/answer.ts';
import type { ConnectionLimits } from '../http-server/connections.ts';
import type { Request } from '../http-server/request.ts';
import { HttpServer } from '../http-server/server.ts';
import type { Timeouts } from '../http-server/timeouts.ts';
import { asksForPage } from './content.ts';
import { splitTarget } from './query.ts';

const HEAD_LIMIT = 16 * 1024;
const TIMEOUTS: Timeouts = { head: 10_000, request: 10_000, keepAlive: 5_000, silence: 15_000 };
const CONNECTIONS: ConnectionLimits = { perSource: 32, total: 256 };
const REDIRECT = 302;
const MALFORMED = 'This is no request that could be answered.\n';

export type SignpostSettings = Pick<Settings, 'domain' | 'baseUrl' | 'consoleHost' | 'publicPort'>;

/** Ways in which a request ends. Refused: it was malformed, unfinished, or on a connection too many. */
export const signpostResults = ['redirected', 'not_found', 'refused'] as const;
export type SignpostResult = (typeof signpostResults)[number];

export interface SignpostOptions {
  readonly settings: SignpostSettings;
  readonly observe: (result: SignpostResult) => void;
  readonly log: Pick<Logger, 'error'>;
  readonly timeouts?: Timeouts;
}

export class Signpost {
  readonly readAhead = HEAD_LIMIT;
  readonly alpn: readonly string[] = ['h2', 'http/1.1', 'http/1.0'];
  readonly #server: HttpServer;

  constructor({ settings, observe, log, timeouts = TIMEOUTS }: SignpostOptions) {
    this.#server = new HttpServer(CONNECTIONS, {
      timeouts,
      headLimit: HEAD_LIMIT,
      onRequest(request) {
        const answer = signpostAnswer(request, settings);
        observe(answer.status === REDIRECT ? 'redirected' : 'not_found');
        request.answer(answer);
      },
      onFault(sender) {
        observe('refused');
        sender.refuse(plain(400, MALFORMED));
      },
      crashed: (error) => log.error({ err: error }, 'a connection to the bare domain failed'),
    });
  }

  serve(socket: TLSSocket | Socket, { clientAddr }: Pick<ConnectionAddresses, 'clientAddr'>): void {
    this.#server.serve(socket, ipOf(clientAddr));
  }

  /** Finishes open requests, and cuts them after the deadline. */
  close(deadlineMs: number): Promise<void> {
    return this.#server.close(deadlineMs);
  }
}

/** Redirects a browser that opens `/`. A mistyped path does not lead to the console, since it was meant for something else. */
export function signpostAnswer(
  { method, target, headers }: Pick<Request, 'method' | 'target' | 'headers'>,
  settings: SignpostSettings,
): Answer {
  const isReading = method === 'GET' || method === 'HEAD';
  const isHome = splitTarget(target).pathname === '/';
  if (!isReading || !isHome || !asksForPage(headers.get('accept'))) return plain(404, addresses(settings));
  return {
    status: REDIRECT,
    headers: [['location', `${consoleUrl(settings)}/ui/`], ['vary', 'accept'], ...kept],
    body: null,
  };
}

function addresses(settings: SignpostSettings): string {
  const lines = [
    'Nothing is served here.',
    `The console is at ${consoleUrl(settings)}/ui/`,
    `The API is at ${settings.baseUrl}, and its page at ${settings.baseUrl}/docs`,
    `Agents connect to ${connectAddress(settings)}`,
  ];
  return `${lines.join('\n')}\n`;
}

/** The redirect ends with the setting that it follows, so no client keeps it. */
const kept = [
  ['cache-control', 'no-store'],
  ['x-content-type-options', 'nosniff'],
  ['referrer-policy', 'no-referrer'],
  ['content-security-policy', "default-src 'none'; frame-ancestors 'none'"],
] as const;

function plain(status: number, body: string): Answer {
  return {
    status,
    headers: [['content-type', 'text/plain; charset=utf-8'], ['vary', 'accept'], ...kept],
    body,
  };
}
