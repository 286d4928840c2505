/** A load on something, with the CPU that all its processes used for it. */
import { cpuMicroseconds } from './cpu.ts';
import { drive, type Load } from './driver.ts';
import type { Target } from './peers/peer.ts';

export interface Loaded {
  readonly name: string;
  readonly target: Target;
  /** The processes that answer; those below them count, too. */
  readonly pids: readonly number[];
}

export interface MeasuredLoad {
  readonly perSecond: number;
  /** Microseconds per request. */
  readonly cpu: number;
  readonly p99Ms: number;
}

export async function measureLoad({ name, target, pids }: Loaded, load: Load): Promise<MeasuredLoad> {
  const before = cpuMicroseconds(pids);
  const { requests, requestsPerSecond, errors, p99Ms } = await drive(target, load);
  const cpu = (cpuMicroseconds(pids) - before) / requests;
  if (errors > 0) console.error(`${name}: ${errors} errors`);
  return { perSecond: requestsPerSecond, cpu, p99Ms };
}
