/**
 * Bounds the memory that peers occupy by sending requests in part or by not reading. Budgets nest: one for a session
 * within one for all sessions.
 * Invariant: a peer that sends whole requests and reads responses is not evicted, because the oldest share is evicted
 * first.
 */
export class ByteBudget {
  readonly #limit: number;
  readonly #within: ByteBudget | null;
  /** Shares that keep bytes, oldest first. */
  readonly #shares = new Set<BudgetShare>();
  #total = 0;

  /** `limit` in bytes. Bytes that count here count in `within`, too. */
  constructor(limit: number, within: ByteBudget | null = null) {
    this.#limit = limit;
    this.#within = within;
  }

  get total(): number {
    return this.#total;
  }

  /** `giveWay` is called when the memory is needed elsewhere, and must release it. */
  open(giveWay: () => void): BudgetShare {
    const budgets: ByteBudget[] = [];
    for (let budget: ByteBudget | null = this; budget !== null; budget = budget.#within) budgets.push(budget);
    return new BudgetShare(budgets, giveWay);
  }

  /** Called by shares only. Adds `more` bytes, which may be negative. */
  count(share: BudgetShare, more: number): void {
    this.#total += more;
    if (share.bytes > 0) this.#shares.add(share);
    else this.#shares.delete(share);
  }

  /** Called by shares only. Evicts the oldest shares until there is room. */
  makeRoom(): void {
    while (this.#total > this.#limit) {
      const [oldest] = this.#shares;
      if (oldest === undefined) return;
      oldest.giveWay();
    }
  }
}

/** Bytes kept for one request, response or queue. */
export class BudgetShare {
  readonly #budgets: readonly ByteBudget[];
  readonly #giveWay: () => void;
  #bytes = 0;

  constructor(budgets: readonly ByteBudget[], giveWay: () => void) {
    this.#budgets = budgets;
    this.#giveWay = giveWay;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Sets the bytes that are kept from now on, 0 for none. May evict other shares, or this one, before it returns. */
  keep(bytes: number): void {
    const more = bytes - this.#bytes;
    if (more === 0) return;
    this.#bytes = bytes;
    for (const budget of this.#budgets) budget.count(this, more);
    if (more > 0) for (const budget of this.#budgets) budget.makeRoom();
  }

  /** Called by budgets only. */
  giveWay(): void {
    this.keep(0);
    this.#giveWay();
  }
}
