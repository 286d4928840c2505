/** Accounts whose successful requests are recorded, because a client of the API reads them. */

/** Called with each new entry of an account. Must not throw. */
export type Follower<Entry> = (entry: Entry) => void;

interface Watched<Entry> {
  /** Milliseconds of the clock until which listings are expected. */
  until: number;
  readonly followers: Set<Follower<Entry>>;
}

export class WatchedAccounts<Entry> {
  readonly #now: () => number;
  readonly #accounts = new Map<string, Watched<Entry>>();

  /** `now`: milliseconds of a clock that never moves back. */
  constructor(now: () => number) {
    this.#now = now;
  }

  get size(): number {
    return this.#accounts.size;
  }

  /** Called for each request: cheap for others. */
  has(account: string): boolean {
    if (this.#accounts.size === 0) return false;
    const watched = this.#accounts.get(account);
    if (watched === undefined) return false;
    if (watched.followers.size > 0 || watched.until > this.#now()) return true;
    this.#accounts.delete(account);
    return false;
  }

  followers(account: string): ReadonlySet<Follower<Entry>> | undefined {
    return this.#accounts.get(account)?.followers;
  }

  /** Watches for some time from now on, or longer if that was to be longer. */
  watch(account: string, ms: number): void {
    this.#forgetOver();
    if (ms <= 0) return;
    const watched = this.#of(account);
    watched.until = Math.max(watched.until, this.#now() + ms);
  }

  /** Calls a follower until the returned function is called. */
  follow(account: string, follower: Follower<Entry>): () => void {
    this.#of(account).followers.add(follower);
    return () => {
      this.#accounts.get(account)?.followers.delete(follower);
      this.has(account);
    };
  }

  #of(account: string): Watched<Entry> {
    const known = this.#accounts.get(account);
    if (known !== undefined) return known;
    const watched = { until: 0, followers: new Set<Follower<Entry>>() };
    this.#accounts.set(account, watched);
    return watched;
  }

  #forgetOver(): void {
    for (const account of this.#accounts.keys()) this.has(account);
  }
}
