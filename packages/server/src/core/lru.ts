/** A map that forgets what was not used for longest. Never that it grows past its bound. */
export class LruMap<Key, Value> {
  readonly #limit: number;
  readonly #entries = new Map<Key, Value>();
  /** What was used last, as nearly always, need not be moved behind the others. */
  #newest: Key | undefined;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Counts as use. */
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
