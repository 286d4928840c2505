/**
 * The metrics of all workers as those of one daemon.
 * Invariant: a counter never falls because a worker ended, although a new one begins at 0.
 */
import { type Family, labelled, readFamilies, writeFamilies } from './samples.ts';

/**
 * Families of one process, or of one daemon among those of the database. Their sums would mean nothing, so their
 * samples have the label `worker`.
 */
const OF_ONE =
  /^(?:process_|nodejs_|underpass_(?:node_info|nodes|links|remote_tunnels|tcp_listeners|tcp_listeners_missing|store_follower_lag_seconds)$)/;
/** Gauges with the same value in all workers. */
const FIRST = /^underpass_(?:build_info|certificate_)/;
/** Counted on after the end of their worker. */
const COUNTED: readonly string[] = ['counter', 'histogram', 'summary'];
/** Samples of ended workers. More are forgotten, so that names that come and go use no memory for good. */
const MOST_ENDED = 50_000;

type Families = Map<string, Family>;

export class SummedMetrics {
  /** The last metrics of each worker. */
  readonly #latest = new Map<number, Families>();
  /** Counters of processes that have ended, by sample. */
  readonly #ended = new Map<string, number>();

  /** `text`: the metrics of a worker, as they are now. */
  update(worker: number, text: string): void {
    this.#latest.set(worker, readFamilies(text));
  }

  /** The process of the worker has ended: its counters, as far as they are known, stay in the sums. */
  ended(worker: number): void {
    const families = this.#latest.get(worker);
    this.#latest.delete(worker);
    for (const { name, type, samples } of families?.values() ?? []) {
      if (!COUNTED.includes(type) || OF_ONE.test(name)) continue;
      for (const [sample, value] of samples) {
        const before = this.#ended.get(sample);
        if (before === undefined && this.#ended.size >= MOST_ENDED) continue;
        this.#ended.set(sample, (before ?? 0) + value);
      }
    }
  }

  text(): string {
    const sums: Families = new Map();
    for (const [worker, families] of this.#latest)
      for (const family of families.values()) add(sums, family, worker);
    for (const { type, samples } of sums.values()) {
      if (!COUNTED.includes(type)) continue;
      for (const [sample, value] of samples) samples.set(sample, value + (this.#ended.get(sample) ?? 0));
    }
    return writeFamilies(sums.values());
  }
}

function add(sums: Families, { name, help, type, samples }: Family, worker: number): void {
  let sum = sums.get(name);
  if (sum === undefined) {
    sum = { name, help, type, samples: new Map() };
    sums.set(name, sum);
  }
  for (const [sample, value] of samples) {
    if (OF_ONE.test(name)) sum.samples.set(labelled(sample, 'worker', String(worker)), value);
    else if (!FIRST.test(name)) sum.samples.set(sample, (sum.samples.get(sample) ?? 0) + value);
    else if (!sum.samples.has(sample)) sum.samples.set(sample, value);
  }
}
