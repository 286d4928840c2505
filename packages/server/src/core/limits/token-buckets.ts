/**
 * Token buckets for many keys: a burst, then a rate.
 * Invariant: a key never uses another key's tokens.
 */
import { LruMap } from './lru.ts';

export interface Rate {
  readonly burst: number;
  readonly perSecond: number;
}

interface Bucket {
  readonly tokens: number;
  /** The time at which it had these tokens, in milliseconds. */
  readonly at: number;
}

/** Buckets that are remembered. The least recently used one is forgotten, and full again. */
const rememberedKeys = 10_000;

export class TokenBuckets {
  readonly #rateNow: () => Rate;
  readonly #buckets = new LruMap<string, Bucket>(rememberedKeys);

  /** A function is called at each use, for a rate that changes. */
  constructor(rate: Rate | (() => Rate)) {
    this.#rateNow = typeof rate === 'function' ? rate : () => rate;
  }

  /** Returns true if the key has a token at `now`, in milliseconds. */
  has(key: string, now: number): boolean {
    return this.#tokens(key, now) >= 1;
  }

  /** Returns the remaining part of the burst: 1 for all of it, 0 or less for none. */
  share(key: string, now: number): number {
    return this.#tokens(key, now) / this.#rateNow().burst;
  }

  /** Takes `count` tokens, even if there are fewer. Then the rest is owed. */
  take(key: string, now: number, count = 1): void {
    this.#buckets.set(key, { tokens: this.#tokens(key, now) - count, at: now });
  }

  /** Gives tokens back. */
  release(key: string, now: number, count = 1): void {
    const { burst } = this.#rateNow();
    this.#buckets.set(key, { tokens: Math.min(burst, this.#tokens(key, now) + count), at: now });
  }

  #tokens(key: string, now: number): number {
    const bucket = this.#buckets.get(key);
    const { burst, perSecond } = this.#rateNow();
    if (bucket === undefined) return burst;
    // If the clock moved back, the bucket keeps its tokens and continues from the new time.
    if (now < bucket.at) this.#buckets.set(key, { tokens: bucket.tokens, at: now });
    const seconds = Math.max(0, now - bucket.at) / 1000;
    return Math.min(burst, bucket.tokens + seconds * perSecond);
  }
}
