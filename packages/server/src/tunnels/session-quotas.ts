/**
 * Counts sessions by credential, account and source.
 * Invariant: none has more than its share, so that others have theirs.
 */
import { sourceKey } from '../core/ip/client-address.ts';
import { Problem } from '../errors/problem.ts';
import type { IngressLimits } from './limits.ts';

export interface SessionOrigin {
  readonly account: string;
  readonly credential: string;
  readonly ip: string;
}

export class SessionQuotas {
  readonly #limits: IngressLimits;
  /** Ids of credentials and accounts and keys of sources never look alike. */
  readonly #counts = new Map<string, number>();

  constructor(limits: IngressLimits) {
    this.#limits = limits;
  }

  /** Credentials, accounts and sources that have sessions. */
  get size(): number {
    return this.#counts.size;
  }

  /** Raises Problem when one more would be too many. */
  check({ account, credential, ip }: SessionOrigin): void {
    const { sessionsPerCredential, sessionsPerAccount, sessionsPerSource } = this.#limits;
    if (this.#count(credential) >= sessionsPerCredential)
      throw new Problem('sessionLimitCredential', { credential, limit: sessionsPerCredential });
    if (this.#count(account) >= sessionsPerAccount)
      throw new Problem('sessionLimitAccount', { limit: sessionsPerAccount });
    if (this.#count(sourceKey(ip)) >= sessionsPerSource)
      throw new Problem('sessionLimitSource', { address: ip, limit: sessionsPerSource });
  }

  add(session: SessionOrigin): void {
    for (const key of keysOf(session)) this.#counts.set(key, this.#count(key) + 1);
  }

  remove(session: SessionOrigin): void {
    for (const key of keysOf(session)) {
      const count = this.#count(key) - 1;
      if (count > 0) this.#counts.set(key, count);
      else this.#counts.delete(key);
    }
  }

  #count(key: string): number {
    return this.#counts.get(key) ?? 0;
  }
}

function keysOf({ account, credential, ip }: SessionOrigin): readonly string[] {
  return [account, credential, sourceKey(ip)];
}
