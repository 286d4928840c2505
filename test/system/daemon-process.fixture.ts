/** Finds a daemon that something else has started, such as npm. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

/** The Node that runs the daemon's own file with this argument, not what started it. */
export function daemonWith(argument: string): { readonly pid: number; readonly words: readonly string[] } {
  for (const pid of readdirSync('/proc').map(Number).filter(Number.isInteger)) {
    const words = commandLine(pid);
    const runsFile = words.some((word) => /\/.*underpassd(\.js)?$/.test(word));
    if (basename(words[0] ?? '') === 'node' && runsFile && words.includes(argument)) return { pid, words };
  }
  throw new Error(`no daemon runs with ${argument}`);
}

function commandLine(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    // It has ended meanwhile.
    return [];
  }
}
