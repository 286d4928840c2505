/**
 * Keeps the latest exchanges.
 * Invariant: they never take more memory than the limits allow, whatever is in progress.
 */
import type { ConnectionCapture } from '../http-log.ts';
import { Exchange, type ExchangeParts, type Origin } from './exchange.ts';
import { CAPTURE_LIMITS, type CaptureLimits } from './limits.ts';

/** Origin of an exchange. */
export type Source = Pick<Origin, 'tunnel' | 'client' | 'replayOf'>;

export interface StoreOptions {
  readonly limits?: CaptureLimits;
  /** Milliseconds, monotonic. */
  readonly now?: () => number;
  /** Milliseconds since 1970. */
  readonly clock?: () => number;
}

/** Bytes of memory of an exchange beside its content. */
const OVERHEAD = 1_024;

export class Store {
  readonly #parts: ExchangeParts;
  readonly #clock: () => number;
  /** Exchanges from the oldest to the last, each at its id modulo the length. */
  readonly #ring: Exchange[] = [];
  readonly #watchers = new Set<() => void>();
  #bytes = 0;
  #oldestId = 1;
  #lastId = 0;
  #revision = 0;

  constructor({
    limits = CAPTURE_LIMITS,
    now = () => performance.now(),
    clock = Date.now,
  }: StoreOptions = {}) {
    this.#parts = { limits, now, changed: (exchange, bytes) => this.#changed(exchange, bytes) };
    this.#clock = clock;
  }

  /** Bytes of memory of all exchanges. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Revision of the latest change. */
  get revision(): number {
    return this.#revision;
  }

  /** All below are gone. */
  get oldestId(): number {
    return this.#oldestId;
  }

  get(id: number): Exchange | undefined {
    return this.#oldestId <= id && id <= this.#lastId ? this.#ring[this.#place(id)] : undefined;
  }

  /** The oldest first. */
  get all(): Exchange[] {
    const count = this.#lastId + 1 - this.#oldestId;
    return Array.from({ length: count }, (_, at) => this.#ring[this.#place(this.#oldestId + at)]!);
  }

  /** Returns the exchanges that changed after a revision, in the order of their changes. */
  since(revision: number): Exchange[] {
    return this.all.filter((it) => it.revision > revision).sort((a, b) => a.revision - b.revision);
  }

  /** Keeps what goes by on a connection. */
  capture({ tunnel, client, replayOf }: Source): (...seen: Parameters<ConnectionCapture>) => Exchange {
    return ({ method, path: target }, lines) => {
      const origin = { tunnel, client, replayOf, method, target, startedAt: this.#clock() };
      return this.add(origin, lines);
    };
  }

  add(origin: Origin, requestLines: string): Exchange {
    const { exchanges } = this.#parts.limits;
    if (this.#lastId + 1 - this.#oldestId === exchanges) this.#dropOldest();
    const exchange = new Exchange(++this.#lastId, origin, requestLines, this.#parts);
    this.#ring[this.#place(exchange.id)] = exchange;
    this.#changed(exchange, OVERHEAD + requestLines.length + origin.target.length);
    return exchange;
  }

  clear(): void {
    while (this.#oldestId <= this.#lastId) this.#dropOldest();
    this.#tell();
  }

  /** `changed` is called at each change until the function is called that is answered. */
  watch(changed: () => void): () => void {
    this.#watchers.add(changed);
    return () => this.#watchers.delete(changed);
  }

  #changed(exchange: Exchange, bytes: number): void {
    exchange.memory += bytes;
    exchange.revision = ++this.#revision;
    this.#bytes += bytes;
    while (this.#bytes > this.#parts.limits.bytes) this.#dropOldest();
    this.#tell();
  }

  #dropOldest(): void {
    const exchange = this.#ring[this.#place(this.#oldestId++)]!;
    this.#bytes -= exchange.memory;
    exchange.release();
  }

  #place(id: number): number {
    return id % this.#parts.limits.exchanges;
  }

  #tell(): void {
    if (this.#watchers.size > 0) for (const changed of this.#watchers) changed();
  }
}
