/** One bind of an agent. Never that an old generation of a name opens a stream. */
import { encodeProxyHeader, type MuxSession, type MuxStream, noopHandler, StreamType } from '@underpass/wire';
import type { HostPattern } from '../core/hostname.ts';
import type { LiveTunnel, ProxyConnection } from '../online/online.ts';
import { FreshStream } from './fresh-stream.ts';
import type { SilenceWatch } from './silence-watch.ts';

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

/** What the tunnels of a session need of it. */
export interface AgentLink {
  readonly mux: MuxSession;
  readonly silence: Pick<SilenceWatch, 'isSuspect' | 'expect'>;
  /** From the answer to a bind until every agent knows the tunnel. */
  readonly registerMs: number;
  /** Milliseconds of a clock that never jumps. */
  readonly uptime: () => number;
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
  readonly #link: AgentLink;
  readonly #closing = new AbortController();
  /** Once it is not, no clock is asked. */
  #mayBeFresh = true;

  constructor(link: AgentLink, facts: TunnelFacts, name: BoundName | null) {
    this.#link = link;
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

  get isSuspect(): boolean {
    return this.#link.silence.isSuspect;
  }

  expectAnswer(): void {
    this.#link.silence.expect();
  }

  open(connection: ProxyConnection): MuxStream | null {
    const header = encodeProxyHeader({
      Id: this.bindId,
      ClientAddr: connection.clientAddr,
      Proto: connection.proto,
      EdgeType: connection.edgeType,
      PassthroughTLS: connection.passthroughTls,
    });
    const stream = this.#open(header);
    if (stream === null || !this.#isFresh(1)) return stream;
    return new FreshStream({ stream, open: () => this.#open(header), isFresh: () => this.#isFresh(2) });
  }

  #open(header: Buffer): MuxStream | null {
    if (this.#closing.signal.aborted) return null;
    this.expectAnswer();
    // Whoever asked for the stream sets its own handler at once.
    return this.#link.mux.open(StreamType.proxy, noopHandler, header);
  }

  /** Whether the agent may not know the tunnel yet, or its word about that may be under way for as long again. */
  #isFresh(times: 1 | 2): boolean {
    const { uptime, registerMs } = this.#link;
    this.#mayBeFresh &&= uptime() < this.boundAt + 2 * registerMs;
    return this.#mayBeFresh && uptime() < this.boundAt + times * registerMs;
  }

  /** Ends this generation: open() answers null from here on, and `closed` aborts. Idempotent. */
  goOffline(): void {
    this.#closing.abort();
  }
}
