/** The edge put together: sites, streams to backends, the HTTP engine, connections that carry bytes, and what listens for visitors. */
import type { MuxStream } from '@underpass/wire';
import type { Logger } from 'pino';
import type { Cidr } from '../core/ip/cidr.ts';
import type { IpAddress } from '../core/ip/ip-address.ts';
import type { UserHeaders } from '../core/modules/user-headers.ts';
import { type Hostname, type HostPattern, isFault, parseHostname } from '../core/names/hostname.ts';
import type { ListenAddress } from '../core/settings.ts';
import type { DocumentFeed } from '../documents/index.ts';
import type { Login } from '../login/login.ts';
import type { OnlineTunnels, TunnelHandle, TunnelsWithoutTls } from '../online/online.ts';
import type { CertificateSource } from '../pki/certificate-source.ts';
import type { TicketKeys } from '../pki/ticket-keys.ts';
import { ArrivedHops } from './backends/arrived-hops.ts';
import { Dialler } from './backends/dialler.ts';
import { OwnPorts } from './backends/own-ports.ts';
import { SourceShares } from './backends/source-shares.ts';
import { Streams } from './backends/streams.ts';
import { Pipes } from './bytes/pipes.ts';
import { wouldRefuseLog } from './compile/account-restriction.ts';
import { SiteTable } from './compile/site-table.ts';
import type { SecretOpener } from './compile/sources.ts';
import { HttpEdge } from './http/edge.ts';
import { DEFAULT_LIMITS, type HttpLimits } from './http/limits.ts';
import type { AcmeChallenges } from './listeners/acme-challenges.ts';
import { AwaitedTunnels } from './listeners/awaited-tunnels.ts';
import { FrontDoor, type FrontDoorLimits, type RefusedClient, type Service } from './listeners/front-door.ts';
import { LoadBalancers } from './listeners/load-balancers.ts';
import {
  type ConnectionBounds,
  defaultBounds,
  type ListenerObserver,
  OpenConnections,
} from './listeners/open-connections.ts';
import { PlainListener } from './listeners/plain-listener.ts';
import { TcpListeners } from './listeners/tcp-listeners.ts';
import type { BodyRecordings } from './sites/body-recording.ts';
import type { Observe, Recorded } from './sites/exchange-record.ts';
import type { Backend } from './sites/site.ts';

export interface EdgeLimits extends HttpLimits, FrontDoorLimits, ConnectionBounds {
  /** Milliseconds for which a connection that carries bytes may stall because one side does not read. */
  readonly stallMs: number;
  /** Connections to static backends. */
  readonly dialled: number;
}

export interface EdgeSettings {
  readonly listen: ListenAddress;
  /** The address for plain HTTP; null for none. */
  readonly httpListen: ListenAddress | null;
  /** The shared domain. */
  readonly domain: Hostname;
  /** The public URL of the API, whose host is the service's own. */
  readonly baseUrl: string;
  /** The name of the console; null if it is at those of the API. */
  readonly consoleHost: Hostname | null;
  /** The port of public URLs, which Host may name besides 443. */
  readonly publicPort: number;
  /** The same for plain HTTP; null where there is none. */
  readonly plainPort: number | null;
  /** The prefix of visitors' error codes; ends in an underscore. */
  readonly errorPrefix: string;
  /** The response header that has the code of an error of the edge's own, in lower case. */
  readonly errorCodeHeader: string;
  /** The request headers in which backends receive the logged-in user. */
  readonly userHeaders: UserHeaders;
  /** True if names that are not below the shared domain are served only with a proof. */
  readonly requireDomainProof: boolean;
  /** Special ranges that may be dialled all the same. */
  readonly allowPrivate: readonly Cidr[];
  /** Ranges of load balancers, whose PROXY header names the client. */
  readonly proxyProtocolFrom: readonly Cidr[];
}

export interface EdgeOptions {
  readonly settings: EdgeSettings;
  readonly store: DocumentFeed;
  readonly online: OnlineTunnels & TunnelsWithoutTls;
  readonly services: ReadonlyMap<Hostname, Service>;
  readonly certificates: CertificateSource;
  readonly sealer: SecretOpener;
  readonly login: Login;
  readonly ticketKeys: TicketKeys;
  /** Absent: the service gets no certificates. */
  readonly challenges?: AcmeChallenges;
  readonly log: Logger;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  readonly observe?: Observe;
  /** Returns the detail of records for an account's requests. */
  readonly recorded?: (account: string) => Recorded;
  /** Absent: no bodies are recorded. */
  readonly recordings?: BodyRecordings;
  readonly observer?: ListenerObserver;
  readonly clientRefused?: (client: RefusedClient) => void;
  readonly limits?: Partial<EdgeLimits>;
  /** Milliseconds after the start for which visitors of unserved names wait for agents. */
  readonly expectAgentsMs: number;
  /** Absent: there are no other daemons. */
  readonly neighbours?: Neighbours;
}

