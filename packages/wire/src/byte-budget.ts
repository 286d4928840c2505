/**
 * Bounds what peers make this side keep in memory by sending requests in part or reading nothing: of one session and, nested, of
 * all. Never that a peer gives way that sends whole requests and reads: what has been kept longest goes first.
 */
export class ByteBudget {
  readonly #limit: number;
  readonly #within: ByteBudget | null;
  /** Those that keep something, oldest first. */
  readonly #shares = new Set<BudgetShare>();
  #total = 0;

  /** `limit` in bytes; what counts here counts `within` that, too. */
  constructor(limit: number, within: ByteBudget | null = null) {
    this.#limit = limit;
    this.#within = within;
  }

  get total(): number {
    return this.#total;
  }

  /** `giveWay` is called when the memory is needed elsewhere, and has to let go of it. */
  open(giveWay: () => void): BudgetShare {
    const budgets: ByteBudget[] = [];
    for (let budget: ByteBudget | null = this; budget !== null; budget = budget.#within) budgets.push(budget);
    return new BudgetShare(budgets, giveWay);
  }

  /** For shares: so much more, or less, is kept. */
  count(share: BudgetShare, more: number): void {
    this.#total += more;
    if (share.bytes > 0) this.#shares.add(share);
    else this.#shares.delete(share);
  }

  /** For shares: the oldest give way until there is room. */
  makeRoom(): void {
    while (this.#total > this.#limit) {
      const [oldest] = this.#shares;
      if (oldest === undefined) return;
      oldest.giveWay();
    }
  }
}

/** What one request, answer or queue keeps. */
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

  /** So many bytes are kept from now on, 0 for none. Others, or this one, may have to give way at once. */
  keep(bytes: number): void {
    const more = bytes - this.#bytes;
    if (more === 0) return;
    this.#bytes = bytes;
    for (const budget of this.#budgets) budget.count(this, more);
    if (more > 0) for (const budget of this.#budgets) budget.makeRoom();
  }

  /** For budgets. */
  giveWay(): void {
    this.keep(0);
    this.#giveWay();
  }
}
