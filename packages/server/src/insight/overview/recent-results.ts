/**
 * Results by account that are used again for a moment.
 * Invariant: the results of one account are made one after the other, and the work for them is a part of the time.
 */
import { LruMap } from '../../core/limits/lru.ts';

/** A result, and the milliseconds of work for it, without waits. */
export interface Made<Result> {
  readonly result: Result;
  readonly workMs: number;
}

/** Milliseconds for which a result is used. One that took much work is used longer. */
const KEPT_MS = 1000;
const SHARE = 20;
const ACCOUNTS = 256;

interface Kept<Result> {
  readonly made: Promise<Made<Result>>;
  /** Monotonic milliseconds. Infinite while it is made. */
  until: number;
}

export class RecentResults<Result> {
  readonly #make: (account: string) => Promise<Made<Result>>;
  readonly #now: () => number;
  readonly #kept = new LruMap<string, Kept<Result>>(ACCOUNTS);

  constructor(make: (account: string) => Promise<Made<Result>>, now: () => number = () => performance.now()) {
    this.#make = make;
    this.#now = now;
  }

  async of(account: string): Promise<Result> {
    const known = this.#kept.get(account);
    const kept = known !== undefined && this.#now() < known.until ? known : this.#begin(account);
    return (await kept.made).result;
  }

  #begin(account: string): Kept<Result> {
    const kept: Kept<Result> = { made: this.#make(account), until: Number.POSITIVE_INFINITY };
    this.#kept.set(account, kept);
    const keep = (ms: number) => {
      kept.until = this.#now() + ms;
    };
    kept.made.then(
      ({ workMs }) => keep(Math.max(KEPT_MS, SHARE * workMs)),
      () => keep(0),
    );
    return kept;
  }
}
