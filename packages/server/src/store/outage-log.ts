/**
 * Outages of the store in the log: one line when one begins, one when it ends. Never one for each who asks meanwhile.
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
  /** A full disk is an outage for writes alone. */
  readonly #outages = new Map<StoreOperation, Outage>();

  constructor(log: Pick<Logger, 'error' | 'warn'>, now: () => number) {
    this.#log = log;
    this.#now = now;
  }

  /** The cause of the outage for writes; null when there is none. */
  get writeFailure(): string | null {
    return this.#outages.get('write')?.message ?? null;
  }

  failed(operation: StoreOperation, error: unknown): void {
    // A file that was removed is told of by who looks after it; what needs no file works meanwhile.
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

/** Whether it fails for everybody; a document that this program cannot read concerns only who asks for it. */
export function isOutage(error: unknown): error is StoreUnavailableError {
  return error instanceof StoreUnavailableError && !(error instanceof NewerFormatError);
}

/** For followers, which try again for as long as an outage lasts. */
export function failureLog(
  log: Pick<Logger, 'error'> | undefined,
  message: string,
): (error: unknown) => void {
  return (error) => {
    // To list again is no failure. Another history is one line for all followers, and so is another server.
    if (!isOutage(error) && !(error instanceof RevisionCompactedError)) log?.error({ err: error }, message);
  };
}
