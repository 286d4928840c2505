/**
 * The effects of signals on the daemon.
 * Invariant: one Ctrl-C that an intermediate program repeats never interrupts a drain.
 */
import { closeSync, openSync } from 'node:fs';
import type { Logger } from 'pino';

/** A signal that follows the first one within this time is taken for the same one, in milliseconds. */
const REPEATED_MS = 1000;

export interface SignalActions {
  /** Resolves when everything has stopped. */
  readonly stop: () => Promise<void>;
  /** Reads again what can be. */
  readonly reload: () => void;
  readonly exit: (code: number) => void;
  /** True if SIGHUP means that a terminal was closed, rather than that the daemon is to read its configuration. */
  readonly hasTerminal: boolean;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  readonly log: Pick<Logger, 'info' | 'error'>;
}

/** `signals` is the process. */
export function onSignals(
  signals: { on(signal: NodeJS.Signals, act: (signal: NodeJS.Signals) => void): unknown },
  { stop, reload, exit, hasTerminal, now, log }: SignalActions,
): void {
  let stoppingSince: number | null = null;
  const drain = (signal: NodeJS.Signals): void => {
    if (stoppingSince !== null) {
      if (now() - stoppingSince > REPEATED_MS) exit(1);
      return;
    }
    stoppingSince = now();
    log.info(
      { signal },
      'stopping: waiting for what runs; one more signal, a second or more from now, ends it at once',
    );
    stop().then(
      () => {
        log.info('stopped: everything that ran has ended');
        exit(0);
      },
      (error: unknown) => {
        log.error({ err: error }, 'stopping failed');
        exit(1);
      },
    );
  };
  signals.on('SIGTERM', drain);
  signals.on('SIGINT', drain);
  signals.on('SIGHUP', hasTerminal ? drain : () => reload());
}

/** True if the process has a terminal. Call it at the start, because a closed terminal cannot be examined any more. */
export function hasTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'));
    return true;
  } catch {
    return false;
  }
}
