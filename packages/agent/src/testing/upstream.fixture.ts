/** A local server for tests. */
import type { AddressInfo, Server, Socket } from 'node:net';
import { createServer } from 'node:net';

export interface TestUpstream {
  readonly port: number;
  readonly address: string;
  stop(): Promise<void>;
}

/** A TCP server on a free loopback port that hands each connection over. */
export async function startUpstream(onConnection: (socket: Socket) => void): Promise<TestUpstream> {
  return serve(createServer({ allowHalfOpen: true }, onConnection));
}

/** Listens with any server of sockets (plain, TLS, HTTP); stopping it drops its connections. */
export async function serve(server: Server): Promise<TestUpstream> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    address: `localhost:${port}`,
    stop: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
