/**
 * Tunnels of this daemon that have a name or a port, by slot.
 * Invariant: the pool of a name is the same object for as long as one of its tunnels is online.
 */
import type { BindTarget, Slot } from '../core/names/bind-target.ts';
import type { HostPattern } from '../core/names/hostname.ts';
import type { TunnelPool } from '../online/online.ts';
import type { EndpointFacts } from '../online/tunnel-facts.ts';
import type { Tunnel } from './tunnel.ts';

/** Tunnels that share a name: never none. */
interface Pool extends TunnelPool {
  readonly tunnels: Tunnel[];
}

const none: readonly Tunnel[] = [];

export class BoundNames {
  readonly #pools = new Map<Slot, Pool>();
  readonly #ports = new Set<number>();
  readonly #portListeners: (() => void)[] = [];
  readonly #nameListeners: ((name: HostPattern) => void)[] = [];

  /** Oldest first. */
  at(slot: Slot): readonly Tunnel[] {
    return this.#pools.get(slot)?.tunnels ?? none;
  }

  get ports(): ReadonlySet<number> {
    return this.#ports;
  }

  onPorts(listener: () => void): void {
    this.#portListeners.push(listener);
  }

  onNamed(listener: (name: HostPattern) => void): void {
    this.#nameListeners.push(listener);
  }

  /** Every name and port that has a tunnel, once for each of its slots. */
  *names(): Iterable<BindTarget> {
    for (const { tunnels } of this.#pools.values()) {
      const key = tunnels[0]?.facts.endpoint?.key;
      if (key !== undefined) yield key;
    }
  }

  /** Every tunnel whose name or port `matches`. */
  *tunnels(matches: (name: BindTarget) => boolean): Iterable<Tunnel> {
    for (const { tunnels } of this.#pools.values())
      for (const tunnel of tunnels) {
        const { endpoint } = tunnel.facts;
        if (endpoint !== null && matches(endpoint.key)) yield tunnel;
      }
  }

  /** Puts a tunnel into the pool of its slot. Most are alone there: a list that grows has room for many at once. */
  enter({ id, slot }: EndpointFacts, tunnel: Tunnel): void {
    const known = this.#pools.get(slot);
    const pool = known ?? { id, tunnels: [tunnel] };
    if (known === undefined) this.#pools.set(slot, pool);
    else known.tunnels.push(tunnel);
    tunnel.pool = pool;
  }

  leave({ slot }: EndpointFacts, tunnel: Tunnel): void {
    const { tunnels = [] } = this.#pools.get(slot) ?? {};
    tunnels.splice(tunnels.indexOf(tunnel), 1);
    if (tunnels.length === 0) this.#pools.delete(slot);
  }

  /** Notifies the listeners of a tunnel that has entered or left. */
  announce(endpoint: EndpointFacts, change: 'entered' | 'left'): void {
    const { length } = this.at(endpoint.slot);
    if (endpoint.kind === 'address') this.#setPort(endpoint.port, length > 0);
    else if (change === 'entered' && length === 1)
      for (const listener of this.#nameListeners) listener(endpoint.hostname);
  }

  #setPort(port: number, isOnline: boolean): void {
    if (isOnline) this.#ports.add(port);
    else this.#ports.delete(port);
    for (const listener of this.#portListeners) listener();
  }
}
