/**
 * The one TCP port for everything: looks at the server name of each TLS connection and hands the connection on.
 * In: TCP connections. Out: raw bytes to agents, or TLS sockets to the API, the agents' ingress and the HTTP engine.
 * What may change here: who is asked for a name, and in which order; never that a name which nobody has is served by a default.
 */
import { createServer, type Server, type Socket } from 'node:net';
import { type SecureContext, TLSSocket, type TLSSocketOptions } from 'node:tls';
import { deadline, resetSocket } from '@underpass/wire';
import type { Logger } from 'pino';
import { clientAddress } from '../core/client-address.ts';
import { type Hostname, isFault, parseHostname } from '../core/hostname.ts';
import type { ListenAddress } from '../core/settings.ts';
import { listen } from '../listen.ts';
import { CertificateBudgetError, type CertificateSource } from '../pki/certificate-source.ts';
import { serviceAccount } from '../pki/leaf.ts';
import type { LiveTunnel, OnlineTunnels } from '../tunnels/online.ts';
import { AwaitedTunnels } from './awaited-tunnels.ts';
import { Alert, helloRandom } from './client-hello.ts';
import { handshakeFailure, handshakeRefusals } from './handshake-failure.ts';
import { HelloLoops } from './hello-loops.ts';
import type { HttpEdge } from './http/edge.ts';
import { refusesSource } from './modules/ip-restriction.ts';
import { type ConnectionBounds, type FrontDoorObserver, OpenConnections } from './open-connections.ts';
import { Passthrough } from './passthrough.ts';
import { Peek, type Peeked } from './peek.ts';
import { refuse } from './refuse.ts';
import { SecureContexts, type ServedName } from './secure-contexts.ts';
import type { SourceShares } from './source-shares.ts';
import type { LiveTargets, Target, Termination } from './target.ts';

/** What a TLS connection is made with, beside the certificate. */
interface SocketSettings {
  /** Protocols that are negotiated; absent: whatever the client offers is left unanswered. */
  readonly alpn?: readonly string[];
  /** How much is read ahead of who does not take it, in bytes; absent: what suits bulk. */
  readonly readAhead?: number;
}

/** A name that the daemon itself answers for. */
export interface Service extends SocketSettings {
  serve(socket: TLSSocket, clientAddr: string): void;
}

interface Terminated extends ServedName {
  readonly termination: Termination;
  readonly settings: SocketSettings;
}

export interface FrontDoorLimits extends ConnectionBounds {
  /** Milliseconds from accept to a whole ClientHello. */
  readonly helloMs: number;
  /** Milliseconds from the ClientHello to the end of the handshake. */
  readonly handshakeMs: number;
  /** Milliseconds for which a passed-through connection may stand still because one side does not read. */
  readonly stallMs: number;
}

export interface FrontDoorOptions {
  readonly listen: ListenAddress;
  readonly targets: LiveTargets;
  readonly online: Pick<OnlineTunnels, 'matching'>;
  readonly services: ReadonlyMap<Hostname, Service>;
  readonly certificates: CertificateSource;
  readonly http: Pick<HttpEdge, 'serve' | 'makeRoom'>;
  readonly shares: SourceShares;
  readonly log: Logger;
  readonly observer?: FrontDoorObserver;
  readonly limits?: Partial<FrontDoorLimits>;
  /** For so long after the start visitors of names that nobody serves wait for agents to come; absent: they do not. */
  readonly expectAgentsMs?: number;
}

/**
 * Many agents on one busy machine come back in one moment, and its kernel connects them long before they get to their hellos: with
 * less time all of them would be closed when they are nearly done, and stock agents then stay away for minutes.
 */
const defaultLimits: FrontDoorLimits = {
  helloMs: 30_000,
  handshakeMs: 30_000,
  connections: Number.POSITIVE_INFINITY,
  unfinished: 4096,
  stallMs: 300_000,
};
const serviceTermination: Termination = { key: 'service', minVersion: 'TLSv1.2' };
const edgeSettings: SocketSettings = { alpn: ['http/1.1'] };
const keepAliveMs = 60_000;
/** Node's own mark is so low that a stream of a tunnel would stand still between two of its drains. */
const socketBufferBytes = 256 * 1024;
const repeatedLogMs = 1000;

