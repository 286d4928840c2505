/**
 * A tunnel of another daemon, as the edge uses it. Its streams go over the link to that daemon, which serves exactly this
 * tunnel or refuses before a byte passes.
 */
import { noopHandler } from '@underpass/wire';
import { LinkStream, type Peer } from '../../link/peers.ts';
import type { AgentModules } from '../../online/agent-modules.ts';
import { encodeHopHeader } from '../../online/hop.ts';
import type {
  ByteStream,
  ProxyConnection,
  TunnelHandle,
  TunnelPool,
  TunnelTermination,
} from '../../online/online.ts';
import type { Refusal } from '../../online/refusal.ts';
import type { TunnelFacts } from '../../online/tunnel-facts.ts';
import type { TunnelEntry } from '../directory/entry.ts';

/** Parts of a tunnel that are secret, and come from its daemon over the link. */
export interface FetchedModules {
  readonly modules: AgentModules;
  readonly termination: TunnelTermination | null;
}

export interface RemoteTunnelParts {
  /** The number of its row in the directory. */
  readonly number: number;
  readonly entry: TunnelEntry;
  readonly peer: Peer;
  /** Own region, to prefer near tunnels. */
  readonly region: string;
  readonly fetched: FetchedModules;
  readonly report: (tunnel: RemoteTunnel, refusal: Refusal) => void;
  /** Returns true if its daemon sends its agents to others. */
  readonly isDraining: () => boolean;
}

/** Milliseconds for which others are preferred after its daemon, or its agent, has refused a stream. */
const SUSPECT_MS = 1_000;
/** Requests under way may finish: their daemon ends them when it must. */
const FINISH_MS = 5_000;

export class RemoteTunnel implements TunnelHandle {
  facts: TunnelFacts;
  readonly id: string;
  readonly session: string;
  readonly number: number;
  readonly incarnation: number;
  readonly modules: AgentModules;
  readonly termination: TunnelTermination | null;
  readonly hidesDials: boolean;
  readonly refusesForNow = true;
  readonly isOfOneVisitor: boolean;
  readonly speaksHttp2: boolean;
  readonly capacity?: number;
  readonly distance: number;
  /** Kept by the registry. */
  pool: TunnelPool | null = null;
  outstanding = 0;
  finishMs = 0;
  readonly #peer: Peer;
  readonly #wantsRefusals: boolean;
  readonly #report: RemoteTunnelParts['report'];
  readonly #isDraining: RemoteTunnelParts['isDraining'];
  readonly #closing = new AbortController();
  /** Milliseconds of `performance.now()`. */
  #suspectUntil = 0;

  constructor({ number, entry, peer, region, fetched, report, isDraining }: RemoteTunnelParts) {
    const { facts } = entry;
    this.facts = facts;
    this.id = facts.id;
    this.session = facts.session;
    this.number = number;
    this.incarnation = peer.incarnation;
    this.modules = fetched.modules;
    this.termination = fetched.termination;
    this.hidesDials = entry.hidesDials;
    this.isOfOneVisitor = (facts.endpoint?.proxyProtocol ?? null) !== null;
    this.speaksHttp2 = facts.speaksHttp2;
    if (entry.capacity !== null) this.capacity = entry.capacity;
    this.distance = distanceOf(peer, region);
    this.#peer = peer;
    this.#wantsRefusals = entry.wantsRefusals;
    this.#report = report;
    this.#isDraining = isDraining;
  }

  get closed(): AbortSignal {
    return this.#closing.signal;
  }

  get isSuspect(): boolean {
    return this.#hasRefused || this.#isDraining();
  }

  get #hasRefused(): boolean {
    return this.#suspectUntil !== 0 && performance.now() < this.#suspectUntil;
  }

  /** The daemon of the tunnel watches for its answers. */
  expectAnswer(): void {}

  refused(make: () => Refusal): void {
    if (this.#wantsRefusals) this.#report(this, make());
  }

  open(connection: ProxyConnection): ByteStream | null {
    if (this.#closing.signal.aborted) return null;
    const hasOthers = !this.#hasRefused && this.#hasOthers;
    const header = encodeHopHeader({ number: this.number, connection, hasOthers, takesCauses: true });
    // The caller sets its own handler at once.
    return this.#peer.open(LinkStream.hop, noopHandler, header);
  }

  refusedStream(): void {
    this.#suspectUntil = performance.now() + SUSPECT_MS;
  }

  /** Another tunnel of its pool, or of its labels, may be there. */
  get #hasOthers(): boolean {
    return this.pool === null || this.pool.tunnels.length > 1;
  }

  /** Ends its use: `open` returns null from here on, and `closed` aborts. Idempotent. */
  goOffline(isLost: boolean): void {
    this.finishMs = isLost ? 0 : FINISH_MS;
    this.#closing.abort();
  }
}

function distanceOf(peer: Peer, region: string): number {
  if (peer.isOnThisMachine) return 1;
  return peer.region === region ? 2 : 3;
}
