/**
 * Visitors with a new connection for each request, and a record of each visit. The port of the visitor finds the visit
 * in the log of a balancer.
 */
import type { LookupFunction } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { connect, createSecureContext, type SecureContext } from 'node:tls';
import { closing } from '../harness/index.ts';

export interface FreshVisit {
  readonly host: string;
  /** The visitor's port; 0 if no connection was made. */
  readonly localPort: number;
  /** Milliseconds of `performance.now()`. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** 0: the connection ended before a whole response. */
  readonly status: number;
  /** Digits of the error code of the edge; '' without one. */
  readonly code: string;
  readonly text: string;
}

/** Milliseconds between the first and the last connection that wait to be accepted when a port closes. */
const MOMENT_MS = 50;

/** Returns true if the visits can be those that waited to be accepted when a port closed: the system resets them. */
export function areOfOneMoment(lost: readonly FreshVisit[]): boolean {
  const begins = lost.map(({ startedAt }) => startedAt);
  return (
    lost.every(({ status }) => status === 0) &&
    (begins.length === 0 || Math.max(...begins) - Math.min(...begins) < MOMENT_MS)
  );
}

/** Milliseconds before a visitor retries that was refused. */
const AWAY_MS = 20;

export interface FreshVisitorsOptions {
  readonly port: number;
  readonly ca: string;
  /** Resolves each name; all names are at 127.0.0.1 by default. */
  readonly lookup?: LookupFunction;
  /** The visitors' own address. */
  readonly from?: string;
}

export class FreshVisitors {
  readonly visits: FreshVisit[] = [];
  readonly #route: object;
  readonly #port: number;
  readonly #secureContext: SecureContext;
  readonly #over = new AbortController();
  #running: readonly Promise<void>[] = [];

  constructor({ port, ca, lookup, from }: FreshVisitorsOptions) {
    this.#port = port;
    this.#route = {
      ...(lookup === undefined ? { host: '127.0.0.1' } : { lookup }),
      ...(from === undefined ? {} : { localAddress: from }),
    };
    this.#secureContext = createSecureContext({ ca });
  }

  /** Starts visitors, of whom each requests these names in turn. */
  start(count: number, hosts: readonly string[]): void {
    this.#running = Array.from({ length: count }, async (_, visitor) => {
      for (let n = visitor; !this.#over.signal.aborted; n++) {
        const { status } = await this.visit(hosts[n % hosts.length]!);
        if (status !== 200) await pause(AWAY_MS);
      }
    });
  }

  async stop(): Promise<void> {
    this.#over.abort();
    await Promise.all(this.#running);
  }

  async visit(host: string): Promise<FreshVisit> {
    const startedAt = performance.now();
    const { text, localPort } = await this.#exchange(host);
    const [head = '', body = ''] = text.split('\r\n\r\n');
    const isWhole = Number(/^content-length: *(\d+)\r?$/im.exec(head)?.[1]) === body.length;
    const visit = {
      ...{ host, localPort, startedAt, endedAt: performance.now() },
      status: isWhole ? Number(head.slice(9, 12)) : 0,
      code: /^underpass-error-code: *\w*?_(\d+)\r?$/im.exec(head)?.[1] ?? '',
      text: body,
    };
    this.visits.push(visit);
    return visit;
  }

  async #exchange(host: string): Promise<{ readonly text: string; readonly localPort: number }> {
    const options = { host, ...this.#route, port: this.#port, servername: host };
    const socket = connect({ ...options, secureContext: this.#secureContext });
    let text = '';
    let localPort = 0;
    socket.on('connect', () => {
      localPort = socket.localPort ?? 0;
    });
    socket.setEncoding('latin1').on('data', (piece: string) => {
      text += piece;
    });
    socket.on('error', () => {}).on('end', () => socket.end());
    socket.write(`GET / HTTP/1.1\r\nHost: ${host}:${this.#port}\r\nConnection: close\r\n\r\n`);
    await closing(socket);
    return { text, localPort };
  }
}
