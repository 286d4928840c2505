/**
 * Restarts workers one after the other, with the options as they are now.
 *
 * Several daemons may use PostgreSQL, so a successor starts beside the worker that it replaces, and accepts from the
 * same sockets. Then the older one closes its descriptors of them, and leaves in order. A worker on SQLite ends first;
 * connections wait in its sockets.
 * Invariant: a worker ends only after its successor is ready, unless it holds the database alone.
 */
import type { Logger } from 'pino';
import type { Values } from '../command/options.ts';
import { OperatorError } from '../operator/operator-error.ts';
import type { Sockets } from './sockets.ts';
import { type Worker, WorkerFailed } from './worker.ts';

/** Milliseconds from the start of a successor to its readiness. */
const START_MS = 120_000;

export type Rolled = Pick<
  Worker,
  'number' | 'seat' | 'isReady' | 'values' | 'start' | 'again' | 'ask' | 'stop'
>;

export interface RollParts {
  /** Workers that serve, in the order of their seats. A successor takes the place of its worker. */
  readonly workers: Rolled[];
  /** Workers that are about to serve, or that leave. */
  readonly others: Set<Rolled>;
  /** True: daemons share the database, so two can run at a time. */
  readonly hasSiblings: boolean;
  readonly sockets: Pick<Sockets, 'double'>;
  /** True: all workers end, so none may be started or ended here. */
  readonly isStopping: () => boolean;
  /** Makes a worker that is not started. */
  readonly make: (plan: {
    readonly number: number;
    readonly seat: number;
    readonly values: Values;
  }) => Rolled;
  readonly log: Pick<Logger, 'info'>;
  /** Milliseconds; see `START_MS`. */
  readonly startMs?: number;
}

export interface Roll {
  /** The only worker to restart, by its number; null: all. */
  readonly only: number | null;
  readonly values: Values;
}

/** Resolves with the numbers of the workers that run instead. Rejects with OperatorError at the first one that does not start. */
export async function roll(parts: RollParts, { only, values }: Roll): Promise<readonly number[]> {
  const { workers } = parts;
  const chosen = workers.filter(({ number }) => only === null || number === only);
  if (chosen.length === 0)
    throw new OperatorError(
      `no worker has the number ${only}: give one of ${workers.map(({ number }) => number).join(', ')}`,
    );
  const done: number[] = [];
  for (const worker of chosen) {
    requireRunning(parts);
    try {
      const restarted = await (parts.hasSiblings ? replaced(parts, worker, values) : again(worker, values));
      done.push(restarted);
    } catch (error) {
      if (!(error instanceof WorkerFailed)) throw error;
      throw new OperatorError(failureText(error, worker, done.length, workers.length), { cause: error });
    }
  }
  requireRunning(parts);
  return done;
}

function requireRunning({ isStopping }: RollParts): void {
  if (isStopping()) throw new OperatorError('the daemon stops: its next start has the options of then');
}

function failureText(
  { number, exitCode }: WorkerFailed,
  worker: Rolled,
  done: number,
  count: number,
): string {
  const how =
    exitCode === LATE ? 'was not ready in time' : `ended before it was ready (exit code ${exitCode})`;
  const state =
    worker.number === number
      ? 'It is started again with its former options'
      : `Worker ${worker.number} goes on`;
  return `worker ${number} ${how}: its lines in the log of the daemon have the reason. ${state}. ${done} of ${count} workers were restarted before. Correct the cause, then run this command again.`;
}

/** The exit code of a worker that was ended because it was not ready in time. No process has it. */
const LATE = -1;

async function replaced(parts: RollParts, worker: Rolled, values: Values): Promise<number> {
  const { workers, others, sockets, make, log } = parts;
  const { seat } = worker;
  const successor = make({ number: freeNumber([...workers, ...others]), seat, values });
  others.add(successor);
  sockets.double(seat, true);
  try {
    await started(successor, parts.startMs ?? START_MS);
  } catch (error) {
    await successor.stop('SIGKILL');
    others.delete(successor);
    sockets.double(seat, false);
    throw error;
  }
  requireRunning(parts);
  others.delete(successor);
  others.add(worker);
  workers.splice(workers.indexOf(worker), 1, successor);
  log.info({ worker: worker.number, successor: successor.number }, 'a worker leaves: its successor is ready');
  // Without an answer it does not live, and its descriptors end with it.
  await worker.ask({ about: 'handOver' });
  await worker.stop('SIGTERM');
  sockets.double(seat, false);
  others.delete(worker);
  return successor.number;
}

/** Rejects with WorkerFailed, also if it is not ready in time. */
async function started(successor: Rolled, startMs: number): Promise<void> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new WorkerFailed(successor.number, LATE)), startMs);
  try {
    await Promise.race([successor.start(), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

async function again(worker: Rolled, values: Values): Promise<number> {
  const former = worker.values;
  worker.values = values;
  try {
    await worker.again();
  } catch (error) {
    worker.values = former;
    throw error;
  }
  return worker.number;
}

/** Returns the lowest number from 1 that no process has. */
function freeNumber(workers: readonly Pick<Worker, 'number'>[]): number {
  const used = new Set(workers.map(({ number }) => number));
  let number = 1;
  while (used.has(number)) number += 1;
  return number;
}
