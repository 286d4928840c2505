/**
 * The ports of TCP edges and TCP tunnels. Each port is open as long as an edge or tunnel has it, and its connections
 * carry bytes.
 * Invariant: a port without edge and tunnel accepts no connection.
 */
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { ipOf, sourceKey } from '../../core/ip/client-address.ts';
import type { ListenAddress } from '../../core/settings.ts';
import type { Pipes } from '../bytes/pipes.ts';
import { isServed } from '../sites/is-served.ts';
import type { ConnectionFacts } from '../sites/site.ts';
import type { PortSites } from '../sites/sites.ts';
import type { AwaitedTunnels } from './awaited-tunnels.ts';
import { connectionFacts } from './connection-facts.ts';
import type { LoadBalancers } from './load-balancers.ts';
import type { ListenerObserver, OpenConnections } from './open-connections.ts';
import { TcpListener } from './tcp-listener.ts';

export interface TcpListenersOptions {
  /** Host of the front door, but never its inherited socket. */
  readonly host: ListenAddress['host'];
  /** True if other processes listen on the same ports. */
  readonly isShared?: boolean;
  readonly sites: PortSites;
  readonly pipes: Pick<Pipes, 'serve'>;
  readonly loadBalancers: LoadBalancers;
  readonly connections: OpenConnections;
  readonly awaited: AwaitedTunnels;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
  readonly observer?: ListenerObserver;
}

const REPEATED_LOG_MS = 1000;

export class TcpListeners {
  readonly #options: TcpListenersOptions;
  readonly #listeners = new Map<number, TcpListener>();
  #ports: ReadonlySet<number> | null = null;
  #isRunning = false;
  #acceptErrorLoggedAt = Number.NEGATIVE_INFINITY;

  constructor(options: TcpListenersOptions) {
    this.#options = options;
    // A write is answered after its followers know of it: the port is open, or closed, by then.
    options.sites.onPorts(() => void this.#follow());
  }

  /** Ports that are listened on. */
  get open(): number {
    return [...this.#listeners.values()].filter(({ isOpen }) => isOpen).length;
  }

  /** Ports that should be listened on, and cannot be. */
  get missing(): number {
    return this.#listeners.size - this.open;
  }

  /** Resolves when each port was tried. */
  async start(): Promise<void> {
    this.#isRunning = true;
    await this.#follow();
  }

  /** Takes no more connections; those that are open go on. Resolves when the last one has ended. */
  async stop(): Promise<void> {
    this.#isRunning = false;
    const listeners = [...this.#listeners.values()];
    this.#listeners.clear();
    await Promise.all(listeners.map((listener) => listener.close()));
  }

  async #follow(): Promise<void> {
    const { ports } = this.#options.sites;
    if (!this.#isRunning || ports === this.#ports) return;
    this.#ports = ports;
    for (const [port, listener] of this.#listeners) {
      if (ports.has(port)) continue;
      this.#listeners.delete(port);
      void listener.close();
    }
    const fresh = [...ports].filter((port) => !this.#listeners.has(port));
    await Promise.all(fresh.map((port) => this.#listen(port)));
  }

  #listen(port: number): Promise<void> {
    const { host, isShared = false, connections, log, observer } = this.#options;
    const listener = new TcpListener({
      address: { host, port, isShared },
      accept: (socket) => this.#accept(socket, port),
      acceptFailed: (error) => this.#acceptFailed(error),
      listenFailed: (error, isFirst) => {
        observer?.listenFailed(error.code);
        if (isFirst) log.warn({ err: error, port }, 'a TCP port has no listener; it is tried again');
      },
      recovered: () => log.info({ port }, 'a TCP port has its listener now'),
      take: () => connections.addListener(),
      release: () => connections.removeListener(),
    });
    this.#listeners.set(port, listener);
    return listener.open();
  }

  #accept(socket: Socket, port: number): void {
    socket.on('error', ignore);
    const { connections, loadBalancers, awaited, sites } = this.#options;
    if (!connections.add(socket)) return;
    socket.once('close', () => connections.remove(socket));
    loadBalancers.identify(socket, (addresses) => {
      awaited.whenServed({
        source: sourceKey(ipOf(addresses.clientAddr)),
        isServed: () => socket.destroyed || isServed(sites.atPort(port)),
        goOn: () => this.#handOn(socket, connectionFacts(socket, addresses, null), port),
      });
    });
  }

  #handOn(socket: Socket, facts: ConnectionFacts, port: number): void {
    // While its edge was awaited it may have gone.
    if (socket.destroyed) return;
    const { connections, log } = this.#options;
    connections.finished(socket);
    try {
      this.#carry(socket, facts, port);
    } catch (error) {
      log.error({ err: error }, 'a connection could not be handed on');
      socket.destroy();
    }
  }

  #carry(socket: Socket, facts: ConnectionFacts, port: number): void {
    const { sites, pipes } = this.#options;
    const site = sites.atPort(port);
    if (site === undefined) {
      socket.destroy();
      return;
    }
    const source = sourceKey(ipOf(facts.clientAddr));
    const siteNow = () => sites.atPort(port);
    pipes.serve({ socket, facts, source, proto: 'tcp', site, siteNow });
  }

  /**
   * Usually there are no file descriptors left. Open connections continue, and accepting resumes when there are some.
   */
  #acceptFailed(error: NodeJS.ErrnoException): void {
    const { log, observer } = this.#options;
    observer?.acceptFailed(error.code ?? '');
    const now = performance.now();
    if (now - this.#acceptErrorLoggedAt < REPEATED_LOG_MS) return;
    this.#acceptErrorLoggedAt = now;
    log.warn({ err: error }, 'a connection could not be accepted');
  }
}

function ignore(): void {}
