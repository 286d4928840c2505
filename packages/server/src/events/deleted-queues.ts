/**
 * Removes the queued events of deleted destinations: some hundred in a write, then a pause for other writes.
 * Invariant: if a daemon dies, another daemon or the next start continues.
 */
import type { Logger } from 'pino';
import type { DocumentStore } from '../documents/index.ts';
import { failureLog } from '../store/outage-log.ts';
import type { After } from './resting.ts';
import { Rounds } from './rounds.ts';

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

/** Start the rounds when a destination may have been deleted. */
export function deletedQueues({ store, after, log }: DeletedQueuesOptions): Rounds {
  return new Rounds({
    after,
    step: async () => {
      if (!(await store.hasDeletedQueues())) return null;
      await store.write(() => [{ op: 'clear', most: MOST_CLEARED }]);
      return PAUSE_MS;
    },
    failed: failureLog(log, 'clearing what waited for deleted destinations failed'),
    retryMs: RETRY_MS,
  });
}
