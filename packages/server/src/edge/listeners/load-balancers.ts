/**
 * Whose connection it is that came: of the peer, or, where the peer is a load balancer, of whom its header names. Never that the header of
 * anyone else is believed, or that a load balancer's connection goes on without one.
 */
import type { Socket } from 'node:net';
import { deadline } from '@underpass/wire';
import type { Logger } from 'pino';
import { type Cidr, contains } from '../../core/cidr.ts';
import {
  addressesOf,
  type ConnectionAddresses,
  ipOf,
  sourceKey,
  unmapped,
} from '../../core/client-address.ts';
import { parseIpAddress } from '../../core/ip-address.ts';
import type { OpenConnections } from './open-connections.ts';
import { inspectProxyHeader } from './proxy-protocol.ts';

export interface LoadBalancersOptions {
  /** Who connects from there is a load balancer. */
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
   * Calls back in this turn, or, for a load balancer, when its header was read; then the socket is paused and stands where the visitor's
   * bytes begin. Destroys the socket otherwise, and when whoever is there has too many connections.
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

  /** Nothing is said: until its header has come nobody knows what the visitor speaks. */
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
