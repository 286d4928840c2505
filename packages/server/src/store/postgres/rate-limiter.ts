/**
 * A rolling limit that all daemons of one database share: at most `limit` for a key in any 60 s of the server's clock.
 * Requests that arrive during a query join the next one, so that one connection serves any number of requests.
 * Invariant: only the server counts.
 */
import type { Client } from 'pg';
import type { RateLimiter } from '../../core/limits/rate-limiter.ts';
import { StoreUnavailableError } from '../store.ts';
import { ADMIT, RELEASE, SWEEP, USED, WINDOW_MS } from './admit.ts';
import { abandon, connectLimiter, prepared } from './connect.ts';
import { reasonOf } from './failure.ts';

/** Keys in one query at most. It bounds the locks that a query holds. */
const LARGEST_QUESTION = 100;

interface Waiting {
  readonly key: string;
  readonly resolve: (seconds: number | null) => void;
  readonly reject: (error: Error) => void;
}

export interface SharedRateLimiterOptions {
  readonly url: string;
  /** Admissions of a key in any 60 s; at least 1. */
  readonly limit: number;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

export class SharedRateLimiter implements RateLimiter {
  readonly #url: string;
  readonly #limit: number;
  readonly #now: () => number;
  /** The time until which a key is known to be full. It cannot be free earlier, so no query is needed. */
  readonly #full = new Map<string, number>();
  #queue: Waiting[] = [];
  #released: string[] = [];
  #running: Promise<void> | null = null;
  #client: Client | null = null;
  #swept: number;
  #closed = false;

  constructor({ url, limit, now = () => performance.now() }: SharedRateLimiterOptions) {
    this.#url = url;
    this.#limit = limit;
    this.#now = now;
    this.#swept = now();
  }

  admit(key: string): number | null | Promise<number | null> {
    const left = (this.#full.get(key) ?? 0) - this.#now();
    if (left > 0) return wholeSeconds(left);
    if (this.#closed) return Promise.reject(new StoreUnavailableError('the store is closed'));
    const { promise, resolve, reject } = Promise.withResolvers<number | null>();
    this.#queue.push({ key, resolve, reject });
    this.#running ??= this.#run();
    return promise;
  }

  release(key: string): void {
    // A refused caller may try again now.
    this.#full.delete(key);
    if (this.#closed) return;
    this.#released.push(key);
    this.#running ??= this.#run();
  }

  async used(key: string): Promise<number> {
    if (this.#closed) throw new StoreUnavailableError('the store is closed');
    try {
      const client = await this.#connected();
      const { rows } = await client.query({ ...prepared(client, USED), values: [key] });
      return Number(rows[0]?.used ?? 0);
    } catch (cause) {
      throw new StoreUnavailableError(`requests cannot be counted: ${reasonOf(cause)}`, { cause });
    }
  }

  /** Decides all pending requests, then ends the connection. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#running;
    await this.#client?.end().catch(() => {});
  }

  async #run(): Promise<void> {
    while (this.#queue.length > 0 || this.#released.length > 0) {
      if (this.#released.length > 0) await this.#giveBack(this.#released.splice(0, LARGEST_QUESTION));
      if (this.#queue.length > 0) await this.#ask(this.#queue.splice(0, LARGEST_QUESTION));
    }
    this.#running = null;
  }

  async #ask(group: readonly Waiting[]): Promise<void> {
    try {
      const client = await this.#connected();
      const asked = this.#now();
      const values = [group.map(({ key }) => key), this.#limit];
      const { rows } = await client.query({ ...prepared(client, ADMIT), values });
      this.#answer(group, asked, rows[0]?.waits as readonly (number | null)[]);
      await this.#sweep(client, asked);
    } catch (cause) {
      this.#abandon();
      const error = new StoreUnavailableError(`requests cannot be counted: ${reasonOf(cause)}`, { cause });
      // Requests that were decided before the cleanup failed are settled already.
      for (const { reject } of group) reject(error);
    }
  }

  async #giveBack(keys: readonly string[]): Promise<void> {
    try {
      const client = await this.#connected();
      await client.query({ ...prepared(client, RELEASE), values: [keys] });
    } catch {
      // Its admissions expire by themselves.
      this.#abandon();
    }
  }

  #abandon(): void {
    const client = this.#client;
    this.#client = null;
    if (client !== null) abandon(client);
  }

  #answer(group: readonly Waiting[], asked: number, waits: readonly (number | null)[]): void {
    for (const [at, { key, resolve }] of group.entries()) {
      const wait = waits[at] ?? null;
      if (wait !== null) this.#full.set(key, asked + wait);
      resolve(wait === null ? null : wholeSeconds(wait));
    }
  }

  /** Deletes expired admissions, here and in the database. */
  async #sweep(client: Client, now: number): Promise<void> {
    if (now - this.#swept < WINDOW_MS) return;
    this.#swept = now;
    for (const [key, until] of this.#full) if (until <= now) this.#full.delete(key);
    await client.query(SWEEP);
  }

  async #connected(): Promise<Client> {
    this.#client ??= await connectLimiter(this.#url, (ended) => {
      if (this.#client === ended) this.#client = null;
    });
    return this.#client;
  }
}

function wholeSeconds(milliseconds: number): number {
  return Math.max(1, Math.ceil(milliseconds / 1000));
}
