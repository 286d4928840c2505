/**
 * Removes the queued events of deleted destinations: some hundred in a write, then a pause for other writes.
 * Invariant: if a daemon dies, another daemon or the next start continues.
 */
import type { Logger } from 'pino';
import type { DocumentStore } from '../documents/index.ts';
import { isOutage } from '../store/outage-log.ts';
import { type After, Resting } from './resting.ts';

export interface DeletedQueuesOptions {
  readonly store: Pick<DocumentStore, 'hasDeletedQueues' | 'write'>;
  readonly after: After;
  readonly log: Logger;
}

/** Events in one write, which takes about ten milliseconds. */
const MOST_CLEARED = 300;
const PAUSE_MS = 20;
/** Milliseconds until the next attempt if the store is unavailable, or after an unexpected error. */
const RETRY_MS = 1_000;

export class DeletedQueues {
  readonly #options: DeletedQueuesOptions;
  readonly #resting: Resting;
  #mayBeLeft = false;
  #running: Promise<void> | null = null;
  #stopped = false;

  constructor(options: DeletedQueuesOptions) {
    this.#options = options;
    this.#resting = new Resting(options.after);
  }

  /** Reports that a destination may have been deleted. */
  wake(): void {
    this.#mayBeLeft = true;
    this.#running ??= this.#run();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#resting.end();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#mayBeLeft && !this.#stopped) {
      this.#mayBeLeft = false;
      const restMs = await this.#step().catch((error: unknown) => this.#failed(error));
      if (restMs === null) continue;
      this.#mayBeLeft = true;
      if (!this.#stopped) await this.#resting.rest(restMs);
    }
    this.#running = null;
  }

  /** Returns the milliseconds until the next step; null if nothing is left. */
  async #step(): Promise<number | null> {
    const { store } = this.#options;
    if (!(await store.hasDeletedQueues())) return null;
    await store.write(() => [{ op: 'clear', most: MOST_CLEARED }]);
    return PAUSE_MS;
  }

  #failed(error: unknown): number {
    if (!isOutage(error))
      this.#options.log.error({ err: error }, 'clearing what waited for deleted destinations failed');
    return RETRY_MS;
  }
}
