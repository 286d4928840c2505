/**
 * Resolves names that accounts chose, as many at a time as the system does. A running lookup cannot be cancelled.
 * Invariant: slow name servers of one account must not delay lookups of other accounts. Invariant: the number of
 * waiting lookups is bounded.
 */
import { lookup } from 'node:dns/promises';
import type { Resolve, ResolvedAddress } from './judged-lookup.ts';

type Answer = Promise<readonly ResolvedAddress[]>;

export interface LookupLimits {
  readonly inAll: number;
  readonly ofAccount: number;
  /** Waiting lookups of an account, beside the running ones. */
  readonly waiting: number;
}

/** Some of the system's threads are left for other lookups. */
const DEFAULT_LIMITS: LookupLimits = { inAll: 14, ofAccount: 4, waiting: 256 };

interface Account {
  running: number;
  readonly waiting: (() => void)[];
}

export class FairLookups {
  readonly #lookUp: (host: string) => Answer;
  readonly #limits: LookupLimits;
  /** Accounts with waiting lookups, in the order of their turns. */
  readonly #accounts = new Map<string, Account>();
  #running = 0;

  constructor(
    lookUp: (host: string) => Answer = (host) => lookup(host, { all: true }),
    limits: LookupLimits = DEFAULT_LIMITS,
  ) {
    this.#lookUp = lookUp;
    this.#limits = limits;
  }

  readonly resolve: Resolve = async (host, account) => {
    // The caller may have given up already, but its lookup still waits here.
    if (this.#isFull(account)) throw new Error(`${host} was not looked up, as too many names wait for that`);
    await this.#turnOf(account);
    try {
      return await this.#lookUp(host);
    } finally {
      this.#over(account);
    }
  };

  #isFull(name: string): boolean {
    return (this.#accounts.get(name)?.waiting.length ?? 0) >= this.#limits.waiting;
  }

  #turnOf(name: string): Promise<void> {
    const account = this.#accounts.get(name) ?? { running: 0, waiting: [] };
    this.#accounts.set(name, account);
    const { promise, resolve } = Promise.withResolvers<void>();
    account.waiting.push(resolve);
    this.#goOn();
    return promise;
  }

  #over(name: string): void {
    const account = this.#accounts.get(name);
    if (account === undefined) return;
    account.running -= 1;
    this.#running -= 1;
    if (account.running === 0 && account.waiting.length === 0) this.#accounts.delete(name);
    this.#goOn();
  }

  #goOn(): void {
    for (let next = this.#next(); next !== undefined; next = this.#next()) next();
  }

  #next(): (() => void) | undefined {
    const { inAll, ofAccount } = this.#limits;
    if (this.#running >= inAll) return undefined;
    for (const [name, account] of this.#accounts) {
      const begin = account.running < ofAccount ? account.waiting.shift() : undefined;
      if (begin === undefined) continue;
      account.running += 1;
      this.#running += 1;
      this.#accounts.delete(name);
      this.#accounts.set(name, account);
      return begin;
    }
    return undefined;
  }
}

/** Shared by the process, because all lookups use the same threads. */
export const fairLookups = new FairLookups();
