/** The network between two processes: bytes take their time in it, now and then as long as what was lost and is sent again, until it is cut. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';

export interface RelayOptions {
  /** Port on this machine. */
  readonly port: number;
  /** Milliseconds for which the next piece is delayed. */
  readonly delayMs: () => number;
}

export class Relay {
  readonly port: number;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** Port to which new connections go; null: they are refused. */
  #target: number | null;

  private constructor(server: Server, target: number) {
    this.#server = server;
    this.#target = target;
    this.port = (server.address() as AddressInfo).port;
  }

  static async start({ port, delayMs }: RelayOptions): Promise<Relay> {
    const server = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const relay = new Relay(server, port);
    server.on('connection', (near) => {
      if (relay.#target === null) {
        near.destroy();
        return;
      }
      const far = connect({ port: relay.#target, host: '127.0.0.1', allowHalfOpen: true });
      for (const socket of [near, far]) {
        relay.#sockets.add(socket);
        socket.on('error', () => {}).on('close', () => relay.#sockets.delete(socket));
      }
      for (const [from, to] of [
        [near, far],
        [far, near],
      ] as const)
        pipeline(from, delayed(delayMs), to).catch(() => {});
    });
    return relay;
  }

  /** Cuts its connections, as a network does: neither side is notified. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** New connections go to another port, or are refused (null). Those that are open stay. */
  lead(port: number | null): void {
    this.#target = port;
  }

  async stop(): Promise<void> {
    this.cut();
    const closed = once(this.#server, 'close');
    this.#server.close();
    await closed;
  }
}

function delayed(delayMs: () => number): Transform {
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) => void setTimeout(done, delayMs(), null, chunk),
  });
}
