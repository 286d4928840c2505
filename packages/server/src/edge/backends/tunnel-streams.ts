/**
 * Finds an upstream for a request: which tunnel of a group, and a kept connection or a new one.
 * In: a backend. Out: an upstream, or the name of why there is none. What may change here: how load is spread.
 */
import type { ErrorName } from '../../errors/catalogue.ts';
import type { LiveTunnel, OnlineTunnels, ProxyConnection } from '../../tunnels/online.ts';
import type { HttpLimits } from '../http/limits.ts';
import type { SourceShares } from '../source-shares.ts';
import type { SingleTunnel, TunnelGroup } from '../target.ts';
import { StreamPool } from './pool.ts';
import type { Upstream } from './upstream.ts';

export interface Wanted {
  readonly backend: SingleTunnel | TunnelGroup;
  readonly connection: ProxyConnection;
  /** The visitor's address, as `sourceKey` tells it. */
  readonly source: string;
  readonly now: number;
  /** How long an idle upstream may have been idle. */
  readonly withinMs: number;
}

export class TunnelStreams {
  readonly #online: OnlineTunnels;
  readonly #idleStreams: number;
  readonly #idleStreamMs: number;
  readonly #shares: SourceShares;
  readonly #pools = new Map<LiveTunnel, StreamPool>();
  /** The tunnels of a session have its streams in common. */
  readonly #poolsOfSession = new Map<string, Set<StreamPool>>();
  /** Whose turn it is, per group: one count for all groups would favour a tunnel when requests to groups alternate. */
  readonly #turns = new WeakMap<TunnelGroup, { next: number }>();

  constructor(online: OnlineTunnels, shares: SourceShares, limits: HttpLimits) {
    this.#online = online;
    this.#shares = shares;
    this.#idleStreams = limits.idleStreams;
    this.#idleStreamMs = limits.idleStreamMs;
  }

  /** An upstream: one that is idle for a short enough time if there is one, else a new one. */
  obtain(wanted: Wanted): Upstream | ErrorName {
    const { backend } = wanted;
    if (backend.kind === 'tunnel') {
      return backend.tunnel.closed.aborted ? 'nothingOnline' : this.#from(backend.tunnel, wanted);
    }
    const tunnels = this.#online.matching(backend.account, backend.labels);
    if (tunnels.length === 0) return 'tunnelGroupEmpty';
    const first = this.#turn(backend);
    let refused: ErrorName = 'tunnelBusy';
    let hasSuspects = false;
    for (let i = 0; i < tunnels.length; i += 1) {
      const tunnel = tunnels[(first + i) % tunnels.length]!;
      if (tunnel.isSuspect) {
        hasSuspects = true;
        continue;
      }
      const upstream = this.#from(tunnel, wanted);
      if (typeof upstream !== 'string') return upstream;
      refused = upstream;
    }
    if (!hasSuspects) return refused;
    for (const tunnel of tunnels) {
      const upstream = this.#from(tunnel, wanted);
      if (typeof upstream !== 'string') return upstream;
      refused = upstream;
    }
    return refused;
  }

  /** Ends an idle stream of the agent's session for the sake of a new one; false when there is none. */
  makeRoom(session: string): boolean {
    for (const pool of this.#poolsOfSession.get(session) ?? []) if (pool.dropOldest()) return true;
    return false;
  }

  sweep(now: number): void {
    for (const pool of this.#pools.values()) pool.sweep(now);
  }

  close(): void {
    for (const pool of this.#pools.values()) pool.close();
    this.#pools.clear();
    this.#poolsOfSession.clear();
  }

  #turn(group: TunnelGroup): number {
    let turn = this.#turns.get(group);
    if (turn === undefined) {
      turn = { next: 0 };
      this.#turns.set(group, turn);
    }
    turn.next = (turn.next + 1) % Number.MAX_SAFE_INTEGER;
    return turn.next;
  }

  #from(tunnel: LiveTunnel, wanted: Wanted): Upstream | ErrorName {
    const share = this.#shares.take(tunnel.session, wanted.source);
    if (share === null) return 'tunnelBusyForSource';
    const upstream = this.#idleOrNew(tunnel, wanted);
    if (upstream === null) {
      share.release();
      return 'tunnelBusy';
    }
    upstream.share = share;
    return upstream;
  }

  #idleOrNew(tunnel: LiveTunnel, { connection, now, withinMs }: Wanted): Upstream | null {
    const pool = this.#poolOf(tunnel);
    if (pool === null) return null;
    const kept = pool.take(now, withinMs);
    if (kept !== null) {
      tunnel.expectAnswer();
      return kept;
    }
    return pool.open(connection) ?? (this.makeRoom(tunnel.session) ? pool.open(connection) : null);
  }

  #poolOf(tunnel: LiveTunnel): StreamPool | null {
    const known = this.#pools.get(tunnel);
    if (known !== undefined) return known;
    if (tunnel.closed.aborted) return null;
    const pool = new StreamPool(tunnel, this.#idleStreams, this.#idleStreamMs);
    this.#pools.set(tunnel, pool);
    const siblings = this.#poolsOfSession.get(tunnel.session) ?? new Set();
    this.#poolsOfSession.set(tunnel.session, siblings.add(pool));
    const forget = (): void => {
      this.#pools.delete(tunnel);
      siblings.delete(pool);
      if (siblings.size === 0) this.#poolsOfSession.delete(tunnel.session);
      pool.close();
    };
    tunnel.closed.addEventListener('abort', forget, { once: true });
    return pool;
  }
}
