/**
 * Bounds what peers make this side keep in memory by sending requests in part or reading nothing: of one session and, nested, of
 * all. Never that a peer gives way that sends whole requests and reads: what has been kept longest goes first.
 */
export class HeldBytes {
  readonly #limit: number;
  readonly #within: HeldBytes | null;
  /** Those that keep something, oldest first. */
  readonly #holds = new Set<Hold>();
  #total = 0;

  /** `limit` in bytes; what is held here is held `within` that, too. */
  constructor(limit: number, within: HeldBytes | null = null) {
    this.#limit = limit;
    this.#within = within;
  }

  get total(): number {
    return this.#total;
  }

  /** `giveWay` is called when the memory is needed elsewhere, and has to let go of it. */
  hold(giveWay: () => void): Hold {
    const ledgers: HeldBytes[] = [];
    for (let ledger: HeldBytes | null = this; ledger !== null; ledger = ledger.#within) ledgers.push(ledger);
    return new Hold(ledgers, giveWay);
  }

  /** For holds: so much more, or less, is kept. */
  count(hold: Hold, more: number): void {
    this.#total += more;
    if (hold.bytes > 0) this.#holds.add(hold);
    else this.#holds.delete(hold);
  }

  /** For holds: the oldest give way until there is room. */
  makeRoom(): void {
    while (this.#total > this.#limit) {
      const [oldest] = this.#holds;
      if (oldest === undefined) return;
      oldest.giveWay();
    }
  }
}

/** What one request, answer or queue keeps. */
export class Hold {
  readonly #ledgers: readonly HeldBytes[];
  readonly #giveWay: () => void;
  #bytes = 0;

  constructor(ledgers: readonly HeldBytes[], giveWay: () => void) {
    this.#ledgers = ledgers;
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
    for (const ledger of this.#ledgers) ledger.count(this, more);
    if (more > 0) for (const ledger of this.#ledgers) ledger.makeRoom();
  }

  /** For ledgers. */
  giveWay(): void {
    this.keep(0);
    this.#giveWay();
  }
}
