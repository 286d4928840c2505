/** Figures of the last minute and the last hour: of an account, and of many keys for lists. */
import { formatTime } from '../../core/time-text.ts';
import { Problem } from '../../errors/problem.ts';
import type { StandaloneRun } from '../../resources/standalone/definition.ts';
import { Cell, Count } from './cell.ts';
import { rounded } from './columns.ts';
import type { SeriesHistory, Span } from './history.ts';
import { ACCOUNT, keyOf, type Subject } from './keys.ts';
import { percentile } from './latency.ts';
import { MINUTES, SECONDS } from './steps.ts';

const MINUTE = 60;
const HOUR = 3_600;
/** Keys of one request. */
export const MOST_RECENT = 100;

/** Figures of traffic in a time. */
export interface Figures {
  /** Requests and connections. */
  readonly requests: number;
  /** Responses with 500 or above, and connections that ended with an error. */
  readonly errors: number;
  readonly bytes_in: number;
  readonly bytes_out: number;
  /** Milliseconds; null without a request. */
  readonly p50_ms: number | null;
  readonly p95_ms: number | null;
}

export interface RecentTraffic {
  readonly minute: Figures;
  readonly hour: Figures;
  /** Requests and connections of each minute of the hour. The running one is the last. */
  readonly line: readonly number[];
  /** Number of daemons without an answer. */
  readonly missing: number;
}

type History = Pick<SeriesHistory, 'read'>;

/** Returns the figures of an account: of the last 60 complete seconds, and of 60 minutes with the running one. */
export async function recentTraffic(
  history: History,
  account: string,
  nowMs: number,
): Promise<RecentTraffic> {
  const now = Math.floor(nowMs / 1000);
  const [minute, hour] = await Promise.all([
    history.read(account, [ACCOUNT], SECONDS, { from: now - MINUTE, until: now }),
    history.read(account, [ACCOUNT], MINUTES, lastHour(now)),
  ]);
  return {
    minute: figuresOf(minute.cells.get(ACCOUNT) ?? []),
    hour: figuresOf(hour.cells.get(ACCOUNT) ?? []),
    line: requestsOf(hour.cells.get(ACCOUNT) ?? Array<null>(HOUR / MINUTE).fill(null)),
    missing: Math.max(minute.missing, hour.missing),
  };
}

function lastHour(now: number): Span {
  const until = now - (now % MINUTE) + MINUTE;
  return { from: until - HOUR, until };
}

function figuresOf(cells: readonly (Cell | null)[]): Figures {
  const sum = new Cell();
  for (const cell of cells) if (cell !== null) sum.add(cell);
  return {
    requests: sum.requests + sum.counts[Count.connections]!,
    errors: sum.failures,
    bytes_in: sum.counts[Count.bytesIn]!,
    bytes_out: sum.counts[Count.bytesOut]!,
    p50_ms: rounded(percentile(sum.buckets, 0.5)),
    p95_ms: rounded(percentile(sum.buckets, 0.95)),
  };
}

/** Runs `GET /traffic/recent`. */
export function answerRecent(history: History, now: () => number): StandaloneRun {
  return async ({ principal, query, missing }) => {
    const ids = idsIn(String(query.ids));
    const keys = ids.map((id) => keyOf(query.by as Subject, id));
    const span = lastHour(Math.floor(now() / 1000));
    const read = await history.read(principal.account, keys, MINUTES, span, true);
    missing(read.missing);
    return {
      by: String(query.by),
      since: formatTime(new Date(span.from * 1000)),
      until: formatTime(new Date(span.until * 1000)),
      keys: ids.map((key, at) => ({ key, ...lineOf(read.cells.get(keys[at]!) ?? []) })),
    };
  };
}

/** Raises Problem for too many keys. */
function idsIn(text: string): readonly string[] {
  const ids = [...new Set(text.split(',').filter((id) => id !== ''))];
  if (ids.length <= MOST_RECENT) return ids;
  const details = { field: 'ids', limit: MOST_RECENT };
  throw new Problem('seriesKeysTooMany', { actual: ids.length, limit: MOST_RECENT }, details);
}

function requestsOf(cells: readonly (Cell | null)[]): readonly number[] {
  return cells.map((cell) => (cell === null ? 0 : cell.requests + cell.counts[Count.connections]!));
}

function lineOf(cells: readonly (Cell | null)[]) {
  return {
    requests: requestsOf(cells),
    errors: cells.map((cell) => cell?.failures ?? 0),
    bytes: cells.map((cell) => (cell ? cell.counts[Count.bytesIn]! + cell.counts[Count.bytesOut]! : 0)),
  };
}
