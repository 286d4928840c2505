/** A local HTTP service for an agent to forward to. */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';

export interface Upstream {
  readonly port: number;
  readonly server: Server;
  stop(): Promise<void>;
}

export async function startUpstream(listener: RequestListener): Promise<Upstream> {
  const server = createServer(listener);
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    port: (server.address() as { port: number }).port,
    server,
    stop: () =>
      new Promise<void>((done) => {
        server.close(() => done());
        // Upgraded ones are no longer the server's.
        for (const socket of sockets) socket.destroy();
      }),
  };
}
