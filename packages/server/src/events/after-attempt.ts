/**
 * Decides what follows from a delivery attempt: accepted events, events to give up, and the time of the next attempt.
 * Pure.
 * Invariant: an event is given up only after a day of attempts, or if its target refused it for good.
 */
import type { EventDeliveryDocument, QueuedEvent } from '../documents/index.ts';
import { toOutboxEvent } from './batch.ts';
import type { Outcome } from './targets/target.ts';

export const FIRST_RETRY_MS = 1_000;
export const LONGEST_RETRY_MS = 15 * 60_000;
export const GIVE_UP_MS = 24 * 60 * 60_000;

export interface Attempt {
  readonly events: readonly QueuedEvent[];
  /** The outcome of each event. */
  readonly outcomes: readonly Outcome[];
  /** The time at which the events' file was closed, in milliseconds since 1970; 0 for events without a file. */
  readonly closedAt: number;
}

export interface GivenUp {
  readonly event: QueuedEvent;
  readonly reason: string;
}

export interface AfterAttempt {
  readonly taken: readonly QueuedEvent[];
  readonly givenUp: readonly GivenUp[];
  readonly state: EventDeliveryDocument;
}

/** `tooLong` events were not sent. `random` is at least 0 and less than 1. */
export function afterAttempt(
  { events, outcomes, closedAt }: Attempt,
  state: EventDeliveryDocument,
  tooLong: readonly GivenUp[],
  now: number,
  random: number,
): AfterAttempt {
  const taken: QueuedEvent[] = [];
  const givenUp = [...tooLong];
  let error = tooLong[0]?.reason ?? '';
  let isPending = false;
  let askedMs = 0;
  const failingSince = (state.failing_since || now) + untriedMs(state, now);
  events.forEach((event, at) => {
    const outcome = outcomes[at] ?? { result: 'retry', reason: 'the target reported no outcome for it' };
    if (outcome.result === 'taken') {
      taken.push(event);
      return;
    }
    error ||= outcome.reason;
    const triedSince = Math.max(failingSince, closedAt, toOutboxEvent(event).time);
    if (outcome.result === 'refused' || now - triedSince >= GIVE_UP_MS) {
      givenUp.push({ event, reason: outcome.reason });
      return;
    }
    isPending = true;
    askedMs = Math.max(askedMs, outcome.afterMs ?? 0);
  });
  const attempts = isPending ? (taken.length > 0 ? 1 : state.attempts + 1) : 0;
  const restMs = Math.min(Math.max(retryMs(attempts, random), askedMs), LONGEST_RETRY_MS);
  return {
    taken,
    givenUp,
    state: {
      ...state,
      attempts,
      failing_since: isPending ? failingSince : 0,
      next_attempt_at: isPending ? now + restMs : 0,
      last_success_at: taken.length > 0 ? now : state.last_success_at,
      ...(error === '' ? {} : { last_error: error, last_error_at: now }),
      failed_count: state.failed_count + givenUp.length,
    },
  };
}

/** Returns the time without an attempt, which does not count: the clock jumped, or no daemon ran. */
function untriedMs({ attempts, next_attempt_at }: EventDeliveryDocument, now: number): number {
  const lateMs = attempts === 0 ? 0 : now - next_attempt_at;
  return Math.abs(lateMs) > LONGEST_RETRY_MS ? lateMs : 0;
}

/**
 * Doubles the pause with each attempt. A random part of up to a fifth is subtracted, so that destinations that failed
 * together do not retry together.
 */
function retryMs(attempts: number, random: number): number {
  const full = Math.min(FIRST_RETRY_MS * 1.25 * 2 ** (attempts - 1), LONGEST_RETRY_MS);
  return Math.round(full * (1 - random / 5));
}
