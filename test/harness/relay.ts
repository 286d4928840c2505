/**
 * The network between two processes: bytes take their time in it, now and then as long as what was lost and is sent
 * again, until it is cut.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export interface RelayOptions {
  /** Port on this machine. */
  readonly port: number;
  /** Milliseconds for which the next piece is delayed. */
  readonly delayMs: () => number;
}

/** A direction: from the side that connects, or back to it. */
export type Way = 'there' | 'back';

export class Relay {
  readonly port: number;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #delayMs: () => number;
  readonly #held = new Set<Way>();
  #released = Promise.withResolvers<void>();
  /** Port to which new connections go; null: they are refused. */
  #target: number | null;

  private constructor(server: Server, { port, delayMs }: RelayOptions) {
    this.#server = server;
    this.#target = port;
    this.#delayMs = delayMs;
    this.port = (server.address() as AddressInfo).port;
    server.on('connection', (near) => this.#accept(near));
  }

  static async start(options: RelayOptions): Promise<Relay> {
    const server = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Relay(server, options);
  }

  /** Cuts its connections, as a network does: neither side is notified. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** New connections go to another port, or are refused (null). Those that are open stay. */
  lead(port: number | null): void {
    this.#target = port;
  }

  /** Nothing passes any more in these directions, not even the end of a connection. `release` lets it pass. */
  hold(...ways: readonly Way[]): void {
    for (const way of ways) this.#held.add(way);
  }

  /** Everything passes again, in its order: what was held arrives late. */
  release(): void {
    this.#held.clear();
    this.#released.resolve();
    this.#released = Promise.withResolvers();
  }

  async stop(): Promise<void> {
    this.release();
    this.cut();
    const closed = once(this.#server, 'close');
    this.#server.close();
    await closed;
  }

  #accept(near: Socket): void {
    if (this.#target === null) {
      near.destroy();
      return;
    }
    const far = connect({ port: this.#target, host: '127.0.0.1', allowHalfOpen: true });
    for (const socket of [near, far]) {
      this.#sockets.add(socket);
      socket.on('error', () => {}).on('close', () => this.#sockets.delete(socket));
    }
    void this.#pass(near, far, 'there');
    void this.#pass(far, near, 'back');
  }

  /** Passes bytes and the end in one direction. A side that is gone is found by the other one when it is passed. */
  async #pass(from: Socket, to: Socket, way: Way): Promise<void> {
    try {
      for await (const chunk of from.iterator({ destroyOnReturn: false })) {
        await pause(this.#delayMs());
        await this.#open(way);
        if (!to.write(chunk)) await roomIn(to);
      }
      await this.#open(way);
      to.end();
    } catch {
      await this.#open(way);
      to.destroy();
      from.destroy();
    }
  }

  /** Resolves when the direction is not held. */
  async #open(way: Way): Promise<void> {
    while (this.#held.has(way)) await this.#released.promise;
  }
}

/** Resolves when the socket takes more, or is closed. */
async function roomIn(socket: Socket): Promise<void> {
  if (socket.destroyed) return;
  const either = new AbortController();
  const { signal } = either;
  const events = ['drain', 'close'].map((event) => once(socket, event, { signal }).catch(() => {}));
  await Promise.race(events);
  either.abort();
}
