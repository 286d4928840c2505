/** A balancer that leads each connection to the first daemon that is ready, by its `/readyz`. */
import { connect, createServer, type Server, type Socket } from 'node:net';
import { type Cluster, freePorts, type Platform } from '../harness/index.ts';

export class Balancer {
  readonly port: number;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(cluster: Cluster, port: number) {
    this.port = port;
    this.#server = createServer((client) => {
      this.#keep(client);
      client.pause();
      void readyIn(cluster).then((address) => {
        if (address === null) return client.destroy();
        const service = this.#keep(connect(cluster.port, address));
        client.pipe(service).pipe(client);
        client.once('close', () => service.destroy());
        service.once('close', () => client.destroy());
      });
    });
  }

  static async start(cluster: Cluster): Promise<Balancer> {
    const [port = 0] = await freePorts(1);
    const balancer = new Balancer(cluster, port);
    const { promise, resolve } = Promise.withResolvers<void>();
    balancer.#server.listen(port, '127.0.0.1', resolve);
    await promise;
    return balancer;
  }

  stop(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #keep(socket: Socket): Socket {
    this.#sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => this.#sockets.delete(socket));
    return socket;
  }
}

export async function readiness({ adminPort }: Platform): Promise<{ status: number; text: string }> {
  const response = await fetch(`http://127.0.0.1:${adminPort}/readyz`);
  return { status: response.status, text: await response.text() };
}

async function readyIn(cluster: Cluster): Promise<string | null> {
  for (let index = 0; index < cluster.size; index++) {
    const { platform } = cluster.node(index);
    const { status } = await readiness(platform).catch(() => ({ status: 0 }));
    if (status === 200) return platform.address;
  }
  return null;
}
