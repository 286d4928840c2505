/**
 * Tunnels that have a name or a port, by slot: those of this daemon, and those of others that it reaches.
 * Invariant: the pool of a name is the same object for as long as one of its tunnels is online.
 */
import type { BindTarget, Slot } from '../core/names/bind-target.ts';
import type { HostPattern } from '../core/names/hostname.ts';
import { insertBind, type TunnelHandle, type TunnelPool } from '../online/online.ts';
import type { EndpointFacts } from '../online/tunnel-facts.ts';
import type { RemoteTunnel } from './remote/remote-tunnel.ts';
import type { Tunnel } from './tunnel.ts';

/** Tunnels that share a name: never none. */
interface Pool extends TunnelPool {
  readonly tunnels: TunnelHandle[];
  /** The tunnels of this daemon: the same list if there are no others. */
  own: Tunnel[];
}

const none: readonly Tunnel[] = [];

export class BoundNames {
  readonly #pools = new Map<Slot, Pool>();
  readonly #ports = new Set<number>();
  readonly #portListeners: (() => void)[] = [];
  readonly #nameListeners: ((name: HostPattern) => void)[] = [];

  /** Tunnels of all daemons, as visitors find them. Oldest first. */
  at(slot: Slot): readonly TunnelHandle[] {
    return this.#pools.get(slot)?.tunnels ?? none;
  }

  /** Tunnels of this daemon, oldest first. */
  own(slot: Slot): readonly Tunnel[] {
    return this.#pools.get(slot)?.own ?? none;
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

  /** Every name and port that has a tunnel of this daemon, once for each of its slots. */
  *names(): Iterable<BindTarget> {
    for (const { own } of this.#pools.values()) {
      const key = own[0]?.facts.endpoint?.key;
      if (key !== undefined) yield key;
    }
  }

  /** Every tunnel of this daemon whose name or port `matches`. */
  *tunnels(matches: (name: BindTarget) => boolean): Iterable<Tunnel> {
    for (const { own } of this.#pools.values())
      for (const tunnel of own) {
        const { endpoint } = tunnel.facts;
        if (endpoint !== null && matches(endpoint.key)) yield tunnel;
      }
  }

  /** Puts a tunnel into the pool of its slot. Most are alone there: a list that grows has room for many at once. */
  enter({ id, slot }: EndpointFacts, tunnel: Tunnel): void {
    const known = this.#pools.get(slot);
    if (known === undefined) {
      const alone = [tunnel];
      const pool: Pool = { id, tunnels: alone, own: alone };
      this.#pools.set(slot, pool);
      tunnel.pool = pool;
      return;
    }
    insertBind(known.tunnels, tunnel);
    if (known.own !== known.tunnels) known.own.push(tunnel);
    tunnel.pool = known;
  }

  /** Puts a tunnel of another daemon into the pool of its slot. */
  enterRemote({ id, slot }: EndpointFacts, tunnel: RemoteTunnel): void {
    const known = this.#pools.get(slot);
    const pool: Pool = known ?? { id, tunnels: [], own: [] };
    if (known === undefined) this.#pools.set(slot, pool);
    else if (known.own === known.tunnels) known.own = [...known.own];
    insertBind(pool.tunnels, tunnel);
    tunnel.pool = pool;
  }

  leave({ slot }: EndpointFacts, tunnel: Tunnel | RemoteTunnel): void {
    const pool = this.#pools.get(slot);
    if (pool === undefined) return;
    if (pool.own !== pool.tunnels) pool.own = pool.own.filter((one) => one !== tunnel);
    const at = pool.tunnels.indexOf(tunnel);
    if (at >= 0) pool.tunnels.splice(at, 1);
    if (pool.tunnels.length === 0) this.#pools.delete(slot);
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
