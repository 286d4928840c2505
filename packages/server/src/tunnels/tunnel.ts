/**
 * One bind of an agent.
 * Invariant: an old generation of a name opens no stream.
 */
import type { HostPattern } from '../core/names/hostname.ts';
import type { AgentModules } from '../online/agent-modules.ts';
import type {
  ByteStream,
  LiveTunnel,
  ProxyConnection,
  ProxyProtocolVersion,
  TunnelPool,
  TunnelProtocol,
  TunnelTermination,
} from '../online/online.ts';
import type { Refusal } from '../online/refusal.ts';
import type { TunnelPatch } from './bind.ts';
import type { Carrier } from './carrier.ts';
import type { Changeable } from './changes.ts';
import { FreshStream } from './fresh-stream.ts';
import { encodeProxyProtocol } from './proxy-protocol.ts';
import type { Target } from './target.ts';

/** What a bind settles on a shared name; labelled tunnels have none of it. */
export interface BoundName {
  readonly proto: TunnelProtocol;
  readonly target: Target;
  /** `ep_…` */
  readonly endpoint: string;
  /** What people call the endpoint. */
  readonly name: string;
  readonly description: string;
  readonly modules: AgentModules;
  readonly termination: TunnelTermination | null;
  /** Version of the header with visitors' addresses for the service behind the agent; null for none. */
  readonly proxyProtocol: ProxyProtocolVersion | null;
  /** Further agents of the account may share the name, if they request it, too. */
  readonly isPooled: boolean;
}

export interface TunnelFacts {
  /** `tn_…` */
  readonly id: string;
  /** The id in RPCs and proxy headers: unique in its session only. */
  readonly bindId: string;
  readonly account: string;
  readonly credential: string;
  readonly session: string;
  /** What its agent keeps over its reconnects. */
  readonly clientId: string;
  readonly labels: ReadonlyMap<string, string>;
  readonly forwardsTo: string;
  /** True for HTTP/2 with prior knowledge. */
  readonly speaksHttp2: boolean;
  readonly metadata: string;
  readonly region: string;
  readonly startedAt: Date;
  /** The same moment by the clock that never jumps, in milliseconds. */
  readonly boundAt: number;
}

/** One bind of one session: a generation of its name. Once offline it never delivers again. */
export class Tunnel implements LiveTunnel {
  readonly id: string;
  readonly bindId: string;
  readonly account: string;
  readonly credential: string;
  readonly session: string;
  readonly clientId: string;
  readonly proto?: TunnelProtocol;
  readonly target?: Target;
  readonly hostname?: HostPattern;
  readonly port?: number;
  readonly isPlain?: boolean;
  readonly publicUrl?: string;
  readonly endpoint?: string;
  readonly termination?: TunnelTermination | null;
  name?: string;
  description?: string;
  readonly modules?: AgentModules;
  readonly proxyProtocol: ProxyProtocolVersion | null;
  isPooled: boolean;
  /** Kept by the registry. */
  pool?: TunnelPool;
  readonly labels: ReadonlyMap<string, string>;
  readonly forwardsTo: string;
  readonly speaksHttp2: boolean;
  metadata: string;
  readonly region: string;
  readonly startedAt: Date;
  readonly boundAt: number;
  outstanding = 0;
  finishMs = 0;
  readonly #carrier: Carrier;
  readonly #uptime: () => number;
  readonly #closing = new AbortController();
  /** False after the first seconds, so that the clock is not read any more. */
  #mayBeFresh = true;

  /** `uptime` in milliseconds, of a clock that never jumps. */
  constructor(carrier: Carrier, uptime: () => number, facts: TunnelFacts, name: BoundName | null) {
    this.#carrier = carrier;
    this.#uptime = uptime;
    this.id = facts.id;
    this.bindId = facts.bindId;
    this.account = facts.account;
    this.credential = facts.credential;
    this.session = facts.session;
    this.clientId = facts.clientId;
    this.labels = facts.labels;
    this.forwardsTo = facts.forwardsTo;
    this.speaksHttp2 = facts.speaksHttp2;
    this.metadata = facts.metadata;
    this.region = facts.region;
    this.startedAt = facts.startedAt;
    this.boundAt = facts.boundAt;
    this.proxyProtocol = name?.proxyProtocol ?? null;
    this.isPooled = name?.isPooled ?? false;
    if (name === null) return;
    this.proto = name.proto;
    const { target } = name;
    this.target = target;
    this.publicUrl = target.url;
    this.hostname = target.kind === 'name' ? target.hostname : target.address.hostname;
    if (target.kind === 'address') this.port = target.address.port;
    else this.isPlain = target.isPlain;
    this.endpoint = name.endpoint;
    this.termination = name.termination;
    this.name = name.name;
    this.description = name.description;
    this.modules = name.modules;
  }

  get closed(): AbortSignal {
    return this.#closing.signal;
  }

  get isOfOneVisitor(): boolean {
    return this.proxyProtocol !== null;
  }

  get hidesDials(): boolean {
    return this.#carrier.hidesDials;
  }

  get capacity(): number | undefined {
    return this.#carrier.capacity;
  }

  get refusesForNow(): boolean {
    return this.#carrier.refusesForNow === true;
  }

  get isSuspect(): boolean {
    return this.#carrier.isSuspect;
  }

  get changeable(): Changeable {
    const { metadata, name = '', description = '', isPooled } = this;
    return { metadata, name, description, isPooled };
  }

  /** A labelled tunnel has no more than metadata. */
  change({ metadata, name, description, isPooled }: TunnelPatch): void {
    if (metadata !== null) this.metadata = metadata;
    if (this.endpoint === undefined) return;
    if (isPooled !== null) this.isPooled = isPooled;
    if (name !== null) this.name = name;
    if (description !== null) this.description = description;
  }

  expectAnswer(): void {
    this.#carrier.expectAnswer();
  }

  refused(make: () => Refusal): void {
    this.#carrier.refused?.(this.bindId, make);
  }

  open(connection: ProxyConnection): ByteStream | null {
    const open = () => (this.#closing.signal.aborted ? null : this.#carrier.open(header));
    const header = {
      Id: this.bindId,
      ClientAddr: connection.clientAddr,
      Proto: connection.proto,
      EdgeType: connection.edgeType,
      PassthroughTLS: connection.passthroughTls,
    };
    const opened = open();
    if (opened === null) return null;
    // An agent that reports its dials ends no stream in order that it could not serve.
    if (!this.#carrier.hidesDials) this.#mayBeFresh = false;
    const isFresh = () => this.#isFresh(2);
    const stream = this.#isFresh(1) ? new FreshStream({ stream: opened, open, isFresh }) : opened;
    if (this.proxyProtocol !== null) stream.write(encodeProxyProtocol(this.proxyProtocol, connection));
    return stream;
  }

  /** Returns true if the agent may not know the tunnel yet, or its word about that may be under way for as long again. */
  #isFresh(times: 1 | 2): boolean {
    if (!this.#mayBeFresh) return false;
    const knownSinceMs = this.#uptime() - this.boundAt;
    this.#mayBeFresh = knownSinceMs < 2 * this.#carrier.registerMs;
    return knownSinceMs < times * this.#carrier.registerMs;
  }

  /** Ends this generation: open() answers null from here on, and `closed` aborts. Idempotent. */
  goOffline(finishMs = 0): void {
    this.finishMs = finishMs;
    this.#closing.abort();
  }
}
