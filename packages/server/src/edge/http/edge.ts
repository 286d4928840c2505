/**
 * The HTTP engine: visitors' TLS sockets in, requests to backends out.
 * In: terminated connections with the name that they are for. Out: answers. What may change here: what all connections share,
 * the sweep of deadlines and the orderly end; one connection's life is in connection.ts.
 */
import type { TLSSocket } from 'node:tls';
import type { Logger } from 'pino';
import type { Hostname } from '../../core/hostname.ts';
import type { OnlineTunnels } from '../../tunnels/online.ts';
import { TunnelStreams } from '../backends/tunnel-streams.ts';
import type { SourceShares } from '../source-shares.ts';
import type { Targets } from '../target.ts';
import type { ConnectionFacts } from './admit.ts';
import { Connection } from './connection.ts';
import { DEFAULT_LIMITS, type HttpLimits } from './limits.ts';
import { Shared } from './shared.ts';

export interface HttpEdgeOptions {
  readonly targets: Targets;
  readonly online: OnlineTunnels;
  readonly shares: SourceShares;
  /** Of error codes; ends in an underscore. */
  readonly errorPrefix: string;
  /** The response header that has the code of an error of the edge's own, in lower case. */
  readonly errorCodeHeader: string;
  /** The port of public URLs, which Host may name besides 443. */
  readonly publicPort: number;
  /** The shared domain. */
  readonly domain: Hostname;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  readonly limits?: Partial<HttpLimits>;
  /** Once per response, when it is complete or given up. */
  readonly observe?: (targetId: string, status: number, durationMs: number) => void;
  readonly log: Pick<Logger, 'error'>;
}

const SWEEP_MS = 1000;

export class HttpEdge {
  readonly #shared: Shared;
  readonly #connections = new Set<Connection>();
  readonly #sweeper: NodeJS.Timeout;
  #emptied: (() => void) | null = null;
  #closing = false;

  constructor({ online, shares, limits: given, observe, ...rest }: HttpEdgeOptions) {
    const limits = { ...DEFAULT_LIMITS, ...given };
    const streams = new TunnelStreams(online, shares, limits);
    this.#shared = new Shared({ ...rest, limits, streams, observe: observe ?? null });
    this.#sweeper = setInterval(() => this.sweep(), SWEEP_MS).unref();
  }

  get connections(): number {
    return this.#connections.size;
  }

  /** Ends an idle stream of an agent's session, for something else that needs one; false when there is none. */
  makeRoom(session: string): boolean {
    return this.#shared.streams.makeRoom(session);
  }

  /** Takes a socket over for good. */
  serve(socket: TLSSocket, connection: ConnectionFacts): void {
    if (this.#closing || socket.destroyed) {
      socket.on('error', () => {});
      socket.destroy();
      return;
    }
    this.#connections.add(new Connection(this.#shared, socket, connection, this.#forget));
  }

  /** To be called when targets changed: ends what is under way for visitors that are no longer allowed. */
  recheck(): void {
    for (const connection of this.#connections) connection.recheck();
  }

  /** Ends what has been still for too long. Runs every second. */
  sweep(): void {
    this.#shared.tick();
    for (const connection of this.#connections) connection.sweep();
    this.#shared.streams.sweep(this.#shared.clock);
  }

  /** From here on each answer is its connection's last one; connections that come are served. */
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

  readonly #forget = (connection: Connection): void => {
    this.#connections.delete(connection);
    if (this.#connections.size === 0) this.#emptied?.();
  };
}
