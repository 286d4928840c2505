/**
 * Detects ids that are ahead of the clock. Ids never decrease, so a clock that was ahead for a moment has a lasting
 * effect: resources get that time as their creation, until it has come.
 * Invariant: this is reported, and once only.
 */
import type { Logger } from 'pino';
import { createdAt } from '../core/id.ts';
import { StoreUnavailableError } from '../store/store.ts';

/** Clocks that are kept right differ by less, in milliseconds. */
const TOLERANCE_MS = 60_000;
const LOOK_EVERY_MS = 10_000;

export interface ClockWatchOptions {
  /** The suffix of the newest id; '' when there is none. */
  readonly lastId: () => Promise<string>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: Pick<Logger, 'warn' | 'info'>;
}

export class ClockWatch {
  readonly #options: ClockWatchOptions;
  #isAhead = false;
  #message: string | null = null;

  constructor(options: ClockWatchOptions) {
    this.#options = options;
  }

  /** Looks now and then until what it answers is called; does not keep the process alive. */
  start(everyMs = LOOK_EVERY_MS): () => void {
    const timer = setInterval(() => void this.#lookUnasked(), everyMs).unref();
    void this.#lookUnasked();
    return () => clearInterval(timer);
  }

  /** The result of the last look, for `/readyz`: a database that is away changes nothing about it. */
  get message(): string | null {
    return this.#message;
  }

  /** Returns the fault for the operator; null for none. Rejects if the newest id cannot be read. */
  async look(): Promise<string | null> {
    const { lastId, now, log } = this.#options;
    const newest = await lastId();
    const newestMs = newest === '' ? 0 : createdAt(newest).getTime();
    const isAhead = newestMs - now() > TOLERANCE_MS;
    const message = isAhead ? sentence(newestMs, now()) : null;
    this.#message = message;
    if (isAhead !== this.#isAhead) {
      this.#isAhead = isAhead;
      if (message === null)
        log.info('the clock has come to where the newest id is: created_at is right again');
      else log.warn(message);
    }
    return message;
  }

  async #lookUnasked(): Promise<void> {
    try {
      await this.look();
    } catch (error) {
      // The users of the store report that it is unavailable.
      if (!(error instanceof StoreUnavailableError))
        this.#options.log.warn({ err: error }, 'the newest id cannot be compared with the clock');
    }
  }
}

function sentence(newestMs: number, nowMs: number): string {
  const newest = new Date(newestMs).toISOString().replace('.000Z', 'Z');
  const seconds = Math.round((newestMs - nowMs) / 1000);
  return `the newest id is of ${newest}, ${seconds} s ahead of this machine's clock: the clock is behind, or was ahead when that id was made, here or on another machine with this database. Correct the clock if it is wrong. Until it reaches that time, new resources get that time as created_at`;
}
