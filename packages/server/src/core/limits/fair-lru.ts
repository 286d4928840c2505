/**
 * A bounded map, shared fairly between owners, that evicts the least recently used entry.
 * Invariant: an owner's entries never evict those of an owner with fewer.
 */
export class FairLruMap<Value> {
  readonly #limit: number;
  /** Entries by owner, then by key, both in the order of their last use. */
  readonly #owners = new Map<string, Map<string, Value>>();
  #size = 0;
  /** The last used entry. It is usually used again, and then need not be moved, which is slow in a large map. */
  #newest: { readonly owner: string; readonly key: string } | null = null;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#size;
  }

  /** Returns the value and marks it as used. */
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

  /**
   * Evicts the oldest entry of the owner with the most entries. If several have as many, it is the least recently used
   * one.
   */
  #forgetOne(): void {
    let [largest = '', most = 0] = ['', 0];
    for (const [owner, { size }] of this.#owners) if (size > most) [largest, most] = [owner, size];
    for (const key of this.#owners.get(largest)?.keys() ?? []) {
      this.delete(largest, key);
      return;
    }
  }
}
