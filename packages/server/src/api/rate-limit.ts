/** The rolling limit of requests, counted in this process. */
import type { RateLimiter } from '../core/limits/rate-limiter.ts';

/** One key's admitted requests of the last window, oldest first, in a ring that grows up to the limit. */
interface Ring {
  times: Float64Array;
  oldest: number;
  count: number;
}

const FIRST_SIZE = 8;

/**
 * An exact rolling limit: at most `limit` requests of a key are admitted in any window. Refused requests are not
 * counted. Times are monotonic milliseconds, so that a clock that jumps has no effect. A limit of 0 admits
 * everything.
 */
export class SlidingLog {
  readonly limit: number;
  readonly #window: number;
  readonly #rings = new Map<string, Ring>();
  #swept = Number.NEGATIVE_INFINITY;

  constructor(limit: number, window = 60_000) {
    this.limit = limit;
    this.#window = window;
  }

  /** Number of remembered keys. */
  get size(): number {
    return this.#rings.size;
  }

  /** Counts a request and answers null, or refuses it with the whole seconds after which the next one can be admitted. */
  admit(key: string, now: number): number | null {
    if (this.limit === 0) return null;
    if (now - this.#swept >= this.#window) this.#sweep(now);
    let ring = this.#rings.get(key);
    if (ring === undefined) {
      ring = { times: new Float64Array(Math.min(FIRST_SIZE, this.limit)), oldest: 0, count: 0 };
      this.#rings.set(key, ring);
    }
    this.#expire(ring, now);
    if (ring.count >= this.limit) {
      const left = ring.times[ring.oldest]! + this.#window - now;
      return Math.max(1, Math.ceil(left / 1000));
    }
    if (ring.count === ring.times.length) grow(ring, this.limit);
    ring.times[(ring.oldest + ring.count) % ring.times.length] = now;
    ring.count += 1;
    return null;
  }

  /** Forgets the newest that was admitted. */
  release(key: string): void {
    const ring = this.#rings.get(key);
    if (ring !== undefined && ring.count > 0) ring.count -= 1;
  }

  /** Returns the number of admitted requests in the window. */
  used(key: string, now: number): number {
    const ring = this.#rings.get(key);
    if (ring === undefined) return 0;
    this.#expire(ring, now);
    return ring.count;
  }

  #expire(ring: Ring, now: number): void {
    while (ring.count > 0 && now - ring.times[ring.oldest]! >= this.#window) {
      ring.oldest = (ring.oldest + 1) % ring.times.length;
      ring.count -= 1;
    }
  }

  #sweep(now: number): void {
    this.#swept = now;
    for (const [key, ring] of this.#rings) {
      this.#expire(ring, now);
      if (ring.count === 0) this.#rings.delete(key);
    }
  }
}

function grow(ring: Ring, limit: number): void {
  const times = new Float64Array(Math.min(ring.times.length * 2, limit));
  for (let i = 0; i < ring.count; i += 1) times[i] = ring.times[(ring.oldest + i) % ring.times.length]!;
  ring.times = times;
  ring.oldest = 0;
}

/** A limiter for a daemon without shared accounts. `now`: monotonic milliseconds. */
export function localLimiter(limit: number, now: () => number): RateLimiter {
  const log = new SlidingLog(limit);
  return {
    admit: (key) => log.admit(key, now()),
    release: (key) => log.release(key),
    used: (key) => log.used(key, now()),
  };
}
