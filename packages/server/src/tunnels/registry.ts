/**
 * What is online: sessions and tunnels, by name and by label. Never that two credentials have one name; whether one may have it at
 * all is not decided here.
 */
import {
  type BindTarget,
  isTcpPort,
  patternsAbove,
  plainName,
  type Slot,
  targetsOverlap,
  tcpPort,
} from '../core/bind-target.ts';
import { type Hostname, type HostPattern, isWildcard } from '../core/hostname.ts';
import type { LiveSession, LiveTunnel, OnlineTunnels, TunnelsWithoutTls } from '../online/online.ts';
import { type Claimant, Claims, type Generation } from './claims.ts';
import { type Lease, Leases } from './leases.ts';
import { type NameHolder, takenBy } from './names.ts';
import { PendingNames } from './pending-names.ts';
import type { Tunnel } from './tunnel.ts';

/** Names of reserved domains cannot be lost to another account, so a credential gives way to its siblings sooner. */
const reservedNameGraceMs = 60_000;
const randomNameGraceMs = 300_000;
/** As many as its agents may have been online with in an outage. */
const leasesPerCredential = 10_000;
const none: readonly LiveTunnel[] = [];

/** An account's share of what is online. Maps keep the order of ids. */
interface Presence {
  readonly sessions: Map<string, LiveSession>;
  readonly tunnels: Map<string, Tunnel>;
  readonly byLabel: Map<string, Set<Tunnel>>;
  /** Changes with the set of labelled tunnels; never the same for two sets. */
  generation: number;
}

interface Match {
  readonly account: string;
  readonly generation: number;
  readonly tunnels: readonly LiveTunnel[];
}

/** Who is online on this node. All changes are synchronous, so a look-up never sees a half-done one. */
export class Registry implements OnlineTunnels, TunnelsWithoutTls {
  readonly #accounts = new Map<string, Presence>();
  readonly #names = new Map<Slot, Tunnel>();
  readonly #leases: Leases;
  readonly #claims = new Claims();
  readonly #pending = new PendingNames();
  readonly #now: () => number;
  /** By the selector object itself: a backend keeps its own for as long as it does not change. */
  readonly #matches = new WeakMap<ReadonlyMap<string, string>, Match>();
  readonly #ports = new Set<number>();
  readonly #portListeners: (() => void)[] = [];
  #generation = 0;
  #sessionCount = 0;
  #tunnelCount = 0;

  /** `now` in milliseconds, of a clock that does not jump. */
  constructor(options: { readonly now: () => number }) {
    this.#now = options.now;
    this.#leases = new Leases({ now: options.now, perCredential: leasesPerCredential });
  }

