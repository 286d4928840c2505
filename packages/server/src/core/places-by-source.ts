/**
 * Who has a place where there are only so many, and which source each is of. Never that finding who gives way takes longer than a look at
 * each source, which are as many as the places, or that somebody has more of them by coming from many addresses of one network.
 */
import { networkKey } from './client-address.ts';

const NONE: ReadonlySet<never> = new Set<never>();

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

  /** Those of a source, the oldest first. */
  of(source: string): ReadonlySet<T> {
    return this.#sources.of(source) ?? NONE;
  }

  /** The one that has had its place longest. */
  oldestOf(source: string): T | undefined {
    return first(this.#sources.of(source));
  }

  /** The oldest of the network that has most; undefined when none has more than `beyond`. */
  oldestOfLargest(beyond = 0): T | undefined {
    return first(this.#networks.largest(beyond));
  }

  /** The same, for one more of `source`: undefined when no network has more than its own. */
  oldestBefore(source: string): T | undefined {
    return first(this.#networks.largest(this.#networkCountOf(source)));
  }

  /** Those of all networks that have at least so many more than that of `source`. */
  allBefore(source: string, more: number): Iterable<T> {
    return this.#networks.larger(this.#networkCountOf(source) + more - 1);
  }

  #networkCountOf(source: string): number {
    return this.#networks.of(networkKey(source))?.size ?? 0;
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

  /** What all keys have that have more than `beyond`. */
  *larger(beyond: number): Iterable<T> {
    for (const items of this.#keys.values()) if (items.size > beyond) yield* items;
  }
}

function first<T>(items: ReadonlySet<T> | undefined): T | undefined {
  return items?.values().next().value;
}
