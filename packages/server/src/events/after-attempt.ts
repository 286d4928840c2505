/**
 * What follows from an attempt to deliver: what is done with, what is given up, and when it goes on. Pure. Never that an event is given
 * up which was tried for less than a day, unless its destination said that it would never take it.
 */
import type { EventDeliveryDocument, QueuedEvent } from '../documents/index.ts';
import { toOutboxEvent } from './batch.ts';
import type { Outcome } from './targets/target.ts';

export const FIRST_RETRY_MS = 1_000;
export const LONGEST_RETRY_MS = 15 * 60_000;
export const GIVE_UP_MS = 24 * 60 * 60_000;

export interface Attempt {
  readonly events: readonly QueuedEvent[];
  /** One for each event. */
  readonly outcomes: readonly Outcome[];
  /** When the file that they waited for was closed, in milliseconds since the epoch; 0 for events that wait for none. */
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

/** `tooLong` was not sent. `random`: at least 0 and less than 1. */
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
    const outcome = outcomes[at] ?? { result: 'retry', reason: 'the target said nothing of it' };
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

/** What passed without an attempt does not count: a clock that jumped, either way, or a time in which no daemon ran. */
function untriedMs({ attempts, next_attempt_at }: EventDeliveryDocument, now: number): number {
  const lateMs = attempts === 0 ? 0 : now - next_attempt_at;
  return Math.abs(lateMs) > LONGEST_RETRY_MS ? lateMs : 0;
}

/** Doubles with each attempt, less up to a fifth, so that destinations which failed together do not come back together. */
function retryMs(attempts: number, random: number): number {
  const full = Math.min(FIRST_RETRY_MS * 1.25 * 2 ** (attempts - 1), LONGEST_RETRY_MS);
  return Math.round(full * (1 - random / 5));
}
