/**
 * One bind of an agent.
 * Invariant: an old generation of a name opens no stream.
 */
import type { AgentModules } from '../online/agent-modules.ts';
import type {
  ByteStream,
  ProxyConnection,
  TunnelHandle,
  TunnelPool,
  TunnelTermination,
} from '../online/online.ts';
import type { Refusal } from '../online/refusal.ts';
import {
  type Changeable,
  changeableOf,
  type ProxyProtocolVersion,
  type TunnelFacts,
} from '../online/tunnel-facts.ts';
import type { TunnelPatch } from './bind.ts';
import type { Carrier } from './carrier.ts';
import { FreshStream } from './fresh-stream.ts';
import type { Grant } from './grants.ts';
import { encodeProxyProtocol } from './proxy-protocol.ts';

export interface TunnelParts {
  readonly facts: TunnelFacts;
  readonly modules: AgentModules;
  readonly termination: TunnelTermination | null;
  /** The right to the name; null for labelled tunnels. */
  readonly grant: Grant | null;
  /** Absent: it may always be served. */
  readonly mayServe?: () => boolean;
  /** The moment of the bind, in milliseconds of the clock that never jumps. */
  readonly boundAt: number;
}

/** One bind of one session: a generation of its name. Once offline it never delivers again. */
export class Tunnel implements TunnelHandle {
  facts: TunnelFacts;
  readonly id: string;
  readonly bindId: string;
  readonly session: string;
  readonly speaksHttp2: boolean;
  readonly isOfOneVisitor: boolean;
  readonly modules: AgentModules;
  readonly termination: TunnelTermination | null;
  readonly boundAt: number;
  readonly grant: Grant | null;
  /** Kept by the registry. */
  pool: TunnelPool | null = null;
  outstanding = 0;
  finishMs = 0;
  readonly #proxyProtocol: ProxyProtocolVersion | null;
  readonly #carrier: Carrier;
  readonly #uptime: () => number;
  readonly #mayServe: () => boolean;
  readonly #closing = new AbortController();
  /** False after the first seconds, so that the clock is not read any more. */
  #mayBeFresh = true;

  /** `uptime` in milliseconds, of a clock that never jumps. */
  constructor(carrier: Carrier, uptime: () => number, parts: TunnelParts) {
    const { facts, modules, termination, boundAt, grant, mayServe = () => true } = parts;
    this.#carrier = carrier;
    this.#uptime = uptime;
    this.facts = facts;
    this.id = facts.id;
    this.bindId = facts.bindId;
    this.session = facts.session;
    this.speaksHttp2 = facts.speaksHttp2;
    this.modules = modules;
    this.termination = termination;
    this.boundAt = boundAt;
    this.grant = grant;
    this.#mayServe = mayServe;
    this.#proxyProtocol = facts.endpoint?.proxyProtocol ?? null;
    this.isOfOneVisitor = this.#proxyProtocol !== null;
  }

  get closed(): AbortSignal {
    return this.#closing.signal;
  }

  get isFenced(): boolean {
    return !this.#mayServe();
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
    return changeableOf(this.facts);
  }

  /** A labelled tunnel has no more than metadata. */
  change(patch: Omit<TunnelPatch, 'tunnelId'>): void {
    const { endpoint } = this.facts;
    const facts = { ...this.facts, metadata: patch.metadata ?? this.facts.metadata };
    if (endpoint === null) {
      this.facts = facts;
      return;
    }
    const name = patch.name ?? endpoint.name;
    const description = patch.description ?? endpoint.description;
    const isPooled = patch.isPooled ?? facts.isPooled;
    this.facts = { ...facts, isPooled, endpoint: { ...endpoint, name, description } };
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
    const opened = this.isFenced ? null : open();
    if (opened === null) return null;
    // An agent that reports its dials ends no stream in order that it could not serve.
    if (!this.#carrier.hidesDials) this.#mayBeFresh = false;
    const isFresh = () => this.#isFresh(2);
    const stream = this.#isFresh(1) ? new FreshStream({ stream: opened, open, isFresh }) : opened;
    if (this.#proxyProtocol !== null) stream.write(encodeProxyProtocol(this.#proxyProtocol, connection));
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
