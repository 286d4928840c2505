/**
 * Names of lost tunnels, held for a while for their credential. The clock is a parameter.
 * Invariant: actions of one credential take no name from another.
 */
import type { BindTarget, Target } from '../core/names/bind-target.ts';
import type { Sharer } from './directory/decide.ts';

/** Lease in the form of the lost tunnel. */
export interface Lease extends Sharer {
  readonly name: BindTarget;
  readonly target: Target;
  /** Milliseconds of the clock. */
  readonly until: number;
}

export class Leases {
  readonly #perCredential: number;
  readonly #now: () => number;
  /** Oldest first. */
  readonly #leases = new Map<BindTarget, Lease>();
  /** Oldest first. */
  readonly #byCredential = new Map<string, Set<BindTarget>>();

  constructor(options: { readonly now: () => number; readonly perCredential: number }) {
    this.#now = options.now;
    this.#perCredential = options.perCredential;
  }

  get(name: BindTarget): Lease | undefined {
    const lease = this.#leases.get(name);
    if (lease === undefined || lease.until > this.#now()) return lease;
    this.release(name);
    return undefined;
  }

  /** Credentials that hold names. */
  get credentials(): number {
    return this.#byCredential.size;
  }

  /** Includes expired leases. */
  names(): Iterable<BindTarget> {
    return this.#leases.keys();
  }

  /** Holds a name from now on. If the credential has too many leases, its oldest one ends. */
  hold(target: Target, bearer: Sharer, ms: number): void {
    const name = target.key;
    this.release(name);
    this.#releaseExpired();
    const { account, credential, session, clientId, isPooled } = bearer;
    const names = this.#byCredential.get(credential) ?? new Set();
    this.#byCredential.set(credential, names.add(name));
    const until = this.#now() + ms;
    this.#leases.set(name, { name, target, account, credential, session, clientId, isPooled, until });
    for (const oldest of names) {
      if (names.size <= this.#perCredential) break;
      this.release(oldest);
    }
  }

  release(name: BindTarget): void {
    const lease = this.#leases.get(name);
    if (lease === undefined) return;
    this.#leases.delete(name);
    const names = this.#byCredential.get(lease.credential);
    names?.delete(name);
    if (names?.size === 0) this.#byCredential.delete(lease.credential);
  }

  releaseWhere(matches: (lease: Lease) => boolean): void {
    for (const lease of [...this.#leases.values()]) if (matches(lease)) this.release(lease.name);
  }

  /** Releases expired leases at the head of the queue, so that names without interest do not stay. */
  #releaseExpired(): void {
    const now = this.#now();
    for (const { name, until } of this.#leases.values()) {
      if (until > now) return;
      this.release(name);
    }
  }
}
