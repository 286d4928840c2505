/** Decides which exchanges the page lists. */
import { percentDecoded } from '@underpass/wire/percent';
import type { ExchangeSummary } from './api-types.ts';
import { foldCase } from './fold-case.ts';

export interface Filter {
  /** Part of the path, in any case, percent-encoded or not; '' any. */
  readonly path: string;
  /** '' any. */
  readonly method: string;
  /** A value of `resultClass`, or `failed` for every failure; '' any. */
  readonly status: string;
  /** Minutes before now; 0 always. */
  readonly minutes: number;
  /** 0 any. */
  readonly tunnel: number;
}

export const NO_FILTER: Filter = { path: '', method: '', status: '', minutes: 0, tunnel: 0 };

/** False if the filter lists everything. */
export function isFiltering(filter: Filter): boolean {
  return JSON.stringify({ ...NO_FILTER, ...filter }) !== JSON.stringify(NO_FILTER);
}

const MINUTE_MS = 60_000;

/** `now`: milliseconds since 1970. */
export function isListed(exchange: ExchangeSummary, filter: Filter, now: number): boolean {
  const { path, method, status, minutes, tunnel } = filter;
  return (
    (path === '' || hasPath(exchange.path, path)) &&
    (method === '' || exchange.method === method) &&
    (status === '' || (status === 'failed' ? isFailed(exchange) : resultClass(exchange) === status)) &&
    (minutes === 0 || exchange.startedAt >= now - minutes * MINUTE_MS) &&
    (tunnel === 0 || exchange.tunnel === tunnel)
  );
}

function hasPath(path: string, wanted: string): boolean {
  const folded = foldCase(wanted);
  return foldCase(path).includes(folded) || foldCase(percentDecoded(path)).includes(folded);
}

type Result = Pick<ExchangeSummary, 'status' | 'grpc'>;

/** The first digit of the status, `none` for no response, or `grpc` for a failed gRPC call. */
export function resultClass({ status, grpc }: Result): string {
  if (status === null) return 'none';
  return grpc === null || grpc.code === 0 ? String(status)[0]! : 'grpc';
}

/** True for a status of 400 and more, a failed gRPC call, and a request that ended without a response. */
export function isFailed(exchange: Result & Pick<ExchangeSummary, 'outcome'>): boolean {
  const result = resultClass(exchange);
  return result === 'none' ? exchange.outcome !== 'open' : ['4', '5', 'grpc'].includes(result);
}
