/**
 * Counts the memory that each account's requests hold: arriving bodies and outgoing responses.
 * Invariant: an account never holds much more than the limit.
 */

/** Five of the largest pages that there can be, or thousands of usual answers. */
const LIMIT = 32 * 1024 * 1024;

export class AccountBytes {
  readonly limit: number;
  readonly #held = new Map<string, number>();

  constructor(limit = LIMIT) {
    this.limit = limit;
  }

  /** Returns true if the account holds so much that it gets no more before it has let go of some. */
  isFull(account: string): boolean {
    return (this.#held.get(account) ?? 0) >= this.limit;
  }

  /** False, and nothing is taken, when the account is full; it may go beyond the limit once. */
  take(account: string, bytes: number): boolean {
    if (this.isFull(account)) return false;
    this.#held.set(account, (this.#held.get(account) ?? 0) + bytes);
    return true;
  }

  release(account: string, bytes: number): void {
    const left = (this.#held.get(account) ?? 0) - bytes;
    if (left > 0) this.#held.set(account, left);
    else this.#held.delete(account);
  }
}
