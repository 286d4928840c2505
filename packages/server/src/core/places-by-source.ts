/**
 * Who has a place where there are only so many, and which source each is of. Never that finding who gives way takes longer than a look at
 * each source, which are as many as the places, or that somebody has more of them by coming from many addresses of one network.
 */
import { networkKey } from './client-address.ts';

export class PlacesBySource<T> {
  readonly #sources = new ItemsByKey<T>();
  readonly #networks = new ItemsByKey<T>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** `source` as `sourceKey` tells it. */
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

  /** The one that has had its place longest. */
  oldestOf(source: string): T | undefined {
    return first(this.#sources.of(source));
  }

  /** The oldest of the network that has most. */
  oldestOfLargest(): T | undefined {
    return first(this.#networks.largest(0));
  }

  /** The same, for one more of `source`: undefined when no network has more than its own. */
  oldestBefore(source: string): T | undefined {
    const own = this.#networks.of(networkKey(source))?.size ?? 0;
    return first(this.#networks.largest(own));
  }
}

/** No key is kept without items. */
class ItemsByKey<T> {
  readonly #keys = new Map<string, Set<T>>();

  /** False: it was there. */
  add(key: string, item: T): boolean {
    const items = this.#keys.get(key) ?? new Set();
    if (items.has(item)) return false;
    this.#keys.set(key, items.add(item));
    return true;
  }

  /** False: it was not there. */
  delete(key: string, item: T): boolean {
    const items = this.#keys.get(key);
    if (!items?.delete(item)) return false;
    if (items.size === 0) this.#keys.delete(key);
    return true;
  }

  of(key: string): ReadonlySet<T> | undefined {
    return this.#keys.get(key);
  }

  /** What a key has that has more than `beyond`, and more than all others, or came first. */
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
}

function first<T>(items: ReadonlySet<T> | undefined): T | undefined {
  return items?.values().next().value;
}
