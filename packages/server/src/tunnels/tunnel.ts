import { deaf, encodeProxyHeader, type MuxSession, type MuxStream, StreamType } from '@underpass/wire';
import type { HostPattern } from '../core/hostname.ts';
import type { LiveTunnel, ProxyConnection } from './online.ts';

/** What a bind settles on a shared name; labelled tunnels have none of it. */
export interface BoundName {
  readonly proto: 'http' | 'https';
  readonly hostname: HostPattern;
  readonly publicUrl: string;
  /** `ep_…` */
  readonly endpoint: string;
  /** What people call the endpoint. */
  readonly name: string;
  readonly description: string;
}

export interface TunnelFacts {
  /** `tn_…` */
  readonly id: string;
  /** The id in RPCs and proxy headers: unique in its session only. */
  readonly bindId: string;
  readonly account: string;
  readonly credential: string;
  readonly session: string;
  readonly labels: ReadonlyMap<string, string>;
  readonly forwardsTo: string;
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
  readonly proto?: 'http' | 'https';
  readonly hostname?: HostPattern;
  readonly publicUrl?: string;
  readonly endpoint?: string;
  name?: string;
  description?: string;
  readonly labels: ReadonlyMap<string, string>;
  readonly forwardsTo: string;
  metadata: string;
  readonly region: string;
  readonly startedAt: Date;
  readonly boundAt: number;
  readonly #mux: MuxSession;
  readonly #closing = new AbortController();

  constructor(mux: MuxSession, facts: TunnelFacts, name: BoundName | null) {
    this.#mux = mux;
    this.id = facts.id;
    this.bindId = facts.bindId;
    this.account = facts.account;
    this.credential = facts.credential;
    this.session = facts.session;
    this.labels = facts.labels;
    this.forwardsTo = facts.forwardsTo;
    this.metadata = facts.metadata;
    this.region = facts.region;
    this.startedAt = facts.startedAt;
    this.boundAt = facts.boundAt;
    if (name === null) return;
    this.proto = name.proto;
    this.hostname = name.hostname;
    this.publicUrl = name.publicUrl;
    this.endpoint = name.endpoint;
    this.name = name.name;
    this.description = name.description;
  }

  get closed(): AbortSignal {
    return this.#closing.signal;
  }

  open(connection: ProxyConnection): MuxStream | null {
    if (this.#closing.signal.aborted) return null;
    const header = encodeProxyHeader({
      Id: this.bindId,
      ClientAddr: connection.clientAddr,
      Proto: connection.proto,
      EdgeType: connection.edgeType,
      PassthroughTLS: connection.passthroughTls,
    });
    // Whoever asked for the stream sets its own handler at once.
    return this.#mux.open(StreamType.proxy, deaf, header);
  }

  /** Ends this generation: open() answers null from here on, and `closed` aborts. Idempotent. */
  goOffline(): void {
    this.#closing.abort();
  }
}
