/** What a command prints is what it was run for. Never that one ends well whose output was lost, as on a full disk. */
import { writeSync } from 'node:fs';

/** From here on. Who reads no more, such as "head", has what it wanted: that is no error. */
export function failOnLostOutput(command: string): void {
  const { stdout, stderr } = process;
  let lost: NodeJS.ErrnoException | null = null;
  stdout.on('error', (error) => {
    lost ??= error;
  });
  stderr.on('error', () => {});
  process.on('exit', (code) => {
    // Of the last turn nobody was told yet.
    const error = lost ?? stdout.errored;
    if (error === null || isUnread(error)) return;
    if (code === 0) process.exitCode = 1;
    try {
      writeSync(stderr.fd, `${command}: what it printed is lost: ${error.message}\n`);
    } catch {
      // Then the exit code alone says it.
    }
  });
}

function isUnread({ code }: NodeJS.ErrnoException): boolean {
  return code === 'EPIPE';
}
