/**
 * Claims over all daemons of one database. A name is claimed on this daemon first, and then in the directory.
 * Invariant: a tunnel with a name is online only with a grant of the directory.
 */
import {
  type BindTarget,
  isTcpPort,
  patternsAbove,
  type Slot,
  targetsOverlap,
} from '../core/names/bind-target.ts';
import { isWildcard } from '../core/names/hostname.ts';
import { claimsAround, openToAgents } from '../documents/name-claims.ts';
import { Problem } from '../errors/problem.ts';
import type { Exclusion, WantedName } from '../online/online.ts';
import type { OverReason } from '../store/postgres/directory.ts';
import type { ExcludedName } from '../store/store.ts';
import type { Claims } from './claims.ts';
import { type Claimant, decide, effectOf, nameGraceMs, occupation, sharesWith } from './directory/decide.ts';
import type { TunnelEntry } from './directory/entry.ts';
import type { RenewalReport } from './directory/isolation.ts';
import type { Mark } from './directory/mark.ts';
import { DirectoryNode } from './directory/node.ts';
import type { NodeOptions } from './directory/node-options.ts';
import type { ClaimOutcome } from './directory/queue.ts';
import type { DirectoryRow, Incarnation, KnownNode } from './directory/row.ts';
import { keyOf, labelledKey, targetOf, toStored, toUpdated } from './directory/stored.ts';
import type { Grant } from './grants.ts';
import type { Lease } from './leases.ts';
import type { LocalClaims } from './local-claims.ts';
import { Publications } from './publications.ts';
import type { SessionQuotas } from './session-quotas.ts';
import { SharedChanges, type SharedChangesOptions } from './shared-changes.ts';
import type { SharedDirectory } from './shared-directory.ts';
import { SharedSessions } from './shared-sessions.ts';
import type { Tunnel } from './tunnel.ts';

/** Names that are held for one credential. The oldest one is free if there are more. */
const MOST_HELD = 10_000;

/** The errors with which sessions end, by the reason why their daemon serves nothing. */
export const fencedAs = {
  dead: 'sessionNodeFenced',
  lost: 'sessionNodeFenced',
  silent: 'sessionNodeFenced',
  isolated: 'sessionNodeIsolated',
} as const;

export interface SharedClaimsOptions
  extends Omit<NodeOptions, 'over' | 'fenced' | 'forgotten'>,
    SharedChangesOptions {
  readonly local: LocalClaims;
  readonly isReserved: (name: BindTarget) => boolean;
  /** Takes a tunnel offline. `reason`: null if a newer tunnel of its credential has the name, so that its agent is notified. */
  readonly over: (tunnel: Tunnel, reason: OverReason | null) => void;
  /** Ends a session, because its agent has connected to another daemon. */
  readonly sessionOver: (session: string) => void;
  /** Ends all sessions, so that their agents connect again. */
  readonly fenced: (reason: keyof typeof fencedAs) => void;
  readonly quotas: Pick<SessionQuotas, 'add' | 'remove'>;
}

export class SharedClaims implements Claims, SharedDirectory {
  readonly #options: SharedClaimsOptions;
  readonly #local: LocalClaims;
  readonly #node: DirectoryNode;
  readonly #numbers = new WeakMap<Grant, number>();
  readonly #online = new Map<number, Tunnel>();
  readonly #published: Publications<Tunnel>;
  readonly sessions: SharedSessions;
  /** Names that this daemon holds for agents that have left, by number, oldest first. */
  readonly #held = new Map<number, Lease>();
  /** The numbers of held names, oldest first. */
  readonly #heldBy = new Map<string, Set<number>>();

