/**
 * Sessions and tunnels that are online, by account, name and label: those of this daemon, and those of others as the
 * directory has them. All changes are synchronous, so a look-up never sees a half-done one. Other modules decide who
 * may have a name.
 */
import { type BindTarget, plainName, tcpPort } from '../core/names/bind-target.ts';
import type { Hostname, HostPattern } from '../core/names/hostname.ts';
import type {
  Exclusion,
  OnlineFacts,
  OnlineTunnels,
  TunnelHandle,
  TunnelsWithoutTls,
  WantedName,
} from '../online/online.ts';
import type { SessionFacts, SessionHandle } from '../online/session.ts';
import type { TunnelFacts } from '../online/tunnel-facts.ts';
import type { BoundNames } from './bound-names.ts';
import type { Claims } from './claims.ts';
import { type Effect, effectOf } from './directory/decide.ts';
import { LabelledTunnels } from './labelled-tunnels.ts';
import type { RemoteTunnel } from './remote/remote-tunnel.ts';
import type { Tunnel } from './tunnel.ts';

/** An account's share of what is online. Maps keep the order of ids. */
interface Presence {
  readonly sessions: Map<string, SessionHandle>;
  readonly tunnels: Map<string, Tunnel>;
}

/** Sessions and tunnels of other daemons, whether or not these can be reached. */
export interface OtherDaemons {
  sessions(account: string): Iterable<SessionFacts>;
  session(id: string, account: string): SessionHandle | undefined;
  tunnels(account: string): Iterable<TunnelFacts>;
}

export interface RegistryParts {
  readonly names: BoundNames;
  readonly claims: Claims;
}

export class Registry implements OnlineFacts, OnlineTunnels, TunnelsWithoutTls {
  readonly #names: BoundNames;
  readonly #claims: Claims;
  readonly #labelled = new LabelledTunnels();
  readonly #accounts = new Map<string, Presence>();
  /** Null: this is the only daemon. */
  #others: OtherDaemons | null = null;
  #sessionCount = 0;
  #tunnelCount = 0;

  constructor({ names, claims }: RegistryParts) {
    this.#names = names;
    this.#claims = claims;
  }

  /** Adds what other daemons have. Call it once, before anything is looked up. */
  include(others: OtherDaemons): void {
    this.#others = others;
  }

