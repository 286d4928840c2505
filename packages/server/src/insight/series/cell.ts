/**
 * The traffic of one key in one second, minute or hour: counts, bytes, latencies, error codes.
 * Invariant: the sum of the cells of all parts is the cell of the whole.
 */
import type { ExchangeRecord } from '../../edge/sites/exchange-record.ts';
import { catalogue } from '../../errors/catalogue.ts';
import { BUCKETS } from './latency.ts';

/** Places of the counts of a cell. Requests by class of status come first, those without an answer at 0. */
export const Count = { classes: 6, connections: 6, bytesIn: 7, bytesOut: 8, failed: 9, all: 10 } as const;
/** Error codes of a cell that are counted by themselves; further ones are counted as 0. */
export const MOST_ERRORS = 16;
const OTHER_ERRORS = 0;
/** The status of a request that became a connection, whose duration is no latency. */
const SWITCHED = 101;

export class Cell {
  readonly counts = new Float64Array(Count.all);
  /** Durations of requests by bucket (latency.ts). */
  readonly buckets = new Uint32Array(BUCKETS);
  /** Requests and connections by the number of their error; null: none failed. */
  errors: Map<number, number> | null = null;

  /** Counts a record; `bucket` is that of its duration. Runs several times per request. */
  count({ kind, status, bytesIn, bytesOut, error }: ExchangeRecord, bucket: number): void {
    const { counts } = this;
    if (kind === 'http') {
      counts[status < 600 ? (status / 100) | 0 : Count.classes - 1]! += 1;
      if (status !== SWITCHED) this.buckets[bucket]! += 1;
    } else {
      counts[Count.connections]! += 1;
      if (error !== null) counts[Count.failed]! += 1;
    }
    counts[Count.bytesIn]! += bytesIn;
    counts[Count.bytesOut]! += bytesOut;
    if (error !== null) this.addError(catalogue[error].number, 1);
  }

  addError(number: number, times: number): void {
    this.errors ??= new Map();
    const isKept = this.errors.has(number) || this.errors.size < MOST_ERRORS;
    const key = isKept ? number : OTHER_ERRORS;
    this.errors.set(key, (this.errors.get(key) ?? 0) + times);
  }

  add(other: Cell): void {
    for (let at = 0; at < Count.all; at += 1) this.counts[at]! += other.counts[at]!;
    for (let at = 0; at < BUCKETS; at += 1) this.buckets[at]! += other.buckets[at]!;
    for (const [number, times] of other.errors ?? []) this.addError(number, times);
  }

  clear(): void {
    this.counts.fill(0);
    this.buckets.fill(0);
    this.errors = null;
  }

  /** Responses with 500 or above, and connections that ended with an error. */
  get failures(): number {
    return this.counts[Count.classes - 1]! + this.counts[Count.failed]!;
  }

  /** Requests of all classes. */
  get requests(): number {
    let sum = 0;
    for (let at = 0; at < Count.classes; at += 1) sum += this.counts[at]!;
    return sum;
  }
}
