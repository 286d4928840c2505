/** Turns cells into the columns of a response: one number for each step. */
import { type Cell, Count } from './cell.ts';
import { percentile } from './latency.ts';

/** Names of requests by class of status, in the order of a cell. */
export const classNames = ['none', '1xx', '2xx', '3xx', '4xx', '5xx'] as const;
const PERCENTILES = { p50_ms: 0.5, p95_ms: 0.95, p99_ms: 0.99 } as const;
export const percentileNames = ['p50_ms', 'p95_ms', 'p99_ms'] as const;

export type Columns = Readonly<Record<string, readonly (number | null)[]>>;

export function columnsOf(cells: readonly (Cell | null)[]): Columns {
  const column = (value: (cell: Cell) => number): number[] =>
    cells.map((cell) => (cell === null ? 0 : value(cell)));
  const classes = classNames.map(
    (name, at) => [`requests_${name}`, column(({ counts }) => counts[at]!)] as const,
  );
  const latencies = percentileNames.map(
    (name) =>
      [name, cells.map((cell) => cell && rounded(percentile(cell.buckets, PERCENTILES[name])))] as const,
  );
  return {
    requests: column(({ requests }) => requests),
    ...Object.fromEntries(classes),
    connections: column(({ counts }) => counts[Count.connections]!),
    connections_failed: column(({ counts }) => counts[Count.failed]!),
    bytes_in: column(({ counts }) => counts[Count.bytesIn]!),
    bytes_out: column(({ counts }) => counts[Count.bytesOut]!),
    ...Object.fromEntries(latencies),
  };
}

/** Rounds to three digits, since buckets are no more exact. */
export function rounded(value: number | null): number | null {
  return value === null ? null : Number(value.toPrecision(3));
}
