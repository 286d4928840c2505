/**
 * Finds an upstream for a request: which tunnel of a group, and a kept connection or a new one.
 * In: a backend. Out: an upstream, or the name of why there is none. What may change here: how load is spread.
 */
import type { ErrorName } from '../../errors/catalogue.ts';
import type { LiveTunnel, OnlineTunnels, ProxyConnection } from '../../tunnels/online.ts';
import type { SingleTunnel, TunnelGroup } from '../target.ts';
import { StreamPool } from './pool.ts';
import type { Upstream } from './upstream.ts';

export class TunnelStreams {
  readonly #online: OnlineTunnels;
  readonly #idleStreams: number;
  readonly #idleStreamMs: number;
  readonly #pools = new Map<LiveTunnel, StreamPool>();
  /** Whose turn it is, per group: one count for all groups would favour a tunnel when requests to groups alternate. */
  readonly #turns = new WeakMap<TunnelGroup, { next: number }>();

  constructor(online: OnlineTunnels, idleStreams: number, idleStreamMs: number) {
    this.#online = online;
    this.#idleStreams = idleStreams;
    this.#idleStreamMs = idleStreamMs;
  }

  /** An upstream, taken from those idle for less than `withinMs` if there is one. */
  obtain(
    backend: SingleTunnel | TunnelGroup,
    connection: ProxyConnection,
    now: number,
    withinMs: number,
  ): Upstream | ErrorName {
    if (backend.kind === 'tunnel') {
      if (backend.tunnel.closed.aborted) return 'nothingOnline';
      return this.#from(backend.tunnel, connection, now, withinMs) ?? 'tunnelBusy';
    }
    const tunnels = this.#online.matching(backend.account, backend.labels);
    if (tunnels.length === 0) return 'tunnelGroupEmpty';
    const first = this.#turn(backend);
    let hasSuspects = false;
    for (let i = 0; i < tunnels.length; i += 1) {
      const tunnel = tunnels[(first + i) % tunnels.length]!;
      if (tunnel.isSuspect) {
        hasSuspects = true;
        continue;
      }
      const upstream = this.#from(tunnel, connection, now, withinMs);
      if (upstream !== null) return upstream;
    }
    if (!hasSuspects) return 'tunnelBusy';
    for (const tunnel of tunnels) {
      const upstream = this.#from(tunnel, connection, now, withinMs);
      if (upstream !== null) return upstream;
    }
    return 'tunnelBusy';
  }

  sweep(now: number): void {
    for (const pool of this.#pools.values()) pool.sweep(now);
  }

  close(): void {
    for (const pool of this.#pools.values()) pool.close();
    this.#pools.clear();
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

  #from(tunnel: LiveTunnel, connection: ProxyConnection, now: number, withinMs: number): Upstream | null {
    const pool = this.#poolOf(tunnel);
    const kept = pool?.take(now, withinMs) ?? null;
    if (kept !== null) tunnel.expectAnswer();
    return kept ?? pool?.open(connection) ?? null;
  }

  #poolOf(tunnel: LiveTunnel): StreamPool | null {
    const known = this.#pools.get(tunnel);
    if (known !== undefined) return known;
    if (tunnel.closed.aborted) return null;
    const pool = new StreamPool(tunnel, this.#idleStreams, this.#idleStreamMs);
    this.#pools.set(tunnel, pool);
    const forget = (): void => {
      this.#pools.delete(tunnel);
      pool.close();
    };
    tunnel.closed.addEventListener('abort', forget, { once: true });
    return pool;
  }
}
