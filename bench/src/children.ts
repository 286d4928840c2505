/** Child processes of a benchmark run: started here, waited for, and ended for certain. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { eventually } from '@underpass/test';

/** Waits until something accepts on a loopback port. */
export async function untilListening(port: number): Promise<void> {
  await eventually(async () => {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect').finally(() => socket.destroy());
  });
}

export async function stopChild(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  const force = setTimeout(() => child.kill('SIGKILL'), 5000);
  child.kill(signal);
  await ended;
  clearTimeout(force);
}

/** Starts a TypeScript file of the bench that prints `port N` when it listens. `flags`: options of Node. */
export async function startScript(
  file: string,
  args: readonly string[] = [],
  flags: readonly string[] = [],
): Promise<{ child: ChildProcess; port: number }> {
  const child = spawn(process.execPath, [...flags, new URL(file, import.meta.url).pathname, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [chunk] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, port: Number(/port (\d+)/.exec(chunk.toString())?.[1]) };
}

/** Options of Node with which the daemon is started: what runs a part of it in a process of its own has the same heap. */
export function daemonFlags(): readonly string[] {
  const daemon = new URL('../../packages/server/bin/underpassd.js', import.meta.url);
  const [first = ''] = readFileSync(daemon, 'utf8').split('\n', 1);
  return first.match(/--\S+/g) ?? [];
}

/** Runs a TypeScript file of the bench to its end and answers what it printed. `flags`: options of Node. */
export async function runScript(
  file: string,
  args: readonly string[],
  flags: readonly string[] = [],
): Promise<string> {
  const child = spawn(process.execPath, [...flags, new URL(file, import.meta.url).pathname, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${file} ended with ${code}`);
  return output;
}