  /** Numbers of sessions and tunnels of this daemon. */
  get counts(): { readonly sessions: number; readonly tunnels: number } {
    return { sessions: this.#sessionCount, tunnels: this.#tunnelCount };
  }

  *sessions(account: string): Iterable<SessionFacts> {
    for (const { facts } of this.#accounts.get(account)?.sessions.values() ?? []) yield facts;
    if (this.#others !== null) yield* this.#others.sessions(account);
  }

  session(id: string, account: string): SessionHandle | undefined {
    return this.ownSession(id, account) ?? this.#others?.session(id, account);
  }

  /** A session of this daemon. */
  ownSession(id: string, account: string): SessionHandle | undefined {
    return this.#accounts.get(account)?.sessions.get(id);
  }

  *tunnels(account: string): Iterable<TunnelFacts> {
    for (const { facts } of this.#accounts.get(account)?.tunnels.values() ?? []) yield facts;
    if (this.#others !== null) yield* this.#others.tunnels(account);
  }

  byName(name: HostPattern | Hostname): TunnelHandle | undefined {
    return this.#names.at(name)[0];
  }

  byPlainName(name: HostPattern | Hostname): TunnelHandle | undefined {
    return this.#names.at(plainName(name))[0];
  }

  byPort(port: number): TunnelHandle | undefined {
    return this.#names.at(tcpPort(port))[0];
  }

  get ports(): ReadonlySet<number> {
    return this.#names.ports;
  }

  onPorts(listener: () => void): void {
    this.#names.onPorts(listener);
  }

  onNamed(listener: (name: HostPattern) => void): void {
    this.#names.onNamed(listener);
  }

  heldFor(name: HostPattern | Hostname): string | undefined {
    return this.#claims.heldFor(name);
  }

  occupied(pattern: BindTarget, account: string): 'online' | 'held' | null {
    return this.#claims.occupied(pattern, account);
  }

  reserving<T>(
    names: readonly WantedName[],
    account: string,
    write: (exclusion: Exclusion | null) => Promise<T>,
  ): Promise<T> {
    return this.#claims.reserving(names, account, write);
  }

  matching(account: string, labels: ReadonlyMap<string, string>): readonly TunnelHandle[] {
    return this.#labelled.matching(account, labels);
  }

  /** Every tunnel of this daemon that has a name or port which `matches`. */
  named(matches: (name: BindTarget) => boolean): Iterable<Tunnel> {
    return this.#names.tunnels(matches);
  }

  /** Puts a tunnel of another daemon in its place among those that visitors find. */
  enterRemote(tunnel: RemoteTunnel): void {
    const { endpoint } = tunnel.facts;
    if (endpoint === null) {
      this.#labelled.add(tunnel);
      return;
    }
    this.#names.enterRemote(endpoint, tunnel);
    this.#names.announce(endpoint, 'entered');
  }

  /** Takes a tunnel of another daemon away. `isLost`: its daemon cannot be reached, so nothing of it may finish. */
  leaveRemote(tunnel: RemoteTunnel, isLost: boolean): void {
    const { endpoint } = tunnel.facts;
    if (endpoint === null) this.#labelled.delete(tunnel);
    else this.#names.leave(endpoint, tunnel);
    tunnel.goOffline(isLost);
    if (endpoint !== null) this.#names.announce(endpoint, 'left');
  }

  /** Returns the effect on other tunnels of this daemon if this one comes online. */
  effectOf({ facts }: Tunnel): Effect<Tunnel> {
    return effectOf(facts.endpoint === null ? [] : this.#names.own(facts.endpoint.slot), facts);
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
   * Puts a tunnel online, with its granted name if it has one. The tunnels that it replaces go offline first and are
   * returned, so that the caller can notify their agents.
   */
  add(tunnel: Tunnel): readonly Tunnel[] {
    const { account, endpoint } = tunnel.facts;
    const { replaces } = this.effectOf(tunnel);
    for (const one of replaces) this.remove(one);
    if (endpoint !== null) {
      this.#claims.settle(tunnel);
      this.#names.enter(endpoint, tunnel);
    }
    this.#presence(account).tunnels.set(tunnel.id, tunnel);
    this.#tunnelCount += 1;
    if (endpoint === null) this.#labelled.add(tunnel);
    else this.#names.announce(endpoint, 'entered');
    return replaces;
  }

  /**
   * Takes a tunnel offline; requests that are under way may finish for so many milliseconds. Idempotent, and without
   * effect on a newer tunnel of the same name.
   */
  remove(tunnel: Tunnel, finishMs = 0): void {
    if (this.#takeOffline(tunnel, finishMs)) this.#claims.end(tunnel);
  }

  /** Does what `remove` does, and has the name held for its credential, unless others have the name, too. */
  lose(tunnel: Tunnel, isReserved: boolean, finishMs = 0): void {
    if (this.#takeOffline(tunnel, finishMs)) this.#claims.hold(tunnel, isReserved);
  }

  /** Returns true if it was online. */
  #takeOffline(tunnel: Tunnel, finishMs = 0): boolean {
    const { account, endpoint } = tunnel.facts;
    const presence = this.#accounts.get(account);
    if (presence?.tunnels.delete(tunnel.id) !== true) return false;
    this.#tunnelCount -= 1;
    if (endpoint === null) this.#labelled.delete(tunnel);
    else this.#names.leave(endpoint, tunnel);
    this.#forgetEmpty(account, presence);
    // Last, so that observers do not find the tunnel any more.
    tunnel.goOffline(finishMs);
    if (endpoint !== null) this.#names.announce(endpoint, 'left');
    return true;
  }

  #presence(account: string): Presence {
    const presence = this.#accounts.get(account) ?? { sessions: new Map(), tunnels: new Map() };
    this.#accounts.set(account, presence);
    return presence;
  }

  #forgetEmpty(account: string, presence: Presence): void {
    if (presence.sessions.size === 0 && presence.tunnels.size === 0) this.#accounts.delete(account);
  }
}