  constructor(options: SharedClaimsOptions) {
    this.#options = options;
    this.#local = options.local;
    const changes = new SharedChanges(options);
    this.#node = new DirectoryNode({
      ...options,
      over: (number, reason) => this.#over(number, reason),
      fenced: (reason) => options.fenced(reason),
      forgotten: (places) => changes.forget(places),
    });
    this.#published = new Publications(this.#node);
    this.sessions = new SharedSessions({ node: this.#node, quotas: options.quotas });
    this.#node.onRows((key) => changes.learn(this.#node.rows(key)));
  }

  get serves(): boolean {
    return this.#node.serves;
  }

  get incarnation(): Incarnation | null {
    return this.#node.incarnation;
  }

  get draining(): Mark {
    return this.#node.draining;
  }

  get isolated(): Mark {
    return this.#node.isolated;
  }

  get renewals(): RenewalReport | null {
    return this.#node.renewals;
  }

  /** Declares another daemon dead that has reported its isolation. Rejects without the database. */
  bury(incarnation: Incarnation): Promise<void> {
    return this.#node.bury(incarnation);
  }

  drain(): Promise<void> {
    return this.#node.drain();
  }

  get nodes(): ReadonlyMap<Incarnation, KnownNode> {
    return this.#node.nodes;
  }

  onRows(listener: (key: string) => void): void {
    this.#node.onRows(listener);
  }

  liveElsewhere(key: string): readonly DirectoryRow[] {
    return this.#node.liveElsewhere(key);
  }

  row(number: number): DirectoryRow | undefined {
    return this.#node.row(number);
  }

  keys(): Iterable<string> {
    return this.#node.keys();
  }

  /** Ends own tunnels that claims of other daemons have replaced. */
  endReplaced(numbers: readonly number[]): void {
    this.#node.end(numbers);
  }

  tunnelOf(number: number): Tunnel | undefined {
    return this.#online.get(number);
  }

  start(): Promise<void> {
    return this.#node.start();
  }

  stop(): Promise<void> {
    return this.#node.stop();
  }

  async claim(name: BindTarget, wish: Claimant, describe: () => TunnelEntry): Promise<Grant> {
    const grant = await this.#local.claim(name, wish);
    try {
      const entry = describe();
      const revived = this.#revived(name, wish, entry);
      this.#numbers.set(grant, revived ?? (await this.#claimed(name, wish, entry)));
      return grant;
    } catch (error) {
      this.#local.release(grant);
      throw error;
    }
  }

  publish(tunnel: Tunnel, describe: () => TunnelEntry): void {
    const claimed = () => toStored(tunnel.facts, null, 0, describe());
    this.#published.add(tunnel, labelledKey(tunnel.id), claimed, (number) =>
      this.#online.set(number, tunnel),
    );
  }

  changed(tunnel: Tunnel, describe: () => TunnelEntry): void {
    const number = this.#numberOf(tunnel);
    if (number === undefined) this.#published.change(tunnel);
    else this.#node.update(number, toUpdated(tunnel.facts, describe()));
  }

  /** Has other daemons end the tunnels of a bind in its agent's connections to them. */
  unboundElsewhere({ facts }: Tunnel): void {
    const { account, credential, session, bindId, endpoint } = facts;
    const rows =
      endpoint === null
        ? this.sessions.labelledElsewhere(facts)
        : this.#node
            .liveElsewhere(keyOf(endpoint.key))
            .filter((row) => row.facts.endpoint?.slot === endpoint.slot);
    for (const row of rows) {
      const isSame = row.facts.account === account && row.facts.credential === credential;
      const isBind = row.facts.clientId === facts.clientId && row.facts.bindId === bindId;
      if (isSame && isBind && row.facts.session !== session) this.#node.markOver(row, 'unbind');
    }
  }

  claimFree(name: BindTarget, wish: Claimant): Grant | null {
    return this.isFree(name) ? this.#local.claimFree(name, wish) : null;
  }

  cancel(session: string): void {
    this.#node.cancel(session);
  }

  release(grant: Grant): void {
    this.#local.release(grant);
    const number = this.#numbers.get(grant);
    if (number !== undefined && !this.#online.has(number)) this.#node.giveUp(number);
  }

  denial(name: BindTarget, wish: Claimant): Problem | null {
    const denied = this.#local.denial(name, wish);
    if (denied !== null) return denied;
    const decision = decide(this.#node.rows(keyOf(name)), wish, Date.now());
    if (decision.outcome === 'granted') return null;
    if (decision.error === 'bindNameOnline') return new Problem(decision.error, { name });
    return new Problem(decision.error, { name, seconds: decision.seconds });
  }

  isFree(name: BindTarget): boolean {
    return this.#local.isFree(name) && this.#rows(name).length === 0;
  }

  isOpenTo(name: BindTarget, wish: Claimant): boolean {
    return !this.isFree(name) && this.denial(name, wish) === null;
  }

  occupied(pattern: BindTarget, account: string): 'online' | 'held' | null {
    const here = this.#local.occupied(pattern, account);
    if (here !== null) return here;
    for (const name of this.#inTheWayOf(pattern)) {
      const found = occupation(this.#rows(name), account, Date.now());
      if (found !== null) return found;
    }
    return null;
  }

  /** The database decides, because tunnels of other daemons are known here a moment later. */
  reserving<T>(
    names: readonly WantedName[],
    account: string,
    write: (exclusion: Exclusion) => Promise<T>,
  ): Promise<T> {
    return write({ op: 'exclude', account, names: names.map(excludedBy) });
  }

  heldFor(name: BindTarget): string | undefined {
    return this.#rows(name).find(({ heldUntil }) => heldUntil !== undefined)?.facts.account;
  }

  settle(tunnel: Tunnel): void {
    const number = this.#numberOf(tunnel);
    if (number !== undefined) this.#online.set(number, tunnel);
  }

  end(tunnel: Tunnel): void {
    const published = this.#published.remove(tunnel, { forgotten: true });
    const number = published ?? this.#numberOf(tunnel);
    if (number === undefined) return;
    this.#online.delete(number);
    this.#node.giveUp(number, { forgotten: true });
  }

  hold(tunnel: Tunnel, isReserved: boolean): void {
    const published = this.#published.remove(tunnel);
    if (published !== null) this.#online.delete(published);
    const number = this.#numberOf(tunnel);
    const { endpoint, account, credential, session, clientId, isPooled } = tunnel.facts;
    if (number === undefined || endpoint === null) return;
    this.#online.delete(number);
    this.#node.giveUp(number, { kept: true });
    const now = this.#options.now().uptime;
    for (const [old, lease] of this.#held) {
      if (lease.until > now) break;
      this.#forget(old, lease);
    }
    const until = now + nameGraceMs(isReserved);
    const bearer = { account, credential, session, clientId, isPooled };
    this.#held.set(number, { name: endpoint.key, target: endpoint, until, ...bearer });
    const numbers = this.#heldBy.get(credential) ?? new Set();
    this.#heldBy.set(credential, numbers.add(number));
    const [oldest] = numbers;
    if (oldest !== undefined && numbers.size > MOST_HELD) this.#release(oldest, this.#held.get(oldest)!);
  }

  releaseLeases(matches: (lease: Lease) => boolean): void {
    for (const [number, lease] of this.#held) if (matches(lease)) this.#release(number, lease);
  }

  #release(number: number, lease: Lease): void {
    this.#forget(number, lease);
    this.#node.release(keyOf(lease.name), number);
  }

  #forget(number: number, { credential }: Lease): void {
    this.#held.delete(number);
    const numbers = this.#heldBy.get(credential);
    numbers?.delete(number);
    if (numbers?.size === 0) this.#heldBy.delete(credential);
  }

  #revived(name: BindTarget, wish: Claimant, entry: TunnelEntry): number | null {
    // Other daemons keep the modules of a tunnel for as long as its number is in use.
    const isAlike = (row: DirectoryRow) =>
      row.entry?.kind === 'tunnel' && row.entry.behaviour === entry.behaviour;
    const number = this.#node.revive(keyOf(name), wish, isAlike);
    if (number !== null) this.#node.update(number, toUpdated(wish, entry));
    return number;
  }

  async #claimed(name: BindTarget, wish: Claimant, entry: TunnelEntry): Promise<number> {
    // A claim may end the tunnel of another agent, so one that would fail after it is refused before.
    this.#refuseUnlike(name, wish, entry);
    const hold = nameGraceMs(this.#options.isReserved(name));
    const slot: Slot = wish.endpoint?.slot ?? name;
    const text = entry.facts.endpoint?.text ?? String(name);
    const unless = { names: claimsAround(name, text), open: openToAgents };
    const outcome = await this.#node.claim(keyOf(name), toStored(wish, slot, hold, entry), unless);
    if (outcome.outcome === 'reserved') throw reservedProblem(name, text, outcome.account === wish.account);
    if (outcome.outcome !== 'granted') throw problemOf(name, outcome);
    try {
      this.#refuseUnlike(name, wish, entry);
    } catch (error) {
      this.#node.giveUp(outcome.number);
      throw error;
    }
    return outcome.number;
  }

  /** Visitors must find the same at every tunnel of a name. Raises Problem. */
  #refuseUnlike(name: BindTarget, wish: Claimant, { behaviour, facts }: TunnelEntry): void {
    const { joins } = effectOf(this.#node.liveElsewhere(keyOf(name)), wish);
    const isUnlike = ({ entry }: DirectoryRow) => entry?.kind === 'tunnel' && entry.behaviour !== behaviour;
    if (joins.some((row) => sharesWith(row.facts, wish) && isUnlike(row)))
      throw new Problem('bindSharedUnlike', { name: facts.endpoint?.text ?? '' });
  }

  #over(number: number, reason: OverReason | null): void {
    const tunnel = this.#online.get(number);
    if (reason === 'session')
      this.#options.sessionOver(tunnel?.session ?? this.sessions.own(number)?.id ?? '');
    this.#online.delete(number);
    if (tunnel !== undefined) this.#options.over(tunnel, reason);
  }

  #numberOf({ grant }: Tunnel): number | undefined {
    return grant === null ? undefined : this.#numbers.get(grant);
  }

  /** Rows that are not past, as far as this machine's clock shows. */
  #rows(name: BindTarget) {
    const now = Date.now();
    return this.#node.rows(keyOf(name)).filter(({ heldUntil = Number.POSITIVE_INFINITY }) => heldUntil > now);
  }

  *#inTheWayOf(pattern: BindTarget): Iterable<BindTarget> {
    yield pattern;
    yield* patternsAbove(pattern);
    if (isTcpPort(pattern) || !isWildcard(pattern)) return;
    for (const key of this.#node.keys()) {
      const name = targetOf(key);
      if (name !== null && targetsOverlap(name, pattern)) yield name;
    }
  }
}

/** The keys that `targetsOverlap` compares, as far as there are few, and the end of all others. */
function excludedBy({ name, includesOwn }: WantedName): ExcludedName {
  const keys = [...new Set([name, ...patternsAbove(name)])].map(keyOf);
  const below = isTcpPort(name) || !isWildcard(name) ? null : name.slice(1);
  return { keys, below, includesOwn };
}

/** An account keeps its own agents from a name only by an edge. */
function reservedProblem(name: BindTarget, text: string, isOwn: boolean): Problem {
  if (isOwn) return new Problem('bindNameOfEdge', { name: text });
  const code = isTcpPort(name) ? 'bindAddressReservedElsewhere' : 'bindNameReservedElsewhere';
  return new Problem(code, { name: text });
}

type Refused = Exclude<ClaimOutcome, { outcome: 'granted' | 'reserved' }>;

function problemOf(name: BindTarget, outcome: Refused): Problem {
  if (outcome.outcome === 'over') return new Problem('bindNameOnline', { name });
  if (outcome.wait === null) return new Problem('bindNameOnline', { name });
  return new Problem('bindNameHeld', { name, seconds: Math.ceil(outcome.wait / 1000) });
}
