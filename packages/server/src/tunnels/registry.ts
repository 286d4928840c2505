/**
 * Online sessions and tunnels, by name and by label. Other modules decide whether a credential may have a name.
 * Invariant: two credentials never have one name, unless both share it.
 */
import {
  type BindTarget,
  isTcpPort,
  patternsAbove,
  plainName,
  type Slot,
  targetsOverlap,
  tcpPort,
} from '../core/names/bind-target.ts';
import { type Hostname, type HostPattern, isWildcard } from '../core/names/hostname.ts';
import type { Problem } from '../errors/problem.ts';
import type {
  OnlineFacts,
  OnlineTunnels,
  TunnelHandle,
  TunnelPool,
  TunnelsWithoutTls,
} from '../online/online.ts';
import type { SessionFacts, SessionHandle } from '../online/session.ts';
import type { EndpointFacts, TunnelFacts } from '../online/tunnel-facts.ts';
import { Claims, type Generation } from './claims.ts';
import { type Lease, Leases } from './leases.ts';
import { type NameHolder, taken } from './names.ts';
import { PendingNames } from './pending-names.ts';
import { type Sharer, sharesWith } from './sharing.ts';
import type { Tunnel } from './tunnel.ts';

/**
 * Milliseconds. Another account cannot take names of reserved domains, so agents of one credential replace each other
 * sooner.
 */
const reservedNameGraceMs = 60_000;
const randomNameGraceMs = 300_000;
/** Number of tunnels that the agents of a credential may have had online before an outage. */
const leasesPerCredential = 10_000;
const none: readonly TunnelHandle[] = [];

/** An account's share of what is online. Maps keep the order of ids. */
interface Presence {
  readonly sessions: Map<string, SessionHandle>;
  readonly tunnels: Map<string, Tunnel>;
  readonly byLabel: Map<string, Set<Tunnel>>;
  /** Changes with the set of labelled tunnels; never the same for two sets. */
  generation: number;
}

interface Match {
  readonly account: string;
  readonly generation: number;
  readonly tunnels: readonly TunnelHandle[];
}

/** Those that share a name: never none. */
interface Pool extends TunnelPool {
  readonly tunnels: Tunnel[];
}

/** Who is online on this node. All changes are synchronous, so a look-up never sees a half-done one. */
export class Registry implements OnlineFacts, OnlineTunnels, TunnelsWithoutTls {
  readonly #accounts = new Map<string, Presence>();
  readonly #names = new Map<Slot, Pool>();
  readonly #leases: Leases;
  readonly #claims = new Claims();
  readonly #pending = new PendingNames();
  readonly #now: () => number;
  /** Matches by the selector object itself: a backend keeps its selector until it changes. */
  readonly #matches = new WeakMap<ReadonlyMap<string, string>, Match>();
  readonly #ports = new Set<number>();
  readonly #portListeners: (() => void)[] = [];
  readonly #nameListeners: ((name: HostPattern) => void)[] = [];
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

