/**
 * Determines the client of a connection: the peer, or the client in the PROXY header of a load balancer.
 * Invariant: only load balancers' headers are used, and their connections must have one.
 */
import type { Socket } from 'node:net';
import { deadline } from '@underpass/wire';
import type { Logger } from 'pino';
import { type Cidr, contains } from '../../core/ip/cidr.ts';
import {
  addressesOf,
  type ConnectionAddresses,
  ipOf,
  sourceKey,
  unmapped,
} from '../../core/ip/client-address.ts';
import { parseIpAddress } from '../../core/ip/ip-address.ts';
import type { OpenConnections } from './open-connections.ts';
import { inspectProxyHeader } from './proxy-protocol.ts';

export interface LoadBalancersOptions {
  /** Addresses of load balancers. */
  readonly ranges: readonly Cidr[];
  /** Milliseconds from accept to a whole header. */
  readonly headerMs: number;
  readonly connections: Pick<OpenConnections, 'failed' | 'identified'>;
  readonly log: Pick<Logger, 'warn'>;
}

const REPEATED_LOG_MS = 1000;

export class LoadBalancers {
  readonly #options: LoadBalancersOptions;
  #loggedAt = Number.NEGATIVE_INFINITY;

  constructor(options: LoadBalancersOptions) {
    this.#options = options;
  }

  /**
   * Calls back in this turn, or after a load balancer's header was read. The socket is then paused at the visitor's
   * first byte. Destroys the socket on an error, or if the client has too many connections.
   */
  identify(socket: Socket, known: (addresses: ConnectionAddresses) => void): void {
    const addresses = addressesOf(socket);
    const count = (found: ConnectionAddresses): void => {
      const source = sourceKey(ipOf(found.clientAddr));
      if (this.#options.connections.identified(socket, source)) known(found);
    };
    if (addresses === null) socket.destroy();
    else if (this.#isLoadBalancer(socket)) this.#readHeader(socket, addresses, count);
    else count(addresses);
  }

  #isLoadBalancer({ remoteAddress = '' }: Socket): boolean {
    const { ranges } = this.#options;
    if (ranges.length === 0) return false;
    const address = parseIpAddress(unmapped(remoteAddress));
    return address !== null && ranges.some((range) => contains(range, address));
  }

  #readHeader(
    socket: Socket,
    own: ConnectionAddresses,
    known: (addresses: ConnectionAddresses) => void,
  ): void {
    const wait = deadline(this.#options.headerMs, () => this.#refuse(socket, own));
    const giveUp = (): void => void socket.destroy();
    let bytes: Buffer = Buffer.alloc(0);
    const read = (chunk: Buffer): void => {
      bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk]);
      const header = inspectProxyHeader(bytes);
      if (header.status === 'need-more') return;
      wait.met();
      socket.off('data', read);
      socket.off('end', giveUp);
      socket.off('close', wait.met);
      if (header.status === 'invalid') {
        this.#refuse(socket, own);
        return;
      }
      socket.pause();
      if (bytes.length > header.length) socket.unshift(bytes.subarray(header.length));
      known(header.addresses ?? own);
    };
    socket.on('data', read);
    socket.once('end', giveUp);
    socket.once('close', wait.met);
  }

  /** Sends nothing, because the visitor's protocol is unknown before the header. */
  #refuse(socket: Socket, { clientAddr }: ConnectionAddresses): void {
    const { connections, log } = this.#options;
    connections.failed(socket, 'proxy_header');
    socket.destroy();
    const now = performance.now();
    if (now - this.#loggedAt < REPEATED_LOG_MS) return;
    this.#loggedAt = now;
    log.warn(
      { load_balancer: clientAddr },
      'a connection from a range of --proxy-protocol-from has no valid header of the PROXY protocol: make the load balancer send one, or take its range out',
    );
  }
}
