/** Sums the traffic of an account in the last minute and the last hour, on all daemons. */
import { Cell, Count } from '../series/cell.ts';
import { rounded } from '../series/columns.ts';
import type { SeriesHistory } from '../series/history.ts';
import { ACCOUNT } from '../series/keys.ts';
import { percentile } from '../series/latency.ts';
import { MINUTES, SECONDS, type Step } from '../series/steps.ts';

/** Figures of traffic in a time. */
export interface Figures {
  readonly requests: number;
  readonly errors: number;
  readonly bytes_in: number;
  readonly bytes_out: number;
  readonly p50_ms: number | null;
  readonly p95_ms: number | null;
}

/** Figures of an account on all daemons. */
export interface RecentTraffic {
  readonly minute: Figures;
  readonly hour: Figures;
  /** Number of daemons without an answer. */
  readonly missing: number;
}

const STEPS = 60;
const NO_RESPONSE = 0;
const SERVER_ERRORS = 5;

/** `now`: milliseconds since 1970. */
export function recentTraffic(
  history: Pick<SeriesHistory, 'read'>,
  now: () => number,
): (account: string) => Promise<RecentTraffic> {
  const sumOf = async (account: string, step: Step) => {
    const until = (Math.floor(now() / 1000 / step.seconds) + 1) * step.seconds;
    const span = { from: until - STEPS * step.seconds, until };
    const { cells, missing } = await history.read(account, [ACCOUNT], step, span);
    return { figures: figuresOf(cells.get(ACCOUNT) ?? []), missing };
  };
  return async (account) => {
    const [minute, hour] = await Promise.all([sumOf(account, SECONDS), sumOf(account, MINUTES)]);
    const missing = Math.max(minute.missing, hour.missing);
    return { minute: minute.figures, hour: hour.figures, missing };
  };
}

function figuresOf(cells: readonly (Cell | null)[]): Figures {
  const sum = new Cell();
  for (const cell of cells) if (cell !== null) sum.add(cell);
  const { counts, buckets, requests } = sum;
  return {
    requests: requests + counts[Count.connections]!,
    errors: counts[NO_RESPONSE]! + counts[SERVER_ERRORS]!,
    bytes_in: counts[Count.bytesIn]!,
    bytes_out: counts[Count.bytesOut]!,
    p50_ms: rounded(percentile(buckets, 0.5)),
    p95_ms: rounded(percentile(buckets, 0.95)),
  };
}