/** The rules by which the edge decides. Reading them has no effect. */
export interface EdgeRules {
  readonly sites: SiteTable;
  readonly services: ReadonlyMap<Hostname, Pick<Service, 'plain'>>;
  readonly settings: EdgeSettings;
  readonly limits: Pick<HttpLimits, 'headBytes' | 'fields'>;
  /** Returns true if this daemon serves no visitor at the moment. */
  readonly isIsolated: () => boolean;
  /** Returns true if visitors of a name wait for its agent at the moment. */
  readonly isAgentExpected: (name: Hostname) => boolean;
}

/** The other daemons, whose visitors come to tunnels of this one. */
export interface Neighbours {
  /** The online tunnel of a number in the directory; undefined: this daemon has none. */
  readonly tunnelOf: (number: number) => TunnelHandle | undefined;
  /** Requests that daemons give back idle streams of a session. */
  readonly giveBack: (session: string, incarnations: Iterable<number>) => void;
  /** Returns true if this daemon serves no visitor, because it alone is cut off from the database. Cheap. */
  readonly isIsolated: () => boolean;
  /** Returns true if another daemon listens for visitors at an address. `ports`: TCP ports that are open here. */
  readonly isDoor: (address: IpAddress, port: number, ports: ReadonlySet<number>) => boolean;
}

const STALL_MS = 300_000;

export class Edge {
  readonly #sites: SiteTable;
  readonly #http: HttpEdge;
  readonly #pipes: Pipes;
  readonly #connections: OpenConnections;
  readonly #awaited: AwaitedTunnels;
  readonly #expectAgentsMs: number;
  readonly #streams: Streams;
  readonly #hops: ArrivedHops | null;
  readonly #door: FrontDoor;
  readonly #ports: TcpListeners;
  readonly #plain: PlainListener | null;
  readonly #rules: EdgeRules;

