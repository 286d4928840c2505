/**
 * A bounded map that owners share and that forgets what was not used for longest. Never that what one owner keeps pushes out what
 * belongs to another who keeps less.
 */
export class FairLruMap<Value> {
  readonly #limit: number;
  /** By owner, then by key; both in the order of their last use. */
  readonly #owners = new Map<string, Map<string, Value>>();
  #size = 0;
  /** What was used last, as nearly always, need not be moved behind the others: that costs more in a large map. */
  #newest: { readonly owner: string; readonly key: string } | null = null;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#size;
  }

  /** Counts as use. */
  get(owner: string, key: string): Value | undefined {
    const value = this.#owners.get(owner)?.get(key);
    const isNewest = this.#newest?.owner === owner && this.#newest.key === key;
    if (value !== undefined && !isNewest) this.set(owner, key, value);
    return value;
  }

  set(owner: string, key: string, value: Value): void {
    const own = this.#owners.get(owner) ?? new Map<string, Value>();
    if (!own.delete(key)) this.#size += 1;
    own.set(key, value);
    this.#owners.delete(owner);
    this.#owners.set(owner, own);
    this.#newest = { owner, key };
    if (this.#size > this.#limit) this.#forgetOne();
  }

  delete(owner: string, key: string): void {
    const own = this.#owners.get(owner);
    if (own?.delete(key) !== true) return;
    this.#size -= 1;
    if (own.size === 0) this.#owners.delete(owner);
  }

  /** Deleting while iterating is allowed. */
  *entries(): IterableIterator<readonly [owner: string, key: string, value: Value]> {
    for (const [owner, own] of this.#owners) for (const [key, value] of own) yield [owner, key, value];
  }

  /** The oldest of the owner who has most; of several with as many, the one who has been away for longest. */
  #forgetOne(): void {
    let [largest = '', most = 0] = ['', 0];
    for (const [owner, { size }] of this.#owners) if (size > most) [largest, most] = [owner, size];
    for (const key of this.#owners.get(largest)?.keys() ?? []) {
      this.delete(largest, key);
      return;
    }
  }
}
