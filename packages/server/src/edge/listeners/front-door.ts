/**
 * The one TCP port for everything. It reads the server name of each TLS connection and hands the connection on, as raw
 * bytes or with TLS terminated.
 * Invariant: an unknown name is never served by a default.
 */
import { createServer, type Server, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { deadline, resetSocket } from '@underpass/wire';
import type { Logger } from 'pino';
import { type ConnectionAddresses, ipOf, sourceKey } from '../../core/ip/client-address.ts';
import { type Hostname, isFault, parseHostname } from '../../core/names/hostname.ts';
import type { ListenAddress } from '../../core/settings.ts';
import type { ErrorName } from '../../errors/catalogue.ts';
import type { CertificateSource, ServerCertificate } from '../../pki/certificate-source.ts';
import { serviceAccount } from '../../pki/leaf.ts';
import type { TicketKeys } from '../../pki/ticket-keys.ts';
import { listen } from '../../system/listen.ts';
import type { Pipes } from '../bytes/pipes.ts';
import type { HttpEdge } from '../http/edge.ts';
import type { FixedAnswer } from '../http/http-connection.ts';
import { fitsPolicy } from '../sites/fits-policy.ts';
import { isServed } from '../sites/is-served.ts';
import type { ConnectionFacts, Site, TlsPolicy } from '../sites/site.ts';
import type { LiveSites } from '../sites/sites.ts';
import { type AcmeChallenges, isValidation, validationSettings } from './acme-challenges.ts';
import type { AwaitedTunnels } from './awaited-tunnels.ts';
import { Alert, helloRandom } from './client-hello.ts';
import { connectionFacts } from './connection-facts.ts';
import { HelloLoops } from './hello-loops.ts';
import type { HelloOffer } from './ja4.ts';
import type { LoadBalancers } from './load-balancers.ts';
import type { ListenerObserver, OpenConnections } from './open-connections.ts';
import { Peek, type Peeked } from './peek.ts';
import { nameOfKey, type PlainGuard, plainHttpMethod } from './plain-http.ts';
import { endWith } from './refuse.ts';
import { type SocketSettings, Terminator } from './terminator.ts';

/** A name that the daemon itself answers for. */
export interface Service extends SocketSettings {
  serve(socket: TLSSocket, addresses: ConnectionAddresses): void;
  /** Absent: plain HTTP for its names is redirected. */
  readonly plain?: PlainGuard;
}

export interface FrontDoorLimits {
  /** Milliseconds from accept, or from a load balancer's header, to a whole ClientHello. */
  readonly helloMs: number;
  /** Milliseconds from the ClientHello to the end of the handshake. */
  readonly handshakeMs: number;
}

/** A visitor whose certificate was refused in the handshake. */
export interface RefusedClient {
  readonly site: Site;
  /** `ip:port` */
  readonly clientAddr: string;
  readonly hostname: Hostname;
  readonly error: ErrorName;
  /** OpenSSL's reason; '' for none. */
  readonly why: string;
}

export interface FrontDoorOptions {
  readonly listen: ListenAddress;
  readonly sites: LiveSites;
  readonly services: ReadonlyMap<Hostname, Service>;
  readonly certificates: CertificateSource;
  readonly ticketKeys: TicketKeys;
  readonly http: Pick<HttpEdge, 'serve'> & { readonly own: Pick<HttpEdge['own'], 'error'> };
  readonly pipes: Pick<Pipes, 'serve'>;
  readonly loadBalancers: LoadBalancers;
  readonly connections: OpenConnections;
  readonly log: Logger;
  readonly observer?: ListenerObserver;
  readonly clientRefused?: (client: RefusedClient) => void;
  readonly limits?: Partial<FrontDoorLimits>;
  readonly awaited: AwaitedTunnels;
  /** Null: the service gets no certificates. */
  readonly challenges: AcmeChallenges | null;
}

/** A connection of which it is known who is there. */
interface Arrived {
  readonly socket: Socket;
  readonly addresses: ConnectionAddresses;
}

/** One whose hello was read, and put back. */
interface Greeted extends Arrived {
  readonly hostname: Hostname;
  /** The name of the key of the session ticket in the hello; '' without one. */
  readonly ticketKey: string;
  readonly offer: HelloOffer | null;
  readonly bytes: Buffer;
}

interface TerminatedConnection {
  readonly socket: Socket;
  readonly secured: TLSSocket;
  readonly facts: ConnectionFacts & { readonly serverName: Hostname };
  readonly policy: TlsPolicy;
}

/**
 * Many agents of one busy machine may return at once. Its kernel connects them long before they send their hellos. With
 * less time all of them would be closed shortly before they are done, and stock agents would then wait for minutes.
 */
const defaultLimits: FrontDoorLimits = { helloMs: 30_000, handshakeMs: 30_000 };
const servicePolicy: TlsPolicy = { key: 'service', minVersion: 'TLSv1.2', clientAuthorities: null };
const httpAlpn: readonly string[] = ['h2', 'http/1.1', 'http/1.0'];
const keepAliveMs = 60_000;
const repeatedLogMs = 1000;

function ignore(): void {}

/** Returns the request of a hello, or the alert if no site can serve it. */
function wantedBy(hello: Peeked): Omit<Greeted, keyof Arrived | 'bytes'> | number {
  if (hello.status === 'invalid') return hello.alert;
  // RFC 8446, 9.2: what a server that needs the extension answers.
  if (hello.serverName === null) return Alert.missingExtension;
  const hostname = parseHostname(hello.serverName);
  return isFault(hostname)
    ? Alert.unrecognizedName
    : { hostname, ticketKey: hello.ticketKey, offer: hello.offer };
}

export class FrontDoor {
  readonly #options: FrontDoorOptions;
  readonly #limits: FrontDoorLimits;
  readonly #terminator: Terminator;
  readonly #server: Server;
  readonly #connections: OpenConnections;
  readonly #loops = new HelloLoops();
  #acceptErrorLoggedAt = 0;
  #loopLoggedAt = Number.NEGATIVE_INFINITY;
  #closed: Promise<void> | null = null;

  constructor(options: FrontDoorOptions) {
    this.#options = options;
    this.#limits = { ...defaultLimits, ...options.limits };
    this.#connections = options.connections;
    this.#terminator = new Terminator({
      certificates: options.certificates,
      ticketKeys: options.ticketKeys,
      handshakeMs: this.#limits.handshakeMs,
      connections: this.#connections,
      log: options.log,
    });
    this.#server = createServer(
      { allowHalfOpen: true, noDelay: true, keepAlive: true, keepAliveInitialDelay: keepAliveMs },
      (socket) => this.#accept(socket),
    );
    options.sites.onChange(() => this.#retain());
  }

  /** Rejects with `ListenError`. */
  async start(): Promise<{ readonly port: number }> {
    const port = await listen(this.#server, this.#options.listen);
    this.#server.on('error', (error) => this.#acceptFailed(error));
    return { port };
  }

  /** Stops accepting. Connections that wait stay in the socket, for another process that has it. */
  handOver(): void {
    void this.#closeServer();
  }

  /**
   * Stops accepting at once. Resolves when everything that was accepted is with whom it is for. After the deadline the rest
   * is ended, but after `longestMs` as long as visitors wait for an agent that is on its way.
   */
  async stopAccepting(deadlineMs: number, longestMs: number): Promise<void> {
    void this.#closeServer();
    const isLonger = (): boolean => this.#options.awaited.size > 0;
    await this.#connections.whenFinished(deadlineMs, { longestMs, isLonger });
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

  /**
   * Usually there are no file descriptors left. Open connections continue, and accepting resumes when there are some.
   */
  #acceptFailed(error: NodeJS.ErrnoException): void {
    this.#options.observer?.acceptFailed(error.code ?? '');
    const now = performance.now();
    if (now - this.#acceptErrorLoggedAt < repeatedLogMs) return;
    this.#acceptErrorLoggedAt = now;
    this.#options.log.warn({ err: error }, 'a connection could not be accepted');
  }

  #accept(socket: Socket): void {
    socket.on('error', ignore);
    if (!this.#connections.add(socket)) return;
    let hasHello = false;
    socket.once('close', () => {
      this.#connections.failed(socket, hasHello ? 'client_closed' : 'no_hello');
      this.#connections.remove(socket);
    });
    this.#options.loadBalancers.identify(socket, (addresses) => {
      this.#readHello(socket, (hello, bytes) => {
        hasHello = true;
        this.#guard(socket, () => this.#route({ socket, addresses }, hello, bytes));
      });
    });
  }

  #readHello(socket: Socket, act: (hello: Peeked, bytes: Buffer) => void): void {
    const wait = deadline(this.#limits.helloMs, () => socket.destroy());
    const giveUp = (): void => void socket.destroy();
    const peek = new Peek(socket, (hello, bytes) => {
      wait.met();
      socket.off('end', giveUp);
      act(hello, bytes);
    });
    socket.once('close', () => wait.met());
    socket.once('end', giveUp);
    peek.start();
  }

  #route(arrived: Arrived, hello: Peeked, bytes: Buffer): void {
    const { socket, addresses } = arrived;
    const wanted = wantedBy(hello);
    if (typeof wanted === 'number') {
      this.#refuse(arrived, wanted, bytes);
      return;
    }
    const { hostname, ticketKey } = wanted;
    if (hello.status === 'ok' && isValidation(hello.alpn)) {
      const certificate = this.#options.challenges?.validationCertificate(hostname) ?? null;
      if (certificate !== null) return void this.#answerValidation(socket, hostname, certificate);
    }
    const service = this.#options.services.get(hostname);
    if (service !== undefined) {
      const { serve: _, plain: __, ...settings } = service;
      const own = { ...settings, hostname, ticketKey, account: serviceAccount, policy: servicePolicy };
      void this.#terminator.terminate(socket, own, (secured) => service.serve(secured, addresses));
      return;
    }
    this.#options.awaited.whenServed({
      source: sourceKey(ipOf(addresses.clientAddr)),
      name: hostname,
      isServed: () => socket.destroyed || isServed(this.#options.sites.lookup(hostname)),
      goOn: () => this.#guard(socket, () => this.#routeToSite({ ...arrived, ...wanted, bytes })),
    });
  }

  /** The handshake is the answer. Never rejects. */
  async #answerValidation(
    socket: Socket,
    hostname: Hostname,
    certificate: Promise<ServerCertificate>,
  ): Promise<void> {
    try {
      const name = { hostname, account: serviceAccount, ticketKey: '' };
      const settings = validationSettings(await certificate);
      await this.#terminator.terminate(socket, { ...settings, ...name }, (secured) =>
        endWith(secured, Buffer.alloc(0)),
      );
    } catch (error) {
      this.#options.log.error({ err: error, hostname }, 'a certificate authority could not be answered');
      socket.destroy();
    }
  }

  #refuse({ socket, addresses }: Arrived, alert: number, bytes: Buffer): void {
    const method = plainHttpMethod(bytes);
    if (method === null) {
      this.#terminator.refuse(socket, alert);
      return;
    }
    this.#connections.failed(socket, 'plain_http');
    const keyFor = nameOfKey(bytes);
    if (keyFor !== null) this.#options.services.get(keyFor)?.plain?.keySent(ipOf(addresses.clientAddr));
    const connection = connectionFacts(socket, addresses, null);
    const request = { connection, since: performance.now(), method, path: '', wantsHtml: false };
    endWith(socket, this.#options.http.own.error('plainHttpOnTlsPort', {}, request));
  }

  #routeToSite(greeted: Greeted): void {
    const { socket, hostname, bytes } = greeted;
    // While its name was awaited it may have gone.
    if (socket.destroyed) return;
    const site = this.#options.sites.lookup(hostname);
    if (site === undefined) this.#terminator.refuse(socket, Alert.unrecognizedName);
    else if (site.tls !== null) this.#terminate(greeted, site, site.tls);
    else if (this.#goesRound(socket, hostname, bytes)) resetSocket(socket);
    else this.#passThrough(greeted, site);
  }

  #terminate(greeted: Greeted, site: Site, policy: TlsPolicy): void {
    const { socket, addresses, hostname, ticketKey, offer } = greeted;
    const alpn = site.carries === 'http' ? { alpn: httpAlpn } : {};
    const clientRefused = (error: ErrorName, why: string): void =>
      this.#options.clientRefused?.({ site, clientAddr: addresses.clientAddr, hostname, error, why });
    const wanted = { ...alpn, hostname, account: site.account, policy, ticketKey, clientRefused };
    void this.#terminator.terminate(socket, wanted, (secured) => {
      const facts = connectionFacts(secured, addresses, hostname, offer);
      const terminated = { socket, secured, facts, policy };
      if (site.carries === 'http') this.#serveHttp(terminated);
      else this.#carryAsNow(terminated);
    });
  }

  /** The site may have changed during the handshake. HTTP looks it up for each request anyway. */
  #carryAsNow(terminated: TerminatedConnection): void {
    const { secured, facts, policy } = terminated;
    const site = this.#options.sites.lookup(facts.serverName);
    if (site?.carries === 'bytes' && fitsPolicy(facts, policy, site.tls)) this.#carry(terminated, site);
    else secured.destroy();
  }

  #serveHttp({ socket, secured, facts, policy }: TerminatedConnection, fixed?: FixedAnswer): void {
    const source = sourceKey(ipOf(facts.clientAddr));
    const connection = { facts, source, negotiated: policy, isHttp2: secured.alpnProtocol === 'h2' };
    const { http } = this.#options;
    const served = http.serve(secured, fixed === undefined ? connection : { ...connection, fixed });
    if (served !== null) this.#connections.mayYield(socket, served);
  }

  /** Forwards the content of TLS as bytes. If the backend responds itself, a visitor that speaks HTTP gets its response. */
  #carry(terminated: TerminatedConnection, site: Site): void {
    const { secured, facts } = terminated;
    const source = sourceKey(ipOf(facts.clientAddr));
    const siteNow = () => this.#options.sites.lookup(facts.serverName);
    const answer = (fixed: FixedAnswer): void => this.#serveHttp(terminated, fixed);
    this.#options.pipes.serve({ socket: secured, facts, source, proto: 'tls', site, siteNow, answer });
  }

  #passThrough({ socket, addresses, hostname, offer }: Greeted, site: Site): void {
    this.#connections.finished(socket);
    const facts = connectionFacts(socket, addresses, hostname, offer);
    const source = sourceKey(ipOf(facts.clientAddr));
    const siteNow = () => this.#options.sites.lookup(hostname);
    this.#options.pipes.serve({ socket, facts, source, proto: 'tls', site, siteNow });
  }

  /** Limits the damage of an error to one connection. */
  #guard(socket: Socket, act: () => void): void {
    try {
      act();
    } catch (error) {
      this.#options.log.error({ err: error }, 'a connection could not be handed on');
      socket.destroy();
    }
  }

  /** Returns true if TLS that passes through has come back too often; else it counts for as long as the connection lives. */
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

  #retain(): void {
    const { sites, services } = this.#options;
    this.#terminator.retain((hostname) =>
      services.has(hostname) ? servicePolicy.key : sites.lookup(hostname)?.tls?.key,
    );
  }
}
