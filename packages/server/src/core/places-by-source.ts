/**
 * Who has a place where there are only so many, and which source each is of. Never that finding who gives way takes longer than a look at
 * each source; sources that come with a place each are as many as the places.
 */
export class PlacesBySource<T> {
  readonly #sources = new Map<string, Set<T>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** `source` as `sourceKey` tells it. */
  add(source: string, item: T): void {
    const items = this.#sources.get(source) ?? new Set();
    if (!items.has(item)) this.#size += 1;
    this.#sources.set(source, items.add(item));
  }

  /** Idempotent. */
  delete(source: string, item: T): void {
    const items = this.#sources.get(source);
    if (!items?.delete(item)) return;
    this.#size -= 1;
    if (items.size === 0) this.#sources.delete(source);
  }

  countOf(source: string): number {
    return this.#sources.get(source)?.size ?? 0;
  }

  /** The one that has had its place longest. */
  oldestOf(source: string): T | undefined {
    return first(this.#sources.get(source));
  }

  /** The oldest of the source that has most, if that has more than `beyond`: for one more of a source, what it has itself. */
  oldestOfLargest(beyond = 0): T | undefined {
    let largest: ReadonlySet<T> | undefined;
    let most = beyond;
    for (const items of this.#sources.values()) {
      if (items.size <= most) continue;
      largest = items;
      most = items.size;
    }
    return first(largest);
  }
}

function first<T>(items: ReadonlySet<T> | undefined): T | undefined {
  return items?.values().next().value;
}
