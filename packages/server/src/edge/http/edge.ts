/** The HTTP engine: visitors' sockets in, requests to backends out. One connection's life is in connection.ts, and in http2-connection.ts. */
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import type { UserHeaders } from '../../core/modules/user-headers.ts';
import type { Hostname, HostPattern } from '../../core/names/hostname.ts';
import type { Streams } from '../backends/streams.ts';
import { type BodyRecordings, noRecordings } from '../sites/body-recording.ts';
import type { Observe, Recorded } from '../sites/exchange-record.ts';
import type { Sites } from '../sites/sites.ts';
import { Connection } from './connection.ts';
import type { HttpConnection } from './http-connection.ts';
import { VisitorHttp2 } from './http2-connection.ts';
import { DEFAULT_LIMITS, type HttpLimits } from './limits.ts';
import { OwnAnswers } from './own-answers.ts';
import type { Served } from './served.ts';
import { type ExpectedAgents, Shared } from './shared.ts';

export interface HttpEdgeOptions {
  readonly sites: Sites;
  readonly streams: Streams;
  /** The prefix of error codes; ends in an underscore. */
  readonly errorPrefix: string;
  /** The response header that has the code of an error of the edge's own, in lower case. */
  readonly errorCodeHeader: string;
  /** The request headers in which backends receive the logged-in user. */
  readonly userHeaders: UserHeaders;
  /** The port of public URLs, which Host may name besides 443. */
  readonly publicPort: number;
  /** The same for plain HTTP; absent or null: there is none. */
  readonly plainPort?: number | null;
  /** The shared domain. */
  readonly domain: Hostname;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  readonly limits?: Partial<HttpLimits>;
  /** Once per request, when its answer is complete or given up. */
  readonly observe?: Observe;
  /** Returns the detail of records for an account's requests; default: the outcome. */
  readonly recorded?: (account: string) => Recorded;
  /** Absent: no bodies are recorded. */
  readonly recordings?: BodyRecordings;
  /** Absent: visitors wait for no agent. */
  readonly expected?: ExpectedAgents;
  readonly log: Pick<Logger, 'error'>;
}

const SWEEP_MS = 1000;
const outcomes = (): Recorded => 'outcome';

export class HttpEdge {
  /** Responses for connections that are not served here. */
  readonly own: OwnAnswers;
  readonly #shared: Shared;
  readonly #connections = new Set<Served>();
  readonly #sweeper: NodeJS.Timeout;
  #emptied: (() => void) | null = null;
  #closing = false;

  constructor({
    limits: given,
    observe,
    recorded = outcomes,
    recordings,
    expected,
    ...rest
  }: HttpEdgeOptions) {
    const limits = { ...DEFAULT_LIMITS, ...given };
    this.#shared = new Shared({
      ...rest,
      ownNames: [rest.errorCodeHeader, ...Object.values(rest.userHeaders)],
      plainPort: rest.plainPort ?? null,
      limits,
      observe: observe ?? null,
      expected: expected ?? null,
      recorded,
      recordings: recordings ?? noRecordings,
    });
    this.own = new OwnAnswers(this.#shared);
    this.#sweeper = setInterval(() => this.sweep(), SWEEP_MS).unref();
  }

  get connections(): number {
    return this.#connections.size;
  }

  /** Takes the socket over for good. Returns the connection if it can be closed when idle; null if it was closed. */
  serve(socket: Socket, connection: HttpConnection): Pick<Served, 'destroyIfIdle'> | null {
    if (this.#closing || socket.destroyed) {
      socket.on('error', () => {});
      socket.destroy();
      return null;
    }
    const Speaking = connection.isHttp2 === true ? VisitorHttp2 : Connection;
    const served = new Speaking(this.#shared, socket, connection, this.#forget);
    this.#connections.add(served);
    return served;
  }

  /**
   * Checks requests again after sites changed, and ends those that are no longer allowed. `pattern` covers the changed
   * names; null for all.
   */
  recheck(pattern: HostPattern | null): void {
    for (const connection of this.#connections) connection.recheck(pattern);
  }

  /** Ends what has been still for too long. Runs every second. */
  sweep(): void {
    this.#shared.tick();
    for (const connection of this.#connections) connection.sweep();
    this.#shared.streams.sweep(this.#shared.clock);
  }

  /** Makes each further response the last one of its connection. New connections are served. */
  drain(): void {
    this.#shared.draining = true;
  }

  /**
   * Lets running exchanges end, and those that begin within `quietMs`; closes connections that have none then, and everything after
   * `deadlineMs`. Takes no further connections.
   */
  async close(deadlineMs: number, quietMs = 0): Promise<void> {
    this.drain();
    this.#closing = true;
    const endQuiet = (): void => {
      for (const connection of this.#connections) connection.drain();
    };
    const quiet = quietMs > 0 ? setTimeout(endQuiet, quietMs) : undefined;
    if (quiet === undefined) endQuiet();
    if (this.#connections.size > 0) await this.#empty(deadlineMs);
    clearTimeout(quiet);
    clearInterval(this.#sweeper);
    this.#shared.streams.close();
  }

  #empty(deadlineMs: number): Promise<void> {
    return new Promise((resolve) => {
      const deadline = setTimeout(() => {
        for (const connection of this.#connections) connection.destroy();
      }, deadlineMs);
      this.#emptied = () => {
        clearTimeout(deadline);
        resolve();
      };
    });
  }

  readonly #forget = (connection: Served): void => {
    this.#connections.delete(connection);
    if (this.#connections.size === 0) this.#emptied?.();
  };
}
