/**
 * The port for tunnels of SSH clients.
 * Invariant: it accepts at most as many connections as it has descriptors for.
 */
import { createServer, type Server, type Socket } from 'node:net';
import type { Logger } from 'pino';
import type { ConnectionAddresses } from '../../core/ip/client-address.ts';
import type { ListenAddress } from '../../core/settings.ts';
import type { HostKey } from '../../ssh/host-key.ts';
import { listen } from '../../system/listen.ts';
import type { Ingress } from '../ingress.ts';
import { SshSession } from './session.ts';

export interface SshGatewayOptions {
  readonly address: ListenAddress;
  readonly hostKeys: readonly HostKey[];
  readonly ingress: Pick<Ingress, 'take'>;
  readonly connections: number;
  /**
   * Calls back with the addresses of the client, which a load balancer may state. Destroys the socket if there are
   * none. A socket whose header was read is paused.
   */
  readonly identify: (socket: Socket, known: (addresses: ConnectionAddresses) => void) => void;
  readonly log: Pick<Logger, 'info' | 'warn'>;
}

export class SshGateway {
  readonly #server: Server;
  #port = 0;

  /** Rejects with ListenError. */
  static async start(options: SshGatewayOptions): Promise<SshGateway> {
    const gateway = new SshGateway(options);
    gateway.#port = await listen(gateway.#server, options.address);
    // From here on errors are of single connections: those that are open go on.
    gateway.#server.on('error', (error) =>
      options.log.warn({ err: error }, 'an SSH connection could not be accepted'),
    );
    options.log.info({ port: gateway.port }, 'listening for SSH clients');
    return gateway;
  }

  private constructor({ ingress, hostKeys, connections, identify }: SshGatewayOptions) {
    this.#server = createServer((socket: Socket) => {
      socket.on('error', () => {});
      identify(socket, (addresses) => {
        ingress.take(socket, addresses, (parts) => new SshSession({ ...parts, hostKeys }, socket, addresses));
        socket.resume();
      });
    });
    this.#server.maxConnections = connections;
  }

  /** Port that it listens on. */
  get port(): number {
    return this.#port;
  }

  /** Takes no more connections; those that are open go on. */
  stop(): void {
    this.#server.close();
  }
}
