/**
 * One run of tests: marks every process in its environment, and finds those that are left at its end.
 * Invariant: a run with leftover processes fails, because they would disturb the next one.
 */
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

const MARK = 'TEST_RUN';

export interface RunningProcess {
  readonly pid: number;
  readonly command: string;
}

/** The variable that marks the processes of a new run; children inherit it. */
export function newRunMark(): Readonly<Record<string, string>> {
  return { [MARK]: randomUUID() };
}

/** The processes with this mark but the own one, as far as this system lets them be seen (/proc, Linux). */
export function processesOf(mark: Readonly<Record<string, string>>): readonly RunningProcess[] {
  const wanted = `${MARK}=${mark[MARK]}\0`;
  return pids().flatMap((pid) => {
    const environment = `${read(pid, 'environ')}\0`;
    if (pid === process.pid || !environment.includes(wanted)) return [];
    const command = read(pid, 'cmdline').replaceAll('\0', ' ').trim();
    // Of a process that has ended and was not waited for nothing is left to read.
    return command === '' ? [] : [{ pid, command }];
  });
}

export function endProcesses(processes: readonly RunningProcess[]): void {
  for (const { pid } of processes) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended by itself meanwhile.
    }
  }
}

function pids(): readonly number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

function read(pid: number, file: 'environ' | 'cmdline'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    // It has ended, or is another user's.
    return '';
  }
}
