/**
 * Claims of one daemon, in memory. All changes are synchronous, so a look-up never sees a half-done one.
 * Invariant: a grant is given in the turn of its decision.
 */
import {
  type BindTarget,
  isTcpPort,
  patternsAbove,
  plainName,
  type Slot,
  targetsOverlap,
} from '../core/names/bind-target.ts';
import { isWildcard } from '../core/names/hostname.ts';
import { Problem } from '../errors/problem.ts';
import type { WantedName } from '../online/online.ts';
import { ConflictError } from '../store/store.ts';
import type { Claiming, Claims } from './claims.ts';
import { type Claimant, decide, holdMs, occupation, type Row } from './directory/decide.ts';
import { type Grant, Grants } from './grants.ts';
import { type Lease, Leases } from './leases.ts';
import { PendingNames } from './pending-names.ts';

/** Number of tunnels that the agents of a credential may have had online before an outage. */
const leasesPerCredential = 10_000;

/** No account: binds of all accounts wait. */
const EVERYBODY = '';

/** Tunnels of this daemon that have names and ports. */
export interface Bound {
  own(slot: Slot): readonly Row[];
  names(): Iterable<BindTarget>;
}

export class LocalClaims implements Claims {
  readonly #bound: Bound;
  readonly #now: () => number;
  readonly #leases: Leases;
  readonly #grants = new Grants();
  readonly #pending = new PendingNames();

  /** `now` in milliseconds, of a clock that does not jump. */
  constructor({ bound, now }: { readonly bound: Bound; readonly now: () => number }) {
    this.#bound = bound;
    this.#now = now;
    this.#leases = new Leases({ now, perCredential: leasesPerCredential });
  }

  async claim(name: BindTarget, wish: Claimant): Promise<Grant> {
    const { account } = wish;
    for (
      let over = this.#pending.before(name, account);
      over !== null;
      over = this.#pending.before(name, account)
    )
      await over;
    const problem = this.denial(name, wish);
    if (problem !== null) throw problem;
    return this.#grants.add(name, wish);
  }

  claimFree(name: BindTarget, wish: Claimant): Grant | null {
    if (!this.isFree(name) || this.#pending.before(name, wish.account) !== null) return null;
    return this.#grants.add(name, wish);
  }

  cancel(): void {}

  release(grant: Grant): void {
    this.#grants.release(grant);
  }

  denial(name: BindTarget, wish: Claimant): Problem | null {
    // The effect on other tunnels is decided when the tunnel comes online.
    const decision = decide(this.#rowsOf(name), { ...wish, endpoint: null }, this.#now());
    if (decision.outcome === 'granted') return null;
    if (decision.error === 'bindNameOnline') return new Problem(decision.error, { name });
    return new Problem(decision.error, { name, seconds: decision.seconds });
  }

  isFree(name: BindTarget): boolean {
    return this.#rowsOf(name).length === 0;
  }

  isOpenTo(name: BindTarget, wish: Claimant): boolean {
    return !this.isFree(name) && this.denial(name, wish) === null;
  }

  occupied(pattern: BindTarget, account: string): 'online' | 'held' | null {
    for (const name of this.#inTheWayOf(pattern)) {
      const found = occupation(this.#rowsOf(name), account, this.#now());
      if (found !== null) return found;
    }
    return null;
  }

  async reserving<T>(
    names: readonly WantedName[],
    account: string,
    write: (exclusion: null) => Promise<T>,
  ): Promise<T> {
    const suspended = names.map(({ name, includesOwn }) =>
      this.#pending.add(name, includesOwn ? EVERYBODY : account),
    );
    try {
      for (const [at, { name, includesOwn }] of names.entries()) {
        const how = includesOwn && this.#isOnline(name, account) ? 'online' : this.occupied(name, account);
        if (how !== null) throw new ConflictError({ reason: 'occupied', at, how });
      }
      return await write(null);
    } finally {
      for (const resume of suspended) resume();
    }
  }

  #isOnline(name: BindTarget, account: string): boolean {
    return [...this.#bound.own(name), ...this.#grants.of(name)].some(
      ({ facts }) => facts.account === account && facts.endpoint?.slot === name,
    );
  }

  heldFor(name: BindTarget): string | undefined {
    return this.#leases.get(name)?.account;
  }

  settle({ facts: { endpoint } }: Claiming): void {
    if (endpoint !== null) this.#leases.release(endpoint.key);
  }

  publish(): void {}

  changed(): void {}

  end(): void {}

  hold({ facts }: Claiming, isReserved: boolean): void {
    const { endpoint } = facts;
    const ms = endpoint && holdMs(this.#bound.own(endpoint.slot), isReserved);
    if (endpoint !== null && ms !== null) this.#leases.hold(endpoint, facts, ms);
  }

  releaseLeases(matches: (lease: Lease) => boolean): void {
    this.#leases.releaseWhere(matches);
  }

  get serves(): boolean {
    return true;
  }

  async start(): Promise<void> {}

  async stop(): Promise<void> {}

  /** Returns the tunnels of the name, with and without TLS, its grants and its lease. */
  #rowsOf(name: BindTarget): readonly Row[] {
    const online = this.#bound.own(name);
    const others: Row[] = isTcpPort(name) ? [] : [...this.#bound.own(plainName(name))];
    others.push(...this.#grants.of(name));
    const lease = this.#leases.get(name);
    if (lease !== undefined)
      others.push({ facts: { ...lease, bindId: '', endpoint: null }, heldUntil: lease.until });
    return others.length === 0 ? online : [...online, ...others];
  }

  /** Names and wildcards that may be online or held and overlap with the pattern: above a name few, below a wildcard any. */
  *#inTheWayOf(pattern: BindTarget): Iterable<BindTarget> {
    yield pattern;
    yield* patternsAbove(pattern);
    if (isTcpPort(pattern) || !isWildcard(pattern)) return;
    for (const name of [...this.#bound.names(), ...this.#grants.names(), ...this.#leases.names()])
      if (targetsOverlap(name, pattern)) yield name;
  }
}
