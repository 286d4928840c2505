/** Reports errors of the database server. Others are of the connection, and readers and writers report them. */
import type { NodeOptions } from './node-options.ts';

const REPORT_MS = 60_000;

/** Returns a function that passes an error of the server on to `failed`, once a minute. */
export function onceAMinute({ now, failed }: Pick<NodeOptions, 'now' | 'failed'>): (error: unknown) => void {
  let reportedAt = Number.NEGATIVE_INFINITY;
  return (error) => {
    const { uptime } = now();
    const isOfServer = error instanceof Error && 'severity' in error && error.severity === 'ERROR';
    if (!isOfServer || uptime - reportedAt < REPORT_MS) return;
    reportedAt = uptime;
    failed(error);
  };
}
