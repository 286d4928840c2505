/** The exchanges that are kept, the latest of them. Never that they take more than the limits say, whatever is under way. */
import type { ConnectionCapture } from '../http-log.ts';
import { Exchange, type Origin } from './exchange.ts';
import { CAPTURE_LIMITS, type CaptureLimits } from './limits.ts';

/** Where an exchange comes from, before it is one. */
export type Source = Pick<Origin, 'tunnel' | 'client' | 'replayOf'>;

export interface StoreOptions {
  readonly limits?: CaptureLimits;
  /** Milliseconds, monotonic. */
  readonly now?: () => number;
  /** Milliseconds since 1970. */
  readonly clock?: () => number;
}

/** What an exchange takes besides its bytes. */
const OVERHEAD = 1_024;

export class Store {
  readonly #limits: CaptureLimits;
  readonly #now: () => number;
  readonly #clock: () => number;
  /** In the order of their ids. */
  readonly #exchanges = new Map<number, { readonly exchange: Exchange; bytes: number }>();
  readonly #watchers = new Set<() => void>();
  #bytes = 0;
  #lastId = 0;
  #revision = 0;

  constructor({
    limits = CAPTURE_LIMITS,
    now = performance.now.bind(performance),
    clock = Date.now,
  }: StoreOptions = {}) {
    this.#limits = limits;
    this.#now = now;
    this.#clock = clock;
  }

  /** What all of them take. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Of the latest change. */
  get revision(): number {
    return this.#revision;
  }

  /** All below are gone. */
  get oldestId(): number {
    for (const id of this.#exchanges.keys()) return id;
    return this.#lastId + 1;
  }

  get(id: number): Exchange | undefined {
    return this.#exchanges.get(id)?.exchange;
  }

  /** The oldest first. */
  get all(): Exchange[] {
    return Array.from(this.#exchanges.values(), ({ exchange }) => exchange);
  }

  /** Those that changed after a revision, in the order in which they did. */
  since(revision: number): Exchange[] {
    return this.all.filter((it) => it.revision > revision).sort((a, b) => a.revision - b.revision);
  }

  /** Keeps what goes by on a connection. */
  capture(source: Source): (...seen: Parameters<ConnectionCapture>) => Exchange {
    return ({ method, path }, bytes, start, end) =>
      this.add(
        { ...source, method, target: path, startedAt: this.#clock() },
        bytes.toString('latin1', start, end),
      );
  }

  add(origin: Omit<Origin, 'id'>, requestLines: string): Exchange {
    const exchange = new Exchange({ ...origin, id: ++this.#lastId }, requestLines, {
      limits: this.#limits,
      now: this.#now,
      changed: (it, bytes) => this.#changed(it, bytes),
    });
    this.#exchanges.set(exchange.origin.id, { exchange, bytes: 0 });
    this.#changed(exchange, OVERHEAD + requestLines.length);
    return exchange;
  }

  clear(): void {
    this.#exchanges.clear();
    this.#bytes = 0;
    this.#tell();
  }

  /** `changed` is called at each change until the function is called that is answered. */
  watch(changed: () => void): () => void {
    this.#watchers.add(changed);
    return () => this.#watchers.delete(changed);
  }

  #changed(exchange: Exchange, bytes: number): void {
    const entry = this.#exchanges.get(exchange.origin.id);
    if (entry === undefined) {
      exchange.release();
      return;
    }
    entry.bytes += bytes;
    this.#bytes += bytes;
    exchange.revision = ++this.#revision;
    this.#makeRoom();
    this.#tell();
  }

  #makeRoom(): void {
    const { exchanges, bytes } = this.#limits;
    for (const [id, entry] of this.#exchanges) {
      if (this.#exchanges.size <= exchanges && this.#bytes <= bytes) return;
      this.#exchanges.delete(id);
      this.#bytes -= entry.bytes;
      entry.exchange.release();
    }
  }

  #tell(): void {
    for (const changed of this.#watchers) changed();
  }
}
