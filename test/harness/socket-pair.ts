/**
 * Two ends of one TCP connection over loopback.
 * Invariant: foreign connections, such as port scans, are rejected by their ports.
 */
import { on, once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { inTime } from './until.ts';

/** A test context, which runs callbacks at its end. */
export interface Cleanup {
  after(stop: () => void): void;
}

/** The server's end of the connection that `client` makes. To be called in the turn in which it begins; others are destroyed. */
export async function acceptedFrom(server: Server, client: Socket): Promise<Socket> {
  const wait = new AbortController();
  const connections = on(server, 'connection', { signal: wait.signal });
  const find = async (): Promise<Socket> => {
    if (client.connecting) await once(client, 'connect');
    for await (const [socket] of connections as AsyncIterable<[Socket]>) {
      socket.on('error', () => {});
      if (socket.remotePort === client.localPort) return socket;
      socket.destroy();
    }
    throw new Error('the server was closed before the connection came');
  };
  return await inTime(find(), () => 'the connection that was made').finally(() => wait.abort());
}

/** The end that connected, and the end that was accepted; both are destroyed after the test. */
export async function socketPair(
  t: Cleanup,
  options: { readonly allowHalfOpen?: boolean } = {},
): Promise<[near: Socket, far: Socket]> {
  const server = createServer({ noDelay: true, ...options }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const near = connect({ port, host: '127.0.0.1', noDelay: true, ...options });
  near.on('error', () => {});
  const far = await acceptedFrom(server, near).finally(() => server.close());
  t.after(() => {
    near.destroy();
    far.destroy();
  });
  return [near, far];
}
