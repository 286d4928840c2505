/** The interface of rate limiters. Invariant: callers do not depend on the way of counting. */
export interface RateLimiter {
  /**
   * Counts a request and returns null. If the limit is reached, it returns the whole seconds, at least one, until the
   * next is possible. Rejects with StoreUnavailableError if the counter is unavailable.
   */
  admit(key: string): number | null | Promise<number | null>;
  /**
   * Takes back an admission that should not count. Never rejects, because an admission that stays expires by itself.
   */
  release(key: string): void | Promise<void>;
  /** Returns the number of admissions that count at the moment. Rejects like `admit`. */
  used(key: string): number | Promise<number>;
}