  private constructor(options: EdgeOptions, sites: SiteTable) {
    const {
      settings,
      now,
      log,
      observe,
      recorded,
      recordings,
      observer,
      clientRefused,
      limits: given = {},
    } = options;
    const limits = { ...DEFAULT_LIMITS, stallMs: STALL_MS, ...given };
    const streams = new Streams(new SourceShares(), limits);
    this.#streams = streams;
    if (options.neighbours !== undefined) streams.isIsolated = options.neighbours.isIsolated;
    this.#hops =
      options.neighbours === undefined ? null : new ArrivedHops({ ...options.neighbours, streams });
    this.#sites = sites;
    const awaited = new AwaitedTunnels(() => performance.now());
    this.#awaited = awaited;
    this.#expectAgentsMs = options.expectAgentsMs;
    const { errorPrefix, errorCodeHeader, userHeaders, publicPort, plainPort, domain } = settings;
    this.#http = new HttpEdge({
      sites,
      streams,
      errorPrefix,
      errorCodeHeader,
      userHeaders,
      publicPort,
      plainPort,
      domain,
      now,
      expected: awaited,
      log,
      limits,
      ...(observe === undefined ? {} : { observe }),
      ...(recorded === undefined ? {} : { recorded }),
      ...(recordings === undefined ? {} : { recordings }),
    });
    const { stallMs, halfClosedMs } = limits;
    this.#pipes = new Pipes({ streams, stallMs, halfClosedMs, observe: observe ?? null, now });
    const seen = observer === undefined ? {} : { observer };
    this.#connections = new OpenConnections({ ...defaultBounds, ...given }, log, observer);
    const connections = this.#connections;
    const loadBalancers = new LoadBalancers({
      ranges: settings.proxyProtocolFrom,
      headerMs: limits.headMs,
      connections,
      log,
    });
    const listening = { sites, pipes: this.#pipes, connections, loadBalancers, log, ...seen };
    const challenges = options.challenges ?? null;
    this.#door = new FrontDoor({
      ...listening,
      listen: settings.listen,
      awaited,
      challenges,
      services: options.services,
      certificates: options.certificates,
      ticketKeys: options.ticketKeys,
      http: this.#http,
      limits: given,
      ...(clientRefused === undefined ? {} : { clientRefused }),
    });
    const { host, isShared = false } = settings.listen;
    this.#ports = new TcpListeners({ ...listening, awaited, host, isShared });
    const { httpListen } = settings;
    this.#plain =
      httpListen === null
        ? null
        : new PlainListener({
            ...listening,
            challenges,
            listen: httpListen,
            services: options.services,
            publicPort,
            errorCodeHeader,
            http: this.#http,
            limits,
          });
    this.#rules = {
      ...{ sites, settings, limits, services: options.services },
      isIsolated: () => streams.isIsolated(),
      isAgentExpected: (name) => awaited.isExpected({ name }),
    };
    sites.onChange((pattern) => {
      this.#http.recheck(pattern);
      this.#pipes.recheck(pattern);
    });
  }

  /** Knows all sites, and does not listen yet. */
  static async prepare(options: EdgeOptions): Promise<Edge> {
    const { store, online, log, settings, limits, sealer, login } = options;
    const { allowPrivate } = settings;
    let sites: SiteTable | null = null;
    const ownPorts = new OwnPorts({
      listen: settings.listen,
      tcpPorts: () => sites?.ports ?? new Set(),
      isDoor: options.neighbours?.isDoor ?? (() => false),
    });
    const dialler = new Dialler({
      ...{ allowPrivate, ownPorts },
      limit: limits?.dialled ?? Number.POSITIVE_INFINITY,
    });
    const wouldRefuse = wouldRefuseLog({ log, now: options.now });
    const service = settings;
    const withoutTls = online;
    sites = await SiteTable.start({
      ...{ store, online, withoutTls, log, dialler },
      ...{ service, sealer, login, wouldRefuse, requireProof: settings.requireDomainProof },
    });
    return new Edge(options, sites);
  }

  /** The rules by which it decides, for explanations. */
  get rules(): EdgeRules {
    return this.#rules;
  }

  /** Open connections, of all kinds. */
  get connections(): number {
    return this.#connections.size;
  }

  /** Open streams for visitors of other daemons. */
  get hops(): number {
    return this.#hops?.size ?? 0;
  }

  /** Returns true if there is an edge, a route or a backend by this id. */
  exists(id: string): boolean {
    return this.#sites.exists(id);
  }

  /** Owner and backend of what serves a URL at the moment; null: nothing does. */
  servedAt({
    hostname,
    pathname,
  }: URL): { readonly account: string; readonly site: string; readonly to: Backend } | null {
    const name = parseHostname(hostname);
    const site = isFault(name) ? undefined : this.#sites.lookup(name);
    if (site === undefined) return null;
    return { account: site.account, site: site.id, to: site.route(pathname).backend };
  }

  /** Number of open ports of TCP edges, and of those that could not be opened. */
  get tcpListeners(): { readonly open: number; readonly missing: number } {
    const { open, missing } = this.#ports;
    return { open, missing };
  }

  /** Serves a visitor of the daemon with the incarnation `from`, who came over its link. */
  acceptHop(stream: MuxStream, from: number): void {
    this.#hops?.accept(stream, from);
  }

  /** Closes idle streams of a session, at most `most`, because its daemon has no room left. */
  giveBack(session: string, most: number): void {
    this.#streams.giveBack(session, most);
  }

  /** Has visitors of a name or pattern wait for its agent, for so many milliseconds from now. */
  expectAgentAt(name: HostPattern | Hostname, ms: number): void {
    this.#awaited.expectAt(name, ms);
  }

  /** Rejects with `ListenError`. */
  async start(): Promise<{ readonly port: number }> {
    const started = await this.#door.start();
    this.#awaited.expect(this.#expectAgentsMs);
    await this.#plain?.start();
    await this.#ports.start();
    return started;
  }

  /** Makes each further response the last one of its connection. New connections are served. */
  drain(): void {
    this.#http.drain();
  }

  /** Stops accepting, except at ports of TCP edges. Another process accepts from the same sockets. */
  handOver(): void {
    this.#plain?.stop();
    this.#door.handOver();
  }

  /**
   * Stops accepting at once. Resolves when everything that was accepted is with whom it is for. After the deadline the rest
   * is ended, but after `longestMs` as long as visitors wait for an agent that is on its way.
   */
  stopAccepting(deadlineMs: number, longestMs: number): Promise<void> {
    void this.#ports.stop();
    this.#plain?.stop();
    return this.#door.stopAccepting(deadlineMs, longestMs);
  }

  /** Lets what is under way end by itself, and requests that begin within `quietMs`; after the deadline ends the rest. */
  async finish(deadlineMs: number, quietMs: number): Promise<void> {
    await Promise.all([this.#pipes.drain(deadlineMs), this.#http.close(deadlineMs, quietMs)]);
  }

  /** Ends what is left, of the daemon's own services too. */
  async close(deadlineMs: number): Promise<void> {
    const ports = this.#ports.stop();
    this.#plain?.stop();
    await this.#door.close(deadlineMs);
    this.#connections.destroyAll();
    await ports;
    await this.#sites.stop();
  }
}
