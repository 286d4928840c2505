/** Starts the daemon of a setup: by systemd, or in the foreground until Ctrl-C. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import type { Answers } from './answers.ts';
import { withProgress } from './progress.ts';
import { SetupError } from './setup-error.ts';
import { HTTP_SOCKET, SERVICE, SOCKET } from './unit-text.ts';

export async function isServiceActive(): Promise<boolean> {
  return await systemctl('is-active', '--quiet', SERVICE).then(
    () => true,
    () => false,
  );
}

/** Units that are enabled with these listeners. */
export function unitsOf(listeners: Answers['listeners']): readonly string[] {
  return [SOCKET, ...(listeners['http-listen'] === null ? [] : [HTTP_SOCKET]), SERVICE];
}

/** Starts it, or restarts it. `haveUnitsChanged`: its ports are opened anew, too. Rejects with SetupError. */
export async function startService(
  listeners: Answers['listeners'],
  haveUnitsChanged: boolean,
): Promise<void> {
  const units = unitsOf(listeners);
  const steps = async (): Promise<void> => {
    await systemctl('daemon-reload');
    if (listeners['http-listen'] === null) await systemctl('disable', '--now', HTTP_SOCKET).catch(() => {});
    if (haveUnitsChanged) await systemctl('stop', SERVICE, ...units.filter((unit) => unit !== SERVICE));
    else if (await isServiceActive()) await systemctl('restart', SERVICE);
    await systemctl('enable', '--now', ...units);
  };
  console.log(`Starting ${SERVICE}`);
  try {
    await withProgress(`Waiting for ${SERVICE}`, steps());
  } catch (error) {
    throw new SetupError(
      `the service does not start: ${await lastWords(error)}\nIts log: journalctl --unit underpassd --lines 50`,
    );
  }
}

/** Returns the last line of the service's log, which has the reason; without one, that of systemd. */
async function lastWords(error: unknown): Promise<string> {
  const args = ['--unit', SERVICE, '--lines', '200', '--output', 'cat', '--no-pager'];
  const lines = await promisify(execFile)('journalctl', args).then(
    ({ stdout }) => stdout.split('\n'),
    () => [],
  );
  const own = lines.flatMap((line) => /"level":60,.*"msg":"(.*?)(?<!\\)"/.exec(line)?.[1] ?? []).at(-1);
  return own?.replaceAll('\\"', '"') ?? (error as Error).message.trim();
}

async function systemctl(...args: readonly string[]): Promise<void> {
  await promisify(execFile)('systemctl', args);
}

export interface Foreground {
  readonly hasEnded: () => boolean;
  /** Resolves with its exit code. */
  readonly ended: Promise<number>;
}

/** The daemon gets Ctrl-C from the terminal itself; this process waits for its end. */
export function startForeground(program: readonly string[], config: string): Foreground {
  const [file = '', ...args] = program;
  const child = spawn(file, [...args, 'serve', '--config', config], { stdio: 'inherit' });
  const pass = (signal: NodeJS.Signals): void => void child.kill(signal);
  process.on('SIGINT', () => {});
  process.on('SIGTERM', pass);
  process.on('SIGHUP', pass);
  return { hasEnded: () => child.exitCode !== null || child.signalCode !== null, ended: endOf(child) };
}

async function endOf(child: ChildProcess): Promise<number> {
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}
