/** A proxy before the server that cuts a connection at a chosen moment. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export type Cut = 'before-commit' | 'after-commit';

export class CuttingProxy {
  readonly #server = createServer((socket) => this.#serve(socket));
  readonly #sockets = new Set<Socket>();
  readonly #target: URL;
  #cut: Cut | null = null;
  #cutDone = Promise.withResolvers<void>();
  /** True if new connections are closed at once. */
  isRefusing = false;
  /** A promise that new connections wait for. */
  open: Promise<void> = Promise.resolve();

  private constructor(url: string) {
    this.#target = new URL(url);
  }

  static async start(url: string): Promise<CuttingProxy> {
    const proxy = new CuttingProxy(url);
    await once(proxy.#server.listen(0, '127.0.0.1'), 'listening');
    return proxy;
  }

  get url(): string {
    const url = new URL(this.#target);
    url.port = String((this.#server.address() as AddressInfo).port);
    return url.href;
  }

  /** Cuts the connection of the next commit, before the server receives it or before its response arrives. */
  cutNext(cut: Cut): Promise<void> {
    this.#cut = cut;
    this.#cutDone = Promise.withResolvers();
    return this.#cutDone.promise;
  }

  /** Behaves like a server that went away, until `isRefusing` is false again. */
  refuse(): void {
    this.isRefusing = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  async stop(): Promise<void> {
    this.refuse();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #serve(client: Socket): Promise<void> {
    client.on('error', () => {});
    await this.open;
    if (this.isRefusing) {
      client.destroy();
      return;
    }
    const server = connect(Number(this.#target.port), this.#target.hostname);
    for (const socket of [client, server]) {
      this.#sockets.add(socket.on('error', () => {}));
    }
    let applied = false;
    let isDiscarding = false;
    client.on('data', (bytes) => {
      applied ||= bytes.includes('apply-group');
      if (applied && this.#cut !== null && bytes.includes('COMMIT')) {
        const cut = this.#cut;
        this.#cut = null;
        if (cut === 'before-commit') {
          server.destroy();
          client.destroy();
          this.#cutDone.resolve();
          return;
        }
        isDiscarding = true;
      }
      server.write(bytes);
    });
    server.on('data', (bytes) => {
      if (!isDiscarding) client.write(bytes);
      else {
        client.destroy();
        this.#cutDone.resolve();
      }
    });
    client.on('close', () => server.destroy());
    server.on('close', () => client.destroy());
  }
}
