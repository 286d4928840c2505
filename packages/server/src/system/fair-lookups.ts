/**
 * Looks names up that accounts chose, as many at a time as the system does. Never that those of one account, whose name servers answer
 * nobody, keep the names of others waiting: one that is begun cannot be given up, and takes its time. Never that more than some of them wait.
 */
import { lookup } from 'node:dns/promises';
import type { Resolve, ResolvedAddress } from './judged-lookup.ts';

type Answer = Promise<readonly ResolvedAddress[]>;

export interface LookupLimits {
  readonly inAll: number;
  readonly ofAccount: number;
  /** Of an account, beside those that are looked up. */
  readonly waiting: number;
}

/** Of those that may look names up some are left for who does not come by here. */
const DEFAULT_LIMITS: LookupLimits = { inAll: 14, ofAccount: 4, waiting: 256 };

interface Account {
  running: number;
  readonly waiting: (() => void)[];
}

export class FairLookups {
  readonly #lookUp: (host: string) => Answer;
  readonly #limits: LookupLimits;
  /** Of each that has some; whose turn it is comes first. */
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
    // Who asked may have given up long since, and waits here all the same.
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

/** Of this process: all that look up what accounts chose have the same threads. */
export const fairLookups = new FairLookups();