  sessions(account: string): Iterable<SessionFacts> {
    return Array.from(this.#accounts.get(account)?.sessions.values() ?? [], ({ facts }) => facts);
  }

  session(id: string, account: string): SessionHandle | undefined {
    return this.#accounts.get(account)?.sessions.get(id);
  }

  *tunnels(account: string): Iterable<TunnelFacts> {
    for (const { facts } of this.#accounts.get(account)?.tunnels.values() ?? []) yield facts;
  }

  byName(name: HostPattern | Hostname): TunnelHandle | undefined {
    return this.#names.get(name)?.tunnels[0];
  }

  isBound(name: HostPattern | Hostname): boolean {
    return this.#names.has(name);
  }

  byPlainName(name: HostPattern | Hostname): TunnelHandle | undefined {
    return this.#names.get(plainName(name))?.tunnels[0];
  }

  byPort(port: number): TunnelHandle | undefined {
    return this.#names.get(tcpPort(port))?.tunnels[0];
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

  heldFor(name: HostPattern | Hostname): string | undefined {
    return this.#leases.get(name)?.account;
  }

  occupied(pattern: BindTarget, account: string): 'online' | 'held' | null {
    for (const name of this.#inTheWayOf(pattern)) {
      const [bearer] = this.#onlineAt(name);
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
   * Gives a name to a claimant, who then has it against all other credentials that do not share it until add() or release(). Waits
   * while another account reserves the name; when there is nothing to wait for it is taken in this turn, so that no other draw gives
   * it. Raises Problem: another credential has it.
   */
  async claim(name: BindTarget, claimant: Sharer): Promise<Generation> {
    const { account } = claimant;
    for (
      let over = this.#pending.before(name, account);
      over !== null;
      over = this.#pending.before(name, account)
    )
      await over;
    const problem = taken(name, this.#rivalOf(name, claimant));
    if (problem !== null) throw problem;
    return this.#claims.add(name, claimant);
  }

  /** Claims like claim(), in this turn. Null: the name has a holder, or another account reserves it. */
  claimFree(name: BindTarget, claimant: Sharer): Generation | null {
    if (!this.isFree(name) || this.#pending.before(name, claimant.account) !== null) return null;
    return this.#claims.add(name, claimant);
  }

  /** Returns the reason why a claim would be refused at this moment; null: it would not. */
  claimDenial(name: BindTarget, claimant: Sharer): Problem | null {
    return taken(name, this.#rivalOf(name, claimant));
  }

  /** Gives back what was claimed. Idempotent, and without effect on a tunnel that came online with it. */
  release(generation: Generation): void {
    this.#claims.release(generation);
  }

  matching(account: string, labels: ReadonlyMap<string, string>): readonly TunnelHandle[] {
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
    for (const { tunnels } of this.#names.values())
      for (const tunnel of tunnels)
        if (tunnel.facts.endpoint !== null && matches(tunnel.facts.endpoint.key)) yield tunnel;
  }

  /** Returns true if the name has no tunnel, claim or lease. */
  isFree(name: BindTarget): boolean {
    return this.#bearersOf(name).length === 0;
  }

  /** Returns true if the name has a holder that the claimant may replace or share with. */
  isOpenTo(name: BindTarget, claimant: Sharer): boolean {
    return !this.isFree(name) && this.#rivalOf(name, claimant) === undefined;
  }

  /** Those that share their name with the tunnel when it comes online, itself not among them. */
  sharing(tunnel: Tunnel): readonly Tunnel[] {
    const replaced = this.replacedBy(tunnel);
    return this.#at(tunnel).filter((other) => !replaced.includes(other));
  }

  /**
   * Those that go offline when the tunnel comes online: they are of its credential and share nothing with it, or it is the same bind
   * once more. Never one of another credential, which may share no more since the name was claimed.
   */
  replacedBy(tunnel: Tunnel): readonly Tunnel[] {
    const isSameBind = (other: Tunnel) => other.session === tunnel.session && other.bindId === tunnel.bindId;
    const gives = ({ facts }: Tunnel) =>
      facts.credential === tunnel.facts.credential && !sharesWith(facts, tunnel.facts);
    return this.#at(tunnel).filter((other) => gives(other) || isSameBind(other));
  }

  /** Ends the leases of names without a tunnel. */
  releaseLeases(matches: (lease: Lease) => boolean): void {
    this.#leases.releaseWhere(matches);
  }

  addSession(session: SessionHandle): void {
    const { id, account } = session.facts;
    this.#presence(account).sessions.set(id, session);
    this.#sessionCount += 1;
  }

  removeSession({ id, account }: SessionFacts): void {
    const presence = this.#accounts.get(account);
    if (presence?.sessions.delete(id) !== true) return;
    this.#sessionCount -= 1;
    this.#forgetEmpty(account, presence);
  }

  /**
   * Puts a tunnel online, with its claimed name if it has one. The tunnels that it replaces go offline first and are
   * returned, so that the caller can notify their agents.
   */
  add(tunnel: Tunnel): readonly Tunnel[] {
    const { account, endpoint } = tunnel.facts;
    const earlier = this.replacedBy(tunnel);
    for (const one of earlier) this.remove(one);
    const pool = endpoint && this.#enter(endpoint, tunnel);
    const presence = this.#presence(account);
    presence.tunnels.set(tunnel.id, tunnel);
    this.#tunnelCount += 1;
    if (endpoint === null) this.#index(presence, tunnel);
    else if (endpoint.kind === 'address') this.#setPort(endpoint.port, true);
    else if (pool?.tunnels.length === 1)
      for (const listener of this.#nameListeners) listener(endpoint.hostname);
    return earlier;
  }

  /** Puts a tunnel into the pool of its slot. Most are alone there: a list that grows has room for many at once. */
  #enter({ id, key, slot }: EndpointFacts, tunnel: Tunnel): Pool {
    this.#leases.release(key);
    const known = this.#names.get(slot);
    const pool = known ?? { id, tunnels: [tunnel] };
    if (known === undefined) this.#names.set(slot, pool);
    else known.tunnels.push(tunnel);
    tunnel.pool = pool;
    return pool;
  }

  /**
   * Takes a tunnel offline; requests that are under way may finish for so many milliseconds. Idempotent, and without effect on a newer tunnel of
   * the same name.
   */
  remove(tunnel: Tunnel, finishMs = 0): void {
    const { account, endpoint } = tunnel.facts;
    const presence = this.#accounts.get(account);
    if (presence?.tunnels.delete(tunnel.id) !== true) return;
    this.#tunnelCount -= 1;
    if (endpoint === null) this.#unindex(presence, tunnel);
    else this.#leave(endpoint.slot, tunnel);
    this.#forgetEmpty(account, presence);
    // Last, so that observers do not find the tunnel any more.
    tunnel.goOffline(finishMs);
    if (endpoint?.kind === 'address') this.#setPort(endpoint.port, this.#names.has(endpoint.slot));
  }

  /** Takes a tunnel offline and holds its name for its credential to come back, unless others have the name, too. */
  lose(tunnel: Tunnel, reserved: boolean): void {
    const { facts } = tunnel;
    const { endpoint } = facts;
    const online = this.#at(tunnel).includes(tunnel);
    this.remove(tunnel);
    if (endpoint === null || !online || this.#names.has(endpoint.slot)) return;
    this.#leases.hold(endpoint, facts, reserved ? reservedNameGraceMs : randomNameGraceMs);
  }

  #at({ facts: { endpoint } }: Tunnel): readonly Tunnel[] {
    return (endpoint && this.#names.get(endpoint.slot)?.tunnels) ?? [];
  }

  #leave(slot: Slot, tunnel: Tunnel): void {
    const { tunnels = [] } = this.#names.get(slot) ?? {};
    tunnels.splice(tunnels.indexOf(tunnel), 1);
    if (tunnels.length === 0) this.#names.delete(slot);
  }

  #bearersOf(name: BindTarget): readonly (Sharer & Partial<Pick<Lease, 'until'>>)[] {
    const lease = this.#leases.get(name);
    return lease === undefined ? this.#onlineAt(name) : [...this.#onlineAt(name), lease];
  }

  /** Returns a holder of the name with another credential that does not share it with the claimant. */
  #rivalOf(name: BindTarget, claimant: Sharer): NameHolder | undefined {
    const isRival = (one: Sharer) => one.credential !== claimant.credential && !sharesWith(one, claimant);
    const rival = this.#bearersOf(name).find(isRival);
    if (rival === undefined) return undefined;
    const { until } = rival;
    return { heldSeconds: until === undefined ? null : Math.ceil((until - this.#now()) / 1000) };
  }

  #setPort(port: number, isOnline: boolean): void {
    if (isOnline) this.#ports.add(port);
    else this.#ports.delete(port);
    for (const listener of this.#portListeners) listener();
  }

  /** Returns the tunnels and claims of the name, with and without TLS: all are of one account. */
  #onlineAt(name: BindTarget): readonly Sharer[] {
    const slots: Slot[] = isTcpPort(name) ? [name] : [name, plainName(name)];
    const online = slots.flatMap((slot) => this.#names.get(slot)?.tunnels ?? []);
    return [...online.map(({ facts }) => facts), ...this.#claims.of(name)];
  }

  /** Names and wildcards that may be online or held and overlap with the pattern: above a name few, below a wildcard any. */
  *#inTheWayOf(pattern: BindTarget): Iterable<BindTarget> {
    yield pattern;
    yield* patternsAbove(pattern);
    if (isTcpPort(pattern) || !isWildcard(pattern)) return;
    const online = [...this.#names.values()].flatMap(({ tunnels }) => tunnels[0]?.facts.endpoint?.key ?? []);
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
    for (const key of labelKeys(Object.entries(tunnel.facts.labels))) {
      const tunnels = presence.byLabel.get(key);
      if (tunnels === undefined) presence.byLabel.set(key, new Set([tunnel]));
      else tunnels.add(tunnel);
    }
    presence.generation = ++this.#generation;
  }

  #unindex(presence: Presence, tunnel: Tunnel): void {
    for (const key of labelKeys(Object.entries(tunnel.facts.labels))) {
      const tunnels = presence.byLabel.get(key);
      tunnels?.delete(tunnel);
      if (tunnels?.size === 0) presence.byLabel.delete(key);
    }
    presence.generation = ++this.#generation;
  }
}

/** Keys of labels have no `=`, so the text is unambiguous. */
function* labelKeys(labels: Iterable<readonly [string, string]>): Iterable<string> {
  for (const [key, value] of labels) yield `${key}=${value}`;
}

function select(
  byLabel: ReadonlyMap<string, ReadonlySet<Tunnel>>,
  labels: ReadonlyMap<string, string>,
): readonly TunnelHandle[] {
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
