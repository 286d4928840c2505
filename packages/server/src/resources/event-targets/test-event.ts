/**
 * Sends one test event to a target.
 * Invariant: it does not wait in the queue, is not retried, and does not change the delivery status.
 */
import { randomBytes } from 'node:crypto';
import { TEST_TYPE } from '../../core/event-types.ts';
import { createdAt, IdSequence } from '../../core/id.ts';
import { type EventPrincipal, envelopeOf } from '../../events/envelope.ts';
import type { OutboxEvent, Target } from '../../events/targets/target.ts';
import type { JsonObject } from '../../store/store.ts';

export interface TestEvent {
  readonly account: string;
  readonly principal: EventPrincipal;
  /** The destination, as the API shows it. */
  readonly object: JsonObject;
}

/** `reason`: why the target did not take it, in words for its owner; null when it did. */
export interface TestResult {
  readonly id: string;
  readonly reason: string | null;
}

/** Milliseconds. A caller waits for the response. */
const TIMEOUT_MS = 15_000;

export async function sendTestEvent(
  target: Target,
  event: TestEvent,
  now: () => number,
): Promise<TestResult> {
  const id = new IdSequence({ now, random: randomBytes }).next('ev');
  const text = envelopeOf(id, { type: TEST_TYPE, ...event });
  const { account } = event;
  // No resource: it has no place among the events of one.
  const sent: OutboxEvent = {
    ...{ id, type: TEST_TYPE, time: createdAt(id).getTime(), account, resource: '', text },
  };
  const [outcome] = await target.send([sent], AbortSignal.timeout(TIMEOUT_MS));
  if (outcome === undefined) throw new Error('a target returned no result for its one event');
  return { id, reason: outcome.result === 'taken' ? null : outcome.reason };
}
