/** Signals that end a process, and Windows, which has few of them. */
import { constants } from 'node:os';

/**
 * Ends this process by the signal, so that its parent sees it. Windows can send none of them: there the process ends
 * with the exit code that shells give for the signal.
 */
export function endBySignal(signal: NodeJS.Signals, platform = process.platform): void {
  if (platform === 'win32') process.exit(128 + constants.signals[signal]);
  process.kill(process.pid, signal);
}

/**
 * Returns the signals that end a process without its `exit` event, besides Ctrl-C: Ctrl-\, or Ctrl-Break on Windows,
 * and a terminal that closes.
 */
export function terminalSignals(platform = process.platform): readonly NodeJS.Signals[] {
  return [platform === 'win32' ? 'SIGBREAK' : 'SIGQUIT', 'SIGHUP'];
}
