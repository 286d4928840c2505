/** Reads the CPU time of processes. It measures cost also on a busy machine. */
import { readdirSync, readFileSync } from 'node:fs';

/** The kernel counts a process's time in these. */
const TICK_MICROSECONDS = 10_000;

/** CPU time of the processes and their children, in all threads, user and kernel, in steps of 10 ms. */
export function cpuMicroseconds(pids: readonly number[]): number {
  return processTree(pids).reduce((sum, pid) => sum + ticks(pid) * TICK_MICROSECONDS, 0);
}

/** These processes and those below them. */
export function processTree(pids: readonly number[]): readonly number[] {
  return pids.flatMap((pid) => [pid, ...processTree(children(pid))]);
}

/** CPU time of a Node process by its threads: the main one, and those of V8, which compile and collect garbage. */
export function threadMicroseconds(pid: number): { readonly main: number; readonly v8: number } {
  const tasks = `/proc/${pid}/task`;
  const others = readdirSync(tasks).filter((id) =>
    readFileSync(`${tasks}/${id}/comm`, 'utf8').includes('V8'),
  );
  const v8 = others.reduce((sum, id) => sum + ticksIn(`${tasks}/${id}/stat`), 0);
  return { main: ticksIn(`${tasks}/${pid}/stat`) * TICK_MICROSECONDS, v8: v8 * TICK_MICROSECONDS };
}

function ticks(pid: number): number {
  return ticksIn(`/proc/${pid}/stat`);
}

function ticksIn(file: string): number {
  const stat = readFileSync(file, 'utf8');
  // Behind the name, which may have anything in it: the state is the third field, the times are the 14th and the 15th.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(fields[11]) + Number(fields[12]);
}

function children(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );
}
