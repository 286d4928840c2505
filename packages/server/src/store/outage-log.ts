/**
 * Logs outages of the store: one line at the beginning, one at the end.
 * Invariant: the number of failed requests does not change the number of lines.
 */
import type { Logger } from 'pino';
import { NewerFormatError } from './format.ts';
import { RevisionCompactedError, StoreRemovedError, StoreUnavailableError } from './store.ts';

export type StoreOperation = 'read' | 'write';

interface Outage {
  readonly sinceMs: number;
  failures: number;
  readonly message: string;
}

export class OutageLog {
  readonly #log: Pick<Logger, 'error' | 'warn'>;
  /** Monotonic milliseconds. */
  readonly #now: () => number;
  /** Outages by operation, because a full disk affects writes only. */
  readonly #outages = new Map<StoreOperation, Outage>();

  constructor(log: Pick<Logger, 'error' | 'warn'>, now: () => number) {
    this.#log = log;
    this.#now = now;
  }

  /** The cause of the outage for writes; null for none. */
  get writeFailure(): string | null {
    return this.#outages.get('write')?.message ?? null;
  }

  failed(operation: StoreOperation, error: unknown): void {
    // The watcher of the files reports a removed file. Reads continue.
    if (!isOutage(error) || error instanceof StoreRemovedError) return;
    const outage = this.#outages.get(operation);
    if (outage !== undefined) {
      outage.failures += 1;
      return;
    }
    this.#outages.set(operation, {
      sinceMs: this.#now(),
      failures: 1,
      message: error.message,
    });
    this.#log.error(
      { err: error, operation },
      'the store is away; what fails until it is back is not logged',
    );
  }

  worked(operation: StoreOperation): void {
    if (this.#outages.size === 0) return;
    const outage = this.#outages.get(operation);
    if (outage === undefined) return;
    this.#outages.delete(operation);
    const seconds = Math.round((this.#now() - outage.sinceMs) / 1000);
    this.#log.warn({ operation, failures: outage.failures, seconds }, 'the store is back');
  }
}

/**
 * Returns true if the failure affects all callers. A document that this program cannot read affects only its reader.
 */
export function isOutage(error: unknown): error is StoreUnavailableError {
  return error instanceof StoreUnavailableError && !(error instanceof NewerFormatError);
}

/** Returns an error handler for followers, which retry during the whole outage. */
export function failureLog(
  log: Pick<Logger, 'error'> | undefined,
  message: string,
): (error: unknown) => void {
  return (error) => {
    // A new list is no failure. Another history or another server is logged once for all followers.
    if (!isOutage(error) && !(error instanceof RevisionCompactedError)) log?.error({ err: error }, message);
  };
}
