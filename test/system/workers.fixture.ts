/** The state of the workers of a daemon, from its log and its admin listener. */
import { readFileSync } from 'node:fs';
import { eventually, type Platform } from '../harness/index.ts';

interface Line {
  readonly msg?: string;
  readonly node?: string;
  readonly worker?: number;
  readonly pid?: number;
}

export function logLines({ daemon }: Platform): readonly Line[] {
  return daemon.lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as Line);
}

/** Process ids of a worker, from the first to the current one. */
export function pidsOf(platform: Platform, worker: number): readonly number[] {
  return logLines(platform)
    .filter((line) => line.msg === 'a worker is ready' && line.worker === worker)
    .map(({ pid = 0 }) => pid);
}

/** Resolves with the process id of a worker once the log has it: the log may be later than the ready line. */
export async function pidOf(platform: Platform, worker: number): Promise<number> {
  return await eventually(() => {
    const pid = pidsOf(platform, worker).at(-1) ?? 0;
    // A signal to 0 would go to the whole process group.
    if (pid > 0) return pid;
    throw new Error(`worker ${worker} is not in the log yet`);
  });
}

export function lives(pid: number): boolean {
  try {
    // A zombie does not live.
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

export interface Readyz {
  readonly status: number;
  readonly ready: boolean;
  readonly reasons: readonly { readonly reason: string; readonly message: string }[];
  readonly warnings: readonly { readonly warning: string; readonly message: string }[];
}

export async function readyz({ adminPort }: Platform): Promise<Readyz> {
  const response = await fetch(`http://127.0.0.1:${adminPort}/readyz`);
  return { status: response.status, ...((await response.json()) as Omit<Readyz, 'status'>) };
}

/** Returns the samples of `/metrics` by their name with labels. */
export async function metricsOf({ adminPort }: Platform): Promise<ReadonlyMap<string, number>> {
  const text = await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text();
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(lines.map((line) => [line.replace(/ \S+$/, ''), Number(/\S+$/.exec(line)?.[0])]));
}

/** Number of sockets that listen at a port of 127.0.0.1. */
export function listenersAt(port: number): number {
  const address = `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const lines = readFileSync('/proc/net/tcp', 'utf8').split('\n');
  return lines.filter((line) => line.trim().split(/\s+/)[1] === address && / 0A /.test(line)).length;
}

/** Returns the process id of the first child. Throws if there is none yet. */
export function childOf(pid: number): number {
  const child = Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')[0]);
  if (child > 0) return child;
  throw new Error(`${pid} has no child yet`);
}
