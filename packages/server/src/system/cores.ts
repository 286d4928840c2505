/** The processor cores that the process may use, by its affinity and the quota of its control groups. */
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, posix } from 'node:path';

const CGROUPS = '/sys/fs/cgroup';

/** Reads a file of the system. Throws if there is none. */
export type ReadFile = (path: string) => string;

/** Returns whole cores, at least 1. A quota of 2.5 cores counts as 2, so that no process waits for the quota of another. */
export function allowedCores(
  cores: number = availableParallelism(),
  read: ReadFile = (path) => readFileSync(path, 'utf8'),
): number {
  return Math.max(1, Math.min(cores, Math.floor(quota(read))));
}

/** Returns cores by the tightest quota of all groups above the process; Infinity without a quota. */
function quota(read: ReadFile): number {
  let least = Number.POSITIVE_INFINITY;
  for (const line of (textOf(read, '/proc/self/cgroup') ?? '').split('\n')) {
    const [, controllers = '', path] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
    if (path === undefined) continue;
    const isSecond = controllers === '';
    if (!isSecond && !controllers.split(',').includes('cpu')) continue;
    for (const folder of foldersOf(path))
      least = Math.min(least, isSecond ? secondVersion(read, folder) : firstVersion(read, folder));
  }
  return least;
}

/** Returns the group and all groups above it. In a container the path may be that of the host, so `/` is one of them. */
function foldersOf(path: string): string[] {
  const folders = [posix.normalize(path)];
  for (let folder = folders[0] as string; folder !== '/' && folder !== '.'; ) {
    folder = posix.dirname(folder);
    folders.push(folder);
  }
  return folders;
}

function secondVersion(read: ReadFile, folder: string): number {
  const [time, period] = (textOf(read, join(CGROUPS, folder, 'cpu.max')) ?? 'max').trim().split(' ');
  return time === 'max' ? Number.POSITIVE_INFINITY : share(Number(time), Number(period));
}

function firstVersion(read: ReadFile, folder: string): number {
  const at = (file: string): number => Number(textOf(read, join(CGROUPS, 'cpu', folder, file)) ?? -1);
  const time = at('cpu.cfs_quota_us');
  return time < 0 ? Number.POSITIVE_INFINITY : share(time, at('cpu.cfs_period_us'));
}

function share(time: number, period: number): number {
  return time > 0 && period > 0 ? time / period : Number.POSITIVE_INFINITY;
}

function textOf(read: ReadFile, path: string): string | null {
  try {
    return read(path);
  } catch {
    return null;
  }
}
