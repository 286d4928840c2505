/** Who may go on, and who has to wait. Never that a caller learns how it is counted. */
export interface RateLimiter {
  /**
   * Counts one and answers null, or refuses it with the whole seconds, at least one, after which the next can be admitted.
   * Rejects with StoreUnavailableError when whoever counts is away.
   */
  admit(key: string): number | null | Promise<number | null>;
  /** Takes back one that was admitted: it turned out not to count. Never rejects: what cannot be taken back runs out by itself. */
  release(key: string): void | Promise<void>;
}
