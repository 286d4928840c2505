/**
 * Tracks items in a limited number of places, by their source and network.
 * Invariant: finding an item to evict takes at most one step for each source.
 * Invariant: many addresses of one network get no more places than one.
 */
import { networkKey } from '../ip/client-address.ts';

const NONE: ReadonlySet<never> = new Set<never>();

export class PlacesBySource<T> {
  readonly #sources = new ItemsByKey<T>();
  readonly #networks = new ItemsByKey<T>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** `source` is a key of `sourceKey`. */
  add(source: string, item: T): void {
    if (!this.#sources.add(source, item)) return;
    this.#networks.add(networkKey(source), item);
    this.#size += 1;
  }

  /** Idempotent. */
  delete(source: string, item: T): void {
    if (!this.#sources.delete(source, item)) return;
    this.#networks.delete(networkKey(source), item);
    this.#size -= 1;
  }

  countOf(source: string): number {
    return this.#sources.of(source)?.size ?? 0;
  }

  /** Returns the items of a source, the oldest first. */
  of(source: string): ReadonlySet<T> {
    return this.#sources.of(source) ?? NONE;
  }

  /** Returns the oldest item of a source. */
  oldestOf(source: string): T | undefined {
    return first(this.#sources.of(source));
  }

  /** Returns the oldest item of the network with the most items; undefined if none has more than `beyond`. */
  oldestOfLargest(beyond = 0): T | undefined {
    return first(this.#networks.largest(beyond));
  }

  /** Returns the oldest item to evict for a new one of `source`; undefined if no network has more than its own. */
  oldestBefore(source: string): T | undefined {
    return first(this.#networks.largest(this.#networkCountOf(source)));
  }

  /** Returns the items of all networks that have at least `more` items more than that of `source`. */
  allBefore(source: string, more: number): Iterable<T> {
    return this.#networks.larger(this.#networkCountOf(source) + more - 1);
  }

  #networkCountOf(source: string): number {
    return this.#networks.of(networkKey(source))?.size ?? 0;
  }
}

/** Items by key. A key without items is removed. */
class ItemsByKey<T> {
  readonly #keys = new Map<string, Set<T>>();

  /** Returns false if the item was present. */
  add(key: string, item: T): boolean {
    const items = this.#keys.get(key) ?? new Set();
    if (items.has(item)) return false;
    this.#keys.set(key, items.add(item));
    return true;
  }

  /** Returns false if the item was absent. */
  delete(key: string, item: T): boolean {
    const items = this.#keys.get(key);
    if (!items?.delete(item)) return false;
    if (items.size === 0) this.#keys.delete(key);
    return true;
  }

  of(key: string): ReadonlySet<T> | undefined {
    return this.#keys.get(key);
  }

  /** Returns the items of the key with the most, if more than `beyond`. The first one wins a tie. */
  largest(beyond: number): ReadonlySet<T> | undefined {
    let largest: ReadonlySet<T> | undefined;
    let most = beyond;
    for (const items of this.#keys.values()) {
      if (items.size <= most) continue;
      largest = items;
      most = items.size;
    }
    return largest;
  }

  /** Returns the items of all keys with more than `beyond`. */
  *larger(beyond: number): Iterable<T> {
    for (const items of this.#keys.values()) if (items.size > beyond) yield* items;
  }
}

function first<T>(items: ReadonlySet<T> | undefined): T | undefined {
  return items?.values().next().value;
}
