/** Runs this program as a child, with its output in a file, and restarts it after a crash. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, renameSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { InvalidInput } from '../address.ts';
import { makeFolder } from '../make-folder.ts';
import { keepRunning } from './keep-running.ts';
import { KEPT } from './kept.ts';
import { ownProgram } from './own-program.ts';

/** Milliseconds before a restart, as systemd waits. */
const RESTART_MS = 5_000;
const LOG_BYTES = 10_000_000;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** `words`: the arguments of the child. Resolves with its exit code. Throws InvalidInput if the log cannot be written. */
export async function runKept(words: readonly string[], log: string): Promise<number> {
  const controller = new AbortController();
  let child: ChildProcess | null = null;
  const end = (): void => {
    controller.abort();
    child?.kill();
  };
  for (const signal of SIGNALS) process.on(signal, end);
  try {
    return await keepRunning({
      stop: controller.signal,
      run: async () => {
        child = startChild(words, log);
        const [code] = (await once(child, 'close')) as [number | null];
        child = null;
        return code;
      },
      wait: () => sleep(RESTART_MS, undefined, { signal: controller.signal }).catch(() => {}),
      crashed: (code) =>
        writeLine(log, `underpass: The agent crashed (${code ?? 'signal'}), and is restarted.\n`),
    });
  } finally {
    for (const signal of SIGNALS) process.off(signal, end);
  }
}

/** The channel closes with the keeper, however that ends, and the child sees it. */
function startChild(words: readonly string[], log: string): ChildProcess {
  const [program = '', ...args] = ownProgram();
  const file = openLog(log);
  try {
    return spawn(program, [...args, ...words], {
      stdio: ['ignore', file, file, 'ipc'],
      env: { ...process.env, [KEPT]: '1' },
      windowsHide: true,
    });
  } finally {
    closeSync(file);
  }
}

/** Opens the log to append. One that has become large is kept once, as `.old`. */
function openLog(path: string): number {
  try {
    makeFolder(dirname(path), 0o700);
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > LOG_BYTES) renameSync(path, `${path}.old`);
    return openSync(path, 'a', 0o600);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new InvalidInput(`The log ${path} cannot be written: ${reason}`, 'log');
  }
}

function writeLine(log: string, line: string): void {
  const file = openLog(log);
  writeSync(file, line);
  closeSync(file);
}
