/** Tunnels and sessions of this daemon that have rows, by number and key. */

export interface Own {
  readonly key: string;
  /** The version of the key that granted it. */
  readonly version: number;
}

const none: ReadonlySet<number> = new Set();

export class OwnRows {
  readonly #byNumber = new Map<number, Own>();
  readonly #byKey = new Map<string, Set<number>>();

  get size(): number {
    return this.#byNumber.size;
  }

  get(number: number): Own | undefined {
    return this.#byNumber.get(number);
  }

  has(number: number): boolean {
    return this.#byNumber.has(number);
  }

  at(key: string): ReadonlySet<number> {
    return this.#byKey.get(key) ?? none;
  }

  all(): Iterable<[number, Own]> {
    return this.#byNumber;
  }

  add(number: number, own: Own): void {
    this.#byNumber.set(number, own);
    this.#byKey.set(own.key, (this.#byKey.get(own.key) ?? new Set()).add(number));
  }

  delete(number: number): void {
    const own = this.#byNumber.get(number);
    if (own === undefined) return;
    this.#byNumber.delete(number);
    const numbers = this.#byKey.get(own.key);
    numbers?.delete(number);
    if (numbers?.size === 0) this.#byKey.delete(own.key);
  }

  clear(): void {
    this.#byNumber.clear();
    this.#byKey.clear();
  }
}
