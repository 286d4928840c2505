/** Which exchanges the page lists. */
import type { ExchangeSummary } from './api-types.ts';

export interface Filter {
  /** In the path, in whichever case; '' any. */
  readonly path: string;
  /** '' any. */
  readonly method: string;
  /** The first digit, or `none` for no answer; '' any. */
  readonly status: string;
  /** Since when, in minutes before now; 0 always. */
  readonly minutes: number;
  /** 0 any. */
  readonly tunnel: number;
}

export const NO_FILTER: Filter = { path: '', method: '', status: '', minutes: 0, tunnel: 0 };

const MINUTE_MS = 60_000;

/** `now`: milliseconds since 1970. */
export function isListed(exchange: ExchangeSummary, filter: Filter, now: number): boolean {
  const { path, method, status, minutes, tunnel } = filter;
  return (
    (path === '' || exchange.path.toLowerCase().includes(path.toLowerCase())) &&
    (method === '' || exchange.method === method) &&
    (status === '' || statusClass(exchange.status) === status) &&
    (minutes === 0 || exchange.startedAt >= now - minutes * MINUTE_MS) &&
    (tunnel === 0 || exchange.tunnel === tunnel)
  );
}

/** As in `Filter.status`. */
export function statusClass(status: number | null): string {
  return status === null ? 'none' : String(status)[0]!;
}
