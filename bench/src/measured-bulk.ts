/** Large transfers one after the other, with the CPU that they cost. */
import { cpuMicroseconds } from './cpu.ts';
import type { Peer, Target } from './peers/peer.ts';
import { BULK_BYTES } from './transfer.ts';

const GIB = 1024 ** 3;

export interface Bulk {
  /** Seconds of CPU for each GiB. */
  readonly cpu: number;
  readonly megabytesPerSecond: number;
}

/** Repeats the transfer until the requested time has passed. */
export async function measureBulk(
  { target, pids }: Pick<Peer, 'target' | 'pids'>,
  seconds: number,
  transfer: (target: Target) => Promise<void>,
): Promise<Bulk> {
  const before = cpuMicroseconds(pids);
  const startedAt = performance.now();
  let bytes = 0;
  let tookSeconds = 0;
  do {
    await transfer(target);
    bytes += BULK_BYTES;
    tookSeconds = (performance.now() - startedAt) / 1000;
  } while (tookSeconds < seconds);
  const cpu = (cpuMicroseconds(pids) - before) / 1e6;
  return { cpu: (cpu * GIB) / bytes, megabytesPerSecond: bytes / 1e6 / tookSeconds };
}
