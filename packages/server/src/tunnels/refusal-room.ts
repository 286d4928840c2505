/**
 * The number of refusals that wait for their agents, of all sessions together.
 * Invariant: an account has no more of them than it leaves free for others.
 */

/** Entries of about 1 KiB each. */
const defaultMost = 8_192;

export class RefusalRoom {
  readonly #most: number;
  readonly #byAccount = new Map<string, number>();
  #count = 0;

  constructor(most: number = defaultMost) {
    this.#most = most;
  }

  /** False: there is no room for another one of the account. */
  take(account: string): boolean {
    const own = this.#byAccount.get(account) ?? 0;
    if (own >= this.#most - this.#count) return false;
    this.#byAccount.set(account, own + 1);
    this.#count += 1;
    return true;
  }

  release(account: string, count: number): void {
    const left = (this.#byAccount.get(account) ?? 0) - count;
    this.#count -= count;
    if (left > 0) this.#byAccount.set(account, left);
    else this.#byAccount.delete(account);
  }
}
