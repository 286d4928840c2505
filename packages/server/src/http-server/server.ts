/**
 * The HTTP server of the daemon's own listeners, the API and the admin listener. It speaks HTTP/1.1, and HTTP/2 if
 * negotiated.
 * Invariant: it listens nowhere, and connections enter through `serve` only.
 */
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { type ConnectionLimits, Connections } from './connections.ts';
import { type HttpServerOptions, Shared } from './shared.ts';

/** Milliseconds of precision of timeouts. */
const SWEEP_MS = 1000;

export class HttpServer {
  readonly #shared: Shared;
  readonly #connections: Connections;
  readonly #sweep: NodeJS.Timeout;

  constructor(limits: ConnectionLimits, options: HttpServerOptions) {
    this.#shared = new Shared(options);
    this.#connections = new Connections(limits, this.#shared);
    this.#sweep = setInterval(
      () => {
        for (const connection of this.#connections) connection.sweep();
      },
      Math.min(SWEEP_MS, options.timeouts.head),
    );
    this.#sweep.unref();
  }

  /** Takes over a connection, whose TLS is terminated if it has any. `source`: the address, where it is not that of the peer. */
  serve(socket: Socket | TLSSocket, source?: string): void {
    this.#connections.add(socket, source);
  }

  /** Makes each further response the last one of its connection. New connections are still accepted. */
  drain(): void {
    this.#shared.draining = true;
  }

  /**
   * Lets requests that have begun, or begin within `quietMs`, finish; what is still open after the deadline is cut. Takes no
   * further connections.
   */
  async close(deadlineMs: number, quietMs?: number): Promise<void> {
    await this.#connections.close(deadlineMs, quietMs);
    clearInterval(this.#sweep);
  }
}