function ignore(): void {}

/** The name that is asked for, or the alert for asking for none. */
function hostnameOf(hello: Peeked): Hostname | number {
  if (hello.status === 'invalid') return hello.alert;
  // RFC 8446, 9.2: what a server that needs the extension answers.
  if (hello.serverName === null) return Alert.missingExtension;
  const hostname = parseHostname(hello.serverName);
  return isFault(hostname) ? Alert.unrecognizedName : hostname;
}

export class FrontDoor {
  readonly #options: FrontDoorOptions;
  readonly #limits: FrontDoorLimits;
  readonly #contexts: SecureContexts;
  readonly #server: Server;
  readonly #connections: OpenConnections;
  readonly #passthroughs = new Set<Passthrough>();
  readonly #loops = new HelloLoops();
  readonly #awaited = new AwaitedTunnels(() => performance.now());
  readonly #watchedTunnels = new WeakSet<LiveTunnel>();
  /** Whose turn it is among a target's tunnels. */
  readonly #turns = new WeakMap<Target, number>();
  #acceptErrorLoggedAt = 0;
  #loopLoggedAt = Number.NEGATIVE_INFINITY;
  #budgetLoggedAt = Number.NEGATIVE_INFINITY;
  #closed: Promise<void> | null = null;
  #drained: (() => void) | null = null;

  constructor(options: FrontDoorOptions) {
    this.#options = options;
    this.#limits = { ...defaultLimits, ...options.limits };
    this.#connections = new OpenConnections(this.#limits, options.log, options.observer);
    this.#contexts = new SecureContexts(options.certificates);
    this.#server = createServer(
      { allowHalfOpen: true, noDelay: true, keepAlive: true, keepAliveInitialDelay: keepAliveMs },
      (socket) => this.#accept(socket),
    );
    options.targets.onChange(() => this.#recheck());
  }

  /** Open connections, of all kinds. */
  get connections(): number {
    return this.#connections.size;
  }

  /** Rejects with `ListenError`. */
  async start(): Promise<{ readonly port: number }> {
    const port = await listen(this.#server, this.#options.listen);
    this.#server.on('error', (error) => this.#acceptFailed(error));
    this.#awaited.expect(this.#options.expectAgentsMs ?? 0);
    return { port };
  }

  /** Stops accepting at once. Resolves when everything that was accepted is with whom it is for; after the deadline it is ended. */
  async stopAccepting(deadlineMs: number): Promise<void> {
    void this.#closeServer();
    await this.#connections.whenFinished(deadlineMs);
  }

  /** Lets connections that pass through end by themselves, and after the deadline ends them. */
  async drain(deadlineMs: number): Promise<void> {
    if (this.#passthroughs.size === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#drained = resolve;
    const deadline = setTimeout(() => {
      for (const connection of this.#passthroughs) connection.destroy();
      resolve();
    }, deadlineMs);
    await promise;
    clearTimeout(deadline);
  }

  /** Stops accepting at once, lets connections of every kind end by themselves, and after the deadline ends them. */
  async close(deadlineMs: number): Promise<void> {
    const deadline = setTimeout(() => {
      this.#connections.destroyAll();
    }, deadlineMs);
    this.#connections.destroyUnfinished();
    await this.#closeServer();
    clearTimeout(deadline);
  }

  /** Resolves when the last connection has ended. */
  #closeServer(): Promise<void> {
    this.#closed ??= new Promise((resolve) => this.#server.close(() => resolve()));
    return this.#closed;
  }

  /** Out of file descriptors, as a rule: what is open goes on, and accepting does when there are some again. */
  #acceptFailed(error: NodeJS.ErrnoException): void {
    this.#options.observer?.acceptFailed(error.code ?? '');
    const now = performance.now();
    if (now - this.#acceptErrorLoggedAt < repeatedLogMs) return;
    this.#acceptErrorLoggedAt = now;
    this.#options.log.warn({ err: error }, 'a connection could not be accepted');
  }

  #accept(socket: Socket): void {
    socket.on('error', ignore);
    const clientAddr = clientAddress(socket);
    if (clientAddr === null) {
      socket.destroy();
      return;
    }
    if (!this.#connections.add(socket)) return;
    const hello = deadline(this.#limits.helloMs, () => socket.destroy());
    let hasHello = false;
    socket.once('close', () => {
      hello.met();
      this.#connections.failed(socket, hasHello ? 'client_closed' : 'no_hello');
      this.#connections.remove(socket);
    });
    const peek = new Peek(socket, (peeked, bytes) => {
      hello.met();
      hasHello = true;
      socket.off('end', giveUp);
      this.#guard(socket, () => this.#route(socket, clientAddr, peeked, bytes));
    });
    const giveUp = (): void => void socket.destroy();
    socket.once('end', giveUp);
    peek.start();
  }

  #route(socket: Socket, clientAddr: string, hello: Peeked, bytes: Buffer): void {
    const hostname = hostnameOf(hello);
    if (typeof hostname === 'number') {
      this.#refuse(socket, hostname);
      return;
    }
    const service = this.#options.services.get(hostname);
    if (service !== undefined) {
      const serve = (secured: TLSSocket): void => service.serve(secured, clientAddr);
      const name = { hostname, account: serviceAccount };
      void this.#terminate(socket, { ...name, termination: serviceTermination, settings: service }, serve);
      return;
    }
    this.#awaited.whenServed(
      () => this.#isServed(hostname),
      () => this.#guard(socket, () => this.#routeToTarget(socket, clientAddr, hostname, bytes)),
    );
  }

  /** Whether there is somebody who could answer for the name now. */
  #isServed(hostname: Hostname): boolean {
    const { targets, online } = this.#options;
    const target = targets.lookup(hostname);
    if (target === undefined || target.refusal === 'nothingOnline') return false;
    const { backend } = target;
    return backend?.kind !== 'tunnel_group' || online.matching(backend.account, backend.labels).length > 0;
  }

