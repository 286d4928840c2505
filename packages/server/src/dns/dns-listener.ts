/**
 * Serves the zone of the service to name servers, over UDP and TCP.
 * Invariant: queries take a bounded share of the process and of its file descriptors.
 */
import { createSocket, type RemoteInfo, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { Logger } from 'pino';
import { sourceKey, unmapped } from '../core/ip/client-address.ts';
import type { ListenAddress } from '../core/settings.ts';
import { ListenError, listen } from '../system/listen.ts';
import { QueryBudgets } from './query-budgets.ts';
import { QueryConnection } from './query-connection.ts';
import { type DnsOutcome, type DnsResponse, respond, type Transport } from './respond.ts';
import { truncatedResponse } from './truncated-response.ts';
import type { Zone } from './zone.ts';

/** TCP connections of one IPv4 address or IPv6 /64. */
const perSource = 16;
const idleMs = 10_000;
/** Bytes of UDP responses that the system has not sent yet. */
const maxUnsent = 1024 * 1024;

export interface DnsListenerOptions {
  readonly address: ListenAddress;
  readonly zone: Zone;
  /** Number of TCP connections. */
  readonly connections: number;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  readonly observe: (outcome: DnsOutcome) => void;
  readonly log: Pick<Logger, 'info' | 'warn'>;
}

export class DnsListener {
  readonly #options: DnsListenerOptions;
  readonly #budgets = new QueryBudgets();
  readonly #tcp: Server;
  #udp: UdpSocket | null = null;
  /** Sources by connection; the most recent query is last. */
  readonly #connections = new Map<Socket, string>();
  #port = 0;

  /** Rejects with ListenError, and then listens on nothing. */
  static async start(options: DnsListenerOptions): Promise<DnsListener> {
    const listener = new DnsListener(options);
    try {
      await listener.#listen();
    } catch (error) {
      listener.stop();
      throw error;
    }
    options.log.info(
      { port: listener.port, zone: options.zone.name },
      'questions about the zone are answered',
    );
    return listener;
  }

  private constructor(options: DnsListenerOptions) {
    this.#options = options;
    this.#tcp = createServer({ allowHalfOpen: true }, (socket) => this.#connected(socket));
  }

  /** Port of both listeners, UDP and TCP. */
  get port(): number {
    return this.#port;
  }

  stop(): void {
    this.#tcp.close();
    for (const socket of this.#connections.keys()) socket.destroy();
    this.#udp?.close();
  }

  async #listen(): Promise<void> {
    const { address, log } = this.#options;
    this.#port = await listen(this.#tcp, address);
    this.#tcp.on('error', (error) =>
      log.warn({ err: error }, 'a connection with a question could not be accepted'),
    );
    // The bound address shows the family to use for UDP, also if the address is a name or a wildcard.
    const bound = this.#tcp.address() as AddressInfo;
    const type = bound.family === 'IPv6' ? 'udp6' : 'udp4';
    const udp = createSocket({ type, reusePort: address.isShared === true });
    this.#udp = udp;
    udp.on('message', (query, from) => this.#received(udp, query, from));
    try {
      udp.bind(this.#port, bound.address);
      await once(udp, 'listening');
    } catch (error) {
      throw new ListenError({ ...address, port: this.#port }, error as NodeJS.ErrnoException);
    }
    udp.on('error', (error) => log.warn({ err: error }, 'questions over UDP could not be received'));
  }

  #received(udp: UdpSocket, query: Buffer, { address, port }: RemoteInfo): void {
    const answer = this.#respond(query, unmapped(address), 'udp');
    // Port 0 cannot receive: Node throws for it.
    if (answer === null || port === 0 || udp.getSendQueueSize() > maxUnsent) return;
    // An unreachable sender has forged its address, or is gone.
    udp.send(answer, port, address, () => {});
  }

  #connected(socket: Socket): void {
    const ip = unmapped(socket.remoteAddress ?? '');
    const source = sourceKey(ip);
    if (this.#countOf(source) >= perSource) {
      socket.on('error', () => {}).destroy();
      return;
    }
    if (this.#connections.size >= this.#options.connections) this.#closeOldest();
    this.#connections.set(socket, source);
    socket.once('close', () => this.#connections.delete(socket));
    new QueryConnection(socket, {
      idleMs,
      respond: (query) => this.#respond(query, ip, 'tcp'),
      asked: () => {
        if (this.#connections.delete(socket)) this.#connections.set(socket, source);
      },
    });
  }

  #closeOldest(): void {
    const oldest = this.#connections.keys().next().value;
    if (oldest === undefined) return;
    this.#connections.delete(oldest);
    oldest.destroy();
  }

  #countOf(source: string): number {
    return this.#connections.values().reduce((count, each) => (each === source ? count + 1 : count), 0);
  }

  #respond(query: Buffer, ip: string, transport: Transport): Buffer | null {
    const { bytes, outcome } = this.#responseTo(query, ip, transport);
    this.#options.observe(outcome);
    return bytes;
  }

  #responseTo(query: Buffer, ip: string, transport: Transport): DnsResponse {
    const { zone, now } = this.#options;
    const decision = this.#budgets.decide(transport, sourceKey(ip), now());
    switch (decision) {
      case 'answer':
        return respond(zone, query, transport);
      case 'truncate': {
        const bytes = truncatedResponse(query);
        return { bytes, outcome: bytes === null ? 'malformed' : 'truncated' };
      }
      case 'drop':
        return { bytes: null, outcome: 'dropped' };
      default:
        return decision satisfies never;
    }
  }
}
