/**
 * The HTTP that this daemon's own listeners speak, the API and the admin listener: 1.1, and where it was negotiated 2. It listens nowhere: never that a connection
 * comes but through `serve`.
 */
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { type ConnectionLimits, Connections } from './connections.ts';
import { type HttpServerOptions, Shared } from './shared.ts';

/** How exact timeouts are, in milliseconds. */
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

  /** From here on each answer is its connection's last one; new connections are taken still. */
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
