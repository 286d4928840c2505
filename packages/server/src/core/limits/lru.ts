/**
 * A map that evicts the least recently used entry.
 * Invariant: it never exceeds its bound.
 */
export class LruMap<Key, Value> {
  readonly #limit: number;
  readonly #entries = new Map<Key, Value>();
  /** The last used key. It is usually used again, and then need not be moved. */
  #newest: Key | undefined;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Returns the value and marks it as used. */
  get(key: Key): Value | undefined {
    const value = this.#entries.get(key);
    if (value !== undefined && key !== this.#newest) this.#append(key, value);
    return value;
  }

  set(key: Key, value: Value): void {
    if (key === this.#newest && this.#entries.has(key)) this.#entries.set(key, value);
    else this.#append(key, value);
    if (this.#entries.size > this.#limit) {
      const [oldest] = this.#entries.keys();
      this.#entries.delete(oldest as Key);
    }
  }

  delete(key: Key): void {
    this.#entries.delete(key);
  }

  #append(key: Key, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    this.#newest = key;
  }

  /** Oldest first; deleting while iterating is allowed. */
  entries(): IterableIterator<[Key, Value]> {
    return this.#entries.entries();
  }
}
