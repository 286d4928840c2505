/** How often something may be done by each of many: at once up to a burst, then at a rate. Never that one uses up another's. */
import { LruMap } from './lru.ts';

export interface Rate {
  readonly burst: number;
  readonly perSecond: number;
}

interface Bucket {
  readonly tokens: number;
  /** Milliseconds, when it had these. */
  readonly at: number;
}

/** Those that were not asked for longest are forgotten, and full again. */
const rememberedKeys = 10_000;

export class TokenBuckets {
  readonly #rate: Rate;
  readonly #buckets = new LruMap<string, Bucket>(rememberedKeys);

  constructor(rate: Rate) {
    this.#rate = rate;
  }

  /** Whether the key has a token left, at a time in milliseconds. */
  has(key: string, now: number): boolean {
    return this.#tokens(key, now) >= 1;
  }

  /** The part of the burst that the key has left: 1 for all of it, 0 or less for none. */
  share(key: string, now: number): number {
    return this.#tokens(key, now) / this.#rate.burst;
  }

  /** `count`: tokens. More than there are may be taken, and are owed then. */
  take(key: string, now: number, count = 1): void {
    this.#buckets.set(key, { tokens: this.#tokens(key, now) - count, at: now });
  }

  /** Gives back what was taken. */
  release(key: string, now: number, count = 1): void {
    this.#buckets.set(key, { tokens: Math.min(this.#rate.burst, this.#tokens(key, now) + count), at: now });
  }

  #tokens(key: string, now: number): number {
    const bucket = this.#buckets.get(key);
    const { burst, perSecond } = this.#rate;
    if (bucket === undefined) return burst;
    // A clock that was set back gives nothing and takes nothing, and counts from where it is: what it was ahead is not waited for.
    if (now < bucket.at) this.#buckets.set(key, { tokens: bucket.tokens, at: now });
    const seconds = Math.max(0, now - bucket.at) / 1000;
    return Math.min(burst, bucket.tokens + seconds * perSecond);
  }
}
