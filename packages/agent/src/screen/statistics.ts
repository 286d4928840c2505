/**
 * Number and duration of requests.
 * Invariant: memory does not grow with their number.
 */
import { grpcFailure } from '../grpc.ts';
import type { LoggedRequest } from '../http-log.ts';

/** Percentiles are of so many of the latest requests. */
const LATEST = 1_000;
const RATE_SECONDS = 60;

export interface Summary {
  readonly total: number;
  /** Requests without a response, with a status of 500 and more, or with a failure of gRPC. */
  readonly failed: number;
  /** Requests per second in the last minute. */
  readonly perSecond: number;
  /** Milliseconds; null while there was no request. */
  readonly percentiles: { readonly p50: number; readonly p90: number; readonly p99: number } | null;
}

export class Statistics {
  #total = 0;
  #failed = 0;
  readonly #durations: number[] = [];
  /** Requests by the second in which they ended, modulo a minute, and which second that is. */
  readonly #counts = new Array<number>(RATE_SECONDS).fill(0);
  readonly #seconds = new Array<number>(RATE_SECONDS).fill(-1);

  /** `now` in milliseconds. */
  add(
    { status, durationMs, grpc }: Pick<LoggedRequest, 'status' | 'durationMs' | 'grpc'>,
    now: number,
  ): void {
    this.#durations[this.#total % LATEST] = durationMs;
    this.#total++;
    if (status === null || status >= 500 || grpcFailure(grpc) !== null) this.#failed++;
    const second = Math.floor(now / 1_000);
    const at = second % RATE_SECONDS;
    if (this.#seconds[at] !== second) {
      this.#seconds[at] = second;
      this.#counts[at] = 0;
    }
    this.#counts[at] = (this.#counts[at] ?? 0) + 1;
  }

  summary(now: number): Summary {
    const oldest = Math.floor(now / 1_000) - RATE_SECONDS;
    const recent = this.#counts.reduce(
      (sum, count, at) => ((this.#seconds[at] ?? -1) > oldest ? sum + count : sum),
      0,
    );
    return {
      total: this.#total,
      failed: this.#failed,
      perSecond: recent / RATE_SECONDS,
      percentiles: this.#percentiles(),
    };
  }

  #percentiles(): Summary['percentiles'] {
    if (this.#durations.length === 0) return null;
    const sorted = this.#durations.toSorted((a, b) => a - b);
    // The nearest rank.
    const at = (share: number) => sorted[Math.ceil(sorted.length * share) - 1] ?? 0;
    return { p50: at(0.5), p90: at(0.9), p99: at(0.99) };
  }
}
