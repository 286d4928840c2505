/** The state of delivery to a destination, for its owner. Reading it changes nothing. */
import { createdAt } from '../core/id.ts';
import type { DocumentStore } from '../documents/index.ts';
import { readDelivery } from './delivery-state.ts';
import { MOST_WAITING } from './outbox-bound.ts';
import type { Destination } from './subscriptions.ts';

/** Null for an event that never happened. */
export interface DeliveryStatus {
  readonly lastSuccessAt: Date | null;
  readonly lastErrorAt: Date | null;
  /** The last error; '' for none. */
  readonly lastError: string;
  /** The time of the next attempt after a failure. */
  readonly nextAttemptAt: Date | null;
  /** Number of queued events. */
  readonly backlog: number;
  /** Milliseconds for which the oldest event has waited. */
  readonly oldestMs: number | null;
  /** Number of events that were given up. */
  readonly failedCount: number;
}

type Reading = Pick<DocumentStore, 'findName' | 'get' | 'queue' | 'countQueued'>;

export async function readStatus(
  store: Reading,
  { id: parent, account }: Pick<Destination, 'id' | 'account'>,
  now: number,
): Promise<DeliveryStatus> {
  const waiting = { account, parent };
  const [delivery, backlog, [oldest]] = await Promise.all([
    readDelivery(store, parent),
    store.countQueued({ ...waiting, limit: MOST_WAITING }),
    store.queue({ ...waiting, limit: 1 }),
  ]);
  const state = delivery?.body;
  return {
    lastSuccessAt: timeOf(state?.last_success_at),
    lastErrorAt: timeOf(state?.last_error_at),
    lastError: state?.last_error ?? '',
    nextAttemptAt: timeOf(state?.next_attempt_at),
    backlog,
    oldestMs: oldest === undefined ? null : Math.max(0, now - createdAt(oldest.body.event_id).getTime()),
    failedCount: state?.failed_count ?? 0,
  };
}

/** Converts milliseconds since 1970; 0 is never. */
function timeOf(milliseconds = 0): Date | null {
  return milliseconds === 0 ? null : new Date(milliseconds);
}