  #routeToTarget(socket: Socket, clientAddr: string, hostname: Hostname, bytes: Buffer): void {
    // While its name was awaited it may have gone.
    if (socket.destroyed) return;
    const target = this.#options.targets.lookup(hostname);
    if (target === undefined) {
      this.#refuse(socket, Alert.unrecognizedName);
    } else if (target.termination === null) {
      if (this.#goesRound(socket, hostname, bytes)) resetSocket(socket);
      else this.#passThrough(socket, clientAddr, hostname, target);
    } else {
      const connection = { sni: hostname, terminationKey: target.termination.key, clientAddr };
      const serve = (secured: TLSSocket): void => this.#options.http.serve(secured, connection);
      const { account, termination } = target;
      void this.#terminate(socket, { hostname, account, termination, settings: edgeSettings }, serve);
    }
  }

  /** Opens TLS with the name's own settings, and hands the connection on when the handshake is done. Never rejects. */
  async #terminate(
    socket: Socket,
    { termination, settings, ...name }: Terminated,
    serve: (secured: TLSSocket) => void,
  ): Promise<void> {
    try {
      const secureContext = await this.#contexts.contextFor(name, termination);
      if (!socket.destroyed) this.#handshake(socket, secureContext, settings, serve);
    } catch (error) {
      this.#cannotTerminate(error, name);
      this.#refuse(socket, Alert.internalError);
    }
  }

  #cannotTerminate(error: unknown, { hostname, account }: ServedName): void {
    const { log } = this.#options;
    if (!(error instanceof CertificateBudgetError)) {
      log.error({ err: error, hostname }, 'TLS cannot be terminated for a name that exists');
      return;
    }
    const now = performance.now();
    if (now - this.#budgetLoggedAt < repeatedLogMs) return;
    this.#budgetLoggedAt = now;
    log.warn({ hostname, account }, error.message);
  }

  #handshake(
    socket: Socket,
    secureContext: SecureContext,
    { alpn, readAhead = socketBufferBytes }: SocketSettings,
    serve: (secured: TLSSocket) => void,
  ): void {
    // The TLS socket takes this over: a visitor's close_notify then ends both directions unless its owner says otherwise.
    socket.allowHalfOpen = false;
    // Node hands the mark on to its streams, and its types do not know of it.
    const options: TLSSocketOptions & { readonly highWaterMark: number } = {
      isServer: true,
      secureContext,
      requestCert: false,
      highWaterMark: readAhead,
      ...(alpn === undefined ? {} : { ALPNProtocols: [...alpn] }),
    };
    const secured = new TLSSocket(socket, options);
    const done = deadline(this.#limits.handshakeMs, () => {
      this.#connections.failed(socket, 'timeout');
      secured.destroy();
    });
    secured.on('error', ({ code }: NodeJS.ErrnoException) =>
      this.#connections.failed(socket, handshakeFailure(code)),
    );
    secured.once('close', () => done.met());
    secured.once('secure', () => {
      done.met();
      this.#connections.finished(socket);
      this.#guard(secured, () => serve(secured));
    });
  }

  #refuse(socket: Socket, alert: number): void {
    this.#connections.failed(socket, handshakeRefusals[alert] ?? 'malformed_hello');
    refuse(socket, alert);
  }

  /** What goes wrong here costs one connection, not the process. */
  #guard(socket: Socket, act: () => void): void {
    try {
      act();
    } catch (error) {
      this.#options.log.error({ err: error }, 'a connection could not be handed on');
      socket.destroy();
    }
  }

  /** Whether TLS that passes through has come back too often; else it counts for as long as the connection lives. */
  #goesRound(socket: Socket, hostname: Hostname, bytes: Buffer): boolean {
    const leave = this.#loops.enter(hostname, helloRandom(bytes));
    if (leave !== null) {
      socket.once('close', leave);
      return false;
    }
    this.#connections.failed(socket, 'loop');
    const now = performance.now();
    if (now - this.#loopLoggedAt > repeatedLogMs) {
      this.#loopLoggedAt = now;
      this.#options.log.warn({ hostname }, 'what a name passes through to leads back to this service');
    }
    return true;
  }

  #passThrough(socket: Socket, clientAddr: string, hostname: Hostname, target: Target): void {
    this.#connections.finished(socket);
    const refused = target.refusal !== null || refusesSource(target.sources, clientAddr);
    const tunnels = refused ? [] : this.#tunnelsOf(target);
    const opened = (tunnel: LiveTunnel): void => this.#watchTunnel(tunnel);
    const { http, shares } = this.#options;
    const connection = new Passthrough({
      socket,
      clientAddr,
      hostname,
      target,
      tunnels,
      opened,
      shares,
      makeRoom: (session) => http.makeRoom(session),
      stallMs: this.#limits.stallMs,
    });
    if (!connection.start()) {
      socket.destroy();
      return;
    }
    this.#passthroughs.add(connection);
    socket.once('close', () => {
      this.#passthroughs.delete(connection);
      if (this.#passthroughs.size === 0) this.#drained?.();
    });
  }

  /** The tunnels of a target, beginning with another one for each connection; last those that seem to be gone. */
  #tunnelsOf(target: Target): readonly LiveTunnel[] {
    const { backend } = target;
    if (backend?.kind === 'tunnel') return [backend.tunnel];
    if (backend?.kind !== 'tunnel_group') return [];
    const tunnels = this.#options.online.matching(backend.account, backend.labels);
    if (tunnels.length < 2) return tunnels;
    const turn = (this.#turns.get(target) ?? 0) % tunnels.length;
    this.#turns.set(target, turn + 1);
    const inTurn = [...tunnels.slice(turn), ...tunnels.slice(0, turn)];
    return inTurn.sort((a, b) => Number(a.isSuspect) - Number(b.isSuspect));
  }

  /** One listener for each tunnel, not for each connection: a tunnel may carry thousands. */
  #watchTunnel(tunnel: LiveTunnel): void {
    if (this.#watchedTunnels.has(tunnel)) return;
    this.#watchedTunnels.add(tunnel);
    const offline = (): void => {
      for (const connection of this.#passthroughs) if (connection.tunnel === tunnel) connection.destroy();
    };
    tunnel.closed.addEventListener('abort', offline, { once: true });
  }

  /** A connection lives as long as its name leads to what it was opened for, and its visitor may use that. */
  #recheck(): void {
    const { targets, services } = this.#options;
    for (const connection of this.#passthroughs) {
      if (!connection.moveTo(targets.lookup(connection.hostname))) connection.destroy();
    }
    this.#contexts.retain((hostname) =>
      services.has(hostname) ? serviceTermination.key : targets.lookup(hostname)?.termination?.key,
    );
  }
}