  get counts(): { readonly sessions: number; readonly tunnels: number } {
    return { sessions: this.#sessionCount, tunnels: this.#tunnelCount };
  }

  sessions(account: string): Iterable<LiveSession> {
    return this.#accounts.get(account)?.sessions.values() ?? [];
  }

  tunnels(account: string): Iterable<LiveTunnel> {
    return this.#accounts.get(account)?.tunnels.values() ?? [];
  }

  byName(name: HostPattern | Hostname): LiveTunnel | undefined {
    return this.#names.get(name);
  }

  byPlainName(name: HostPattern | Hostname): LiveTunnel | undefined {
    return this.#names.get(plainName(name));
  }

  byPort(port: number): LiveTunnel | undefined {
    return this.#names.get(tcpPort(port));
  }

  get ports(): ReadonlySet<number> {
    return this.#ports;
  }

  onPorts(listener: () => void): void {
    this.#portListeners.push(listener);
  }

  heldFor(name: HostPattern | Hostname): string | undefined {
    return this.#leases.get(name)?.account;
  }

  occupied(pattern: BindTarget, account: string): 'online' | 'held' | null {
    for (const name of this.#inTheWayOf(pattern)) {
      const bearer = this.#bearer(name);
      if (bearer !== undefined && bearer.account !== account) return 'online';
      const lease = this.#leases.get(name);
      if (lease !== undefined && lease.account !== account) return 'held';
    }
    return null;
  }

  suspend(pattern: HostPattern, account: string): () => void {
    return this.#pending.add(pattern, account);
  }

  /**
   * Gives a name to a claimant, who then has it against all other credentials until add() or release(). Waits while another
   * account reserves the name; when there is nothing to wait for it is taken in this turn, so that no other draw gives it. Raises
   * Problem: another credential has it.
   */
  async claim(name: BindTarget, claimant: Claimant): Promise<Generation> {
    const { account } = claimant;
    for (
      let over = this.#pending.before(name, account);
      over !== null;
      over = this.#pending.before(name, account)
    )
      await over;
    const problem = takenBy(name, this.holder(name), claimant);
    if (problem !== null) throw problem;
    return this.#claims.add(name, claimant);
  }

  /** Gives back what was claimed. Idempotent, and without effect on a tunnel that came online with it. */
  release(generation: Generation): void {
    this.#claims.release(generation);
  }

  matching(account: string, labels: ReadonlyMap<string, string>): readonly LiveTunnel[] {
    const presence = this.#accounts.get(account);
    if (presence === undefined || labels.size === 0) return none;
    const known = this.#matches.get(labels);
    if (known !== undefined && known.generation === presence.generation && known.account === account) {
      return known.tunnels;
    }
    const tunnels = select(presence.byLabel, labels);
    this.#matches.set(labels, { account, generation: presence.generation, tunnels });
    return tunnels;
  }

  /** Every tunnel that has a name, or only those whose name `matches`. */
  *named(matches: (name: BindTarget) => boolean): Iterable<Tunnel> {
    for (const tunnel of this.#names.values())
      if (tunnel.target !== undefined && matches(tunnel.target.key)) yield tunnel;
  }

  holder(name: BindTarget): NameHolder | undefined {
    const bearer = this.#bearer(name);
    if (bearer !== undefined) return { credential: bearer.credential, heldSeconds: null };
    const lease = this.#leases.get(name);
    if (lease === undefined) return undefined;
    return { credential: lease.credential, heldSeconds: Math.ceil((lease.until - this.#now()) / 1000) };
  }

  /** Ends the holding of names for which nobody is online. */
  releaseLeases(matches: (lease: Lease) => boolean): void {
    this.#leases.releaseWhere(matches);
  }

  addSession(session: LiveSession): void {
    this.#presence(session.account).sessions.set(session.id, session);
    this.#sessionCount += 1;
  }

  removeSession(session: LiveSession): void {
    const presence = this.#accounts.get(session.account);
    if (presence?.sessions.delete(session.id) !== true) return;
    this.#sessionCount -= 1;
    this.#forgetEmpty(session.account, presence);
  }

  /**
   * Brings a tunnel online, under the name that was claimed for it if it has one. The one that has its name goes offline first and
   * is answered, so that its agent can be told.
   */
  add(tunnel: Tunnel): Tunnel | null {
    const { target } = tunnel;
    const earlier = target === undefined ? undefined : this.#names.get(target.slot);
    if (earlier !== undefined) this.remove(earlier);
    if (target !== undefined) {
      this.#leases.release(target.key);
      this.#names.set(target.slot, tunnel);
    }
    const presence = this.#presence(tunnel.account);
    presence.tunnels.set(tunnel.id, tunnel);
    this.#tunnelCount += 1;
    if (target === undefined) this.#index(presence, tunnel);
    if (tunnel.port !== undefined) this.#setPort(tunnel.port, true);
    return earlier ?? null;
  }

  /** Takes a tunnel offline. Idempotent, and without effect on a newer tunnel of the same name. */
  remove(tunnel: Tunnel): void {
    const presence = this.#accounts.get(tunnel.account);
    if (presence?.tunnels.delete(tunnel.id) !== true) return;
    this.#tunnelCount -= 1;
    if (tunnel.target === undefined) this.#unindex(presence, tunnel);
    else this.#names.delete(tunnel.target.slot);
    this.#forgetEmpty(tunnel.account, presence);
    // Last, so that whoever hears of it finds the tunnel gone.
    tunnel.goOffline();
    if (tunnel.port !== undefined) this.#setPort(tunnel.port, false);
  }

  /** Takes a tunnel offline and holds its name for its credential to come back. */
  lose(tunnel: Tunnel, reserved: boolean): void {
    const { target } = tunnel;
    const online = target !== undefined && this.#names.get(target.slot) === tunnel;
    this.remove(tunnel);
    if (!online) return;
    this.#leases.hold(target, tunnel, reserved ? reservedNameGraceMs : randomNameGraceMs);
  }

  #setPort(port: number, isOnline: boolean): void {
    if (isOnline) this.#ports.add(port);
    else this.#ports.delete(port);
    for (const listener of this.#portListeners) listener();
  }

  /** Whoever is online there, with or without TLS, or is about to be: all are of one credential. */
  #bearer(name: BindTarget): Claimant | undefined {
    const plain = isTcpPort(name) ? undefined : this.#names.get(plainName(name));
    return this.#names.get(name) ?? plain ?? this.#claims.get(name);
  }

  /** Names and wildcards that may be online or held and overlap with the pattern: above a name few, below a wildcard any. */
  *#inTheWayOf(pattern: BindTarget): Iterable<BindTarget> {
    yield pattern;
    yield* patternsAbove(pattern);
    if (isTcpPort(pattern) || !isWildcard(pattern)) return;
    const online = [...this.#names.values()].flatMap(({ target }) => target?.key ?? []);
    for (const name of [...online, ...this.#claims.names(), ...this.#leases.names()])
      if (targetsOverlap(name, pattern)) yield name;
  }

  #presence(account: string): Presence {
    let presence = this.#accounts.get(account);
    if (presence === undefined) {
      presence = {
        sessions: new Map(),
        tunnels: new Map(),
        byLabel: new Map(),
        generation: ++this.#generation,
      };
      this.#accounts.set(account, presence);
    }
    return presence;
  }

  #forgetEmpty(account: string, presence: Presence): void {
    if (presence.sessions.size === 0 && presence.tunnels.size === 0) this.#accounts.delete(account);
  }

  #index(presence: Presence, tunnel: Tunnel): void {
    for (const key of labelKeys(tunnel.labels)) {
      const tunnels = presence.byLabel.get(key);
      if (tunnels === undefined) presence.byLabel.set(key, new Set([tunnel]));
      else tunnels.add(tunnel);
    }
    presence.generation = ++this.#generation;
  }

  #unindex(presence: Presence, tunnel: Tunnel): void {
    for (const key of labelKeys(tunnel.labels)) {
      const tunnels = presence.byLabel.get(key);
      tunnels?.delete(tunnel);
      if (tunnels?.size === 0) presence.byLabel.delete(key);
    }
    presence.generation = ++this.#generation;
  }
}

/** Keys of labels have no `=`, so the text is unambiguous. */
function* labelKeys(labels: ReadonlyMap<string, string>): Iterable<string> {
  for (const [key, value] of labels) yield `${key}=${value}`;
}

function select(
  byLabel: ReadonlyMap<string, ReadonlySet<Tunnel>>,
  labels: ReadonlyMap<string, string>,
): readonly LiveTunnel[] {
  const sets: ReadonlySet<Tunnel>[] = [];
  for (const key of labelKeys(labels)) {
    const tunnels = byLabel.get(key);
    if (tunnels === undefined) return none;
    sets.push(tunnels);
  }
  const [smallest, ...others] = sets.sort((a, b) => a.size - b.size);
  return smallest === undefined
    ? none
    : [...smallest].filter((tunnel) => others.every((set) => set.has(tunnel)));
}
