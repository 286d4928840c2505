/** The listeners for links: a Unix socket for daemons on this machine, and mutual TLS for those on others. */
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TLSSocket, type Server as TlsServer } from 'node:tls';
import type { ListenAddress } from '../core/settings.ts';
import { listen } from '../system/listen.ts';
import type { AcceptedLinks } from './accepted.ts';
import { type Credentials, type LinkIdentity, provenBy } from './identity.ts';
import { makeSocketFolder, type SocketFolder } from './socket-folder.ts';

export interface LinkListener {
  close(): Promise<void>;
}

/** Listens in a private folder below `base`, or below `spare`. Rejects if there can be no such socket. */
export async function listenLocally(
  accepted: AcceptedLinks,
  base: string | undefined,
  spare: string | undefined,
): Promise<LinkListener & { readonly path: string }> {
  const folder = await makeSocketFolder(base, spare);
  const server = createServer((socket) => {
    accepted.arrived(socket);
    accepted.take(socket, socket, null);
  });
  try {
    server.listen(folder.path);
    await once(server, 'listening');
  } catch (error) {
    await folder.remove();
    throw error;
  }
  return { path: folder.path, close: () => closeIn(folder, server) };
}

async function closeIn(folder: SocketFolder, server: Server): Promise<void> {
  await closed(server);
  await folder.remove();
}

/** Accepts mutual TLS. Handshakes fail until `prove` was called with an incarnation. */
export class TlsListener implements LinkListener {
  readonly #server: TlsServer;
  readonly #identity: LinkIdentity;
  readonly #port: number;
  #used: Credentials | null = null;

  private constructor(server: TlsServer, identity: LinkIdentity, port: number) {
    this.#server = server;
    this.#identity = identity;
    this.#port = port;
  }

  /** Rejects with ListenError. */
  static async start(
    address: ListenAddress,
    identity: LinkIdentity,
    accepted: AcceptedLinks,
  ): Promise<TlsListener> {
    const server = createTlsServer({ minVersion: 'TLSv1.3', requestCert: true, rejectUnauthorized: true });
    // The address and port of the other end name the connection that carries a TLS socket.
    const carriers = new Map<string, Socket>();
    server.on('connection', (socket: Socket) => {
      const name = endOf(socket);
      carriers.set(name, socket);
      socket.once('close', () => {
        if (carriers.get(name) === socket) carriers.delete(name);
      });
      accepted.arrived(socket);
    });
    server.on('secureConnection', (secured) => serve(secured, carriers.get(endOf(secured)), accepted));
    server.on('tlsClientError', (_error, secured) => secured.destroy());
    return new TlsListener(server, identity, await listen(server, address));
  }

  get port(): number {
    return this.#port;
  }

  /** Uses the certificate of the incarnation from now on. */
  async prove(incarnation: number): Promise<void> {
    const credentials = await this.#identity.credentials(incarnation);
    if (credentials === this.#used) return;
    this.#used = credentials;
    this.#server.setSecureContext(credentials);
  }

  close(): Promise<void> {
    return closed(this.#server);
  }
}

function serve(secured: TLSSocket, carrier: Socket | undefined, accepted: AcceptedLinks): void {
  secured.on('error', () => secured.destroy());
  const proven = provenBy(secured);
  if (proven === null || carrier === undefined) secured.destroy();
  else accepted.take(secured, carrier, proven);
}

const endOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}
