/** Reads the CPU time of processes from the kernel (proc(5)). On other systems than Linux all times are zero. */
import { readFileSync } from 'node:fs';

/** The kernel's unit for them. */
const TICKS_PER_SECOND = 100;
/** Places in /proc/<pid>/stat behind the name of the command. */
const OWN = [11, 12] as const;
const CHILDREN = [13, 14] as const;

export interface CpuSeconds {
  readonly own: number;
  /** CPU time of all descendants that have ended and were waited for. */
  readonly children: number;
}

/** User and system time of this process. */
export function cpuSeconds(): CpuSeconds {
  const fields = stat();
  const sum = (places: readonly number[]): number =>
    places.reduce((total, place) => total + Number(fields[place] ?? 0), 0) / TICKS_PER_SECOND;
  return { own: sum(OWN), children: sum(CHILDREN) };
}

function stat(): readonly string[] {
  try {
    const line = readFileSync('/proc/self/stat', 'utf8');
    return line.slice(line.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}
