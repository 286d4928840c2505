/** Checks if this process is in the foreground of its terminal. In the background it does not draw. */
import { readFileSync } from 'node:fs';

/** Field of `/proc/self/stat` behind the name of the program, counted from the state (proc_pid_stat(5)). */
const GROUP = 2;
const FOREGROUND_GROUP = 5;

/** True also if that cannot be known. */
export function isInForeground(): boolean {
  try {
    return readForeground(readFileSync('/proc/self/stat', 'utf8'));
  } catch {
    return true;
  }
}

/** The name, in parentheses, may hold anything. Without a terminal of its own a process has -1 as the group there. */
export function readForeground(stat: string): boolean {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const foreground = Number(fields[FOREGROUND_GROUP]);
  return !(foreground > 0) || foreground === Number(fields[GROUP]);
}
