/** A load by h2load, over HTTP/2 or HTTP/1.1. Never beyond this machine: every name is dialled on loopback. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { findProgram, type Target } from './peers/peer.ts';

export interface StreamLoad {
  readonly protocol: 'h2' | 'http/1.1';
  readonly connections: number;
  /** Requests at a time on each connection. */
  readonly streams: number;
  readonly seconds: number;
}

export interface StreamOutcome {
  readonly requests: number;
  readonly perSecond: number;
  /** Answers outside 200–299, and requests that got none. */
  readonly errors: number;
}

/** Null: it is not installed. */
export const h2load = findProgram('h2load');

export async function driveByH2load(target: Target, load: StreamLoad): Promise<StreamOutcome> {
  const args = [
    ...(load.protocol === 'http/1.1' ? ['--h1'] : []),
    ...['-c', String(load.connections), '-m', String(load.streams), '-D', String(load.seconds)],
    `--connect-to=127.0.0.1:${target.port}`,
    `${target.scheme}://${target.host}:${target.port}/`,
  ];
  const child = spawn(h2load ?? 'h2load', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  await once(child, 'close');
  const spoken = /^Application protocol: (\S+)$/m.exec(output)?.[1];
  if (spoken !== load.protocol)
    throw new Error(`${load.protocol} was to be spoken, not ${spoken}:\n${output}`);
  const done = /(\d+) done, (\d+) succeeded, (\d+) failed, (\d+) errored/.exec(output);
  const perSecond = /finished in \S+, ([\d.]+) req\/s/.exec(output)?.[1];
  if (done === null || perSecond === undefined) throw new Error(`h2load printed no result:\n${output}`);
  const [, , succeeded, failed, errored] = done.map(Number);
  return {
    requests: succeeded ?? 0,
    perSecond: Number(perSecond),
    errors: (failed ?? 0) + (errored ?? 0),
  };
}
