/** Makes a command fail if its output is lost, for example on a full disk. */
import { writeSync } from 'node:fs';

/** Watches stdout from now on. A reader that stops early, such as "head", is no error. */
export function failOnLostOutput(command: string): void {
  const { stdout, stderr } = process;
  let lost: NodeJS.ErrnoException | null = null;
  stdout.on('error', (error) => {
    lost ??= error;
  });
  stderr.on('error', () => {});
  process.on('exit', (code) => {
    // No event has reported an error of the last turn.
    const error = lost ?? stdout.errored;
    if (error === null || isUnread(error)) return;
    if (code === 0) process.exitCode = 1;
    try {
      writeSync(stderr.fd, `${command}: what it printed is lost: ${error.message}\n`);
    } catch {
      // Then only the exit code reports the failure.
    }
  });
}

function isUnread({ code }: NodeJS.ErrnoException): boolean {
  return code === 'EPIPE';
}
