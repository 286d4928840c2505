/** The options of workers: several daemons on one machine, started and watched by a supervisor. */
import type { Database } from '../store/databases/database.ts';
import { allowedCores } from '../system/cores.ts';
import { ConfigError, type Values } from './options.ts';
import { wholeNumber } from './whole-number.ts';

export interface WorkerOptions {
  /** Number of workers, at least 1. */
  readonly count: number;
  /** Milliseconds without a sign of life after which a worker is killed. */
  readonly timeoutMs: number;
}

const MOST = 64;

export interface WorkersOf {
  readonly database: Database;
  readonly isAlone: boolean;
}

/** Returns null if the process itself is the daemon. Throws ConfigError. */
export function toWorkers(
  values: Values,
  { database, isAlone }: WorkersOf,
  cores: () => number = allowedCores,
): WorkerOptions | null {
  const timeoutMs = wholeNumber(values, 'worker-timeout', 10, { first: 1, last: 3600 }) * 1000;
  const isAuto = values.get('workers')?.[0] === 'auto';
  if (isAuto) {
    const isOne = database.kind === 'sqlite' || isAlone;
    return { count: isOne ? 1 : Math.min(cores(), MOST), timeoutMs };
  }
  const count = workerCount(values);
  if (count > 1) refuseWithoutOthers(count, { database, isAlone });
  return count === 0 ? null : { count, timeoutMs };
}

function workerCount(values: Values): number {
  const text = values.get('workers')?.[0] ?? '0';
  const count = /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN;
  if (count <= MOST) return count;
  throw new ConfigError(`--workers ${text}: must be a whole number from 0 to ${MOST}, or auto`);
}

function refuseWithoutOthers(count: number, { database, isAlone }: WorkersOf): void {
  if (database.kind === 'sqlite')
    throw new ConfigError(
      `--workers ${count}: several workers need PostgreSQL, and SQLite has one daemon; give --workers 1, or --database postgres://… ("underpassd copy" brings the data there)`,
    );
  if (isAlone)
    throw new ConfigError(
      `--workers ${count}: each worker is a daemon, and --alone states that there is one; remove one of the two`,
    );
}
