/**
 * Decides what is due on a connection without activity.
 * Invariant: a client is never rejected as slow while it waits for the server.
 */
import type { Linger } from '../system/linger.ts';

export const Stage = {
  /** Waiting for a request, or for the rest of its head. */
  head: 0,
  body: 1,
  /** The request is complete, its answer is not out. */
  answer: 2,
  /** Our side has ended. Further bytes cannot be answered and are discarded. */
  closing: 3,
  closed: 4,
} as const;
export type Stage = (typeof Stage)[keyof typeof Stage];

/** Deadlines of a client, in milliseconds. */
export interface Timeouts {
  /** Limit from the first byte of a request (or the start of a connection) to the end of its head. */
  readonly head: number;
  /** Limit from the first byte of a request to the end of its body. */
  readonly request: number;
  /** Limit between two requests. */
  readonly keepAlive: number;
  /** Limit without any byte in either direction. */
  readonly silence: number;
}

/** Monotonic milliseconds. */
export interface Stillness {
  readonly stage: Stage;
  /** Begin of the stage. */
  readonly since: number;
  /** First byte of the request. */
  readonly begunAt: number;
  /** Last byte in either direction. */
  readonly lastActive: number;
  readonly isPartialHead: boolean;
  /** Nothing but the client is waited for. */
  readonly isReading: boolean;
  /** There was no request yet. */
  readonly isFirst: boolean;
  /** Null before the last response is written. */
  readonly linger: Pick<Linger, 'isOver'> | null;
}

/** Action that is due; null for none. `refuse`: send an error response first. */
export type Due = null | 'finish' | 'refuse' | 'destroy';

export function dueOf(still: Stillness, { timeouts, now }: { timeouts: Timeouts; now: () => number }): Due {
  const { stage, since, linger, begunAt, lastActive, isPartialHead, isReading, isFirst } = still;
  const time = now();
  if (stage === Stage.closing) return linger?.isOver(time) === true ? 'destroy' : null;
  if (stage === Stage.head) {
    if (isPartialHead) return time - begunAt > timeouts.head ? 'refuse' : null;
    return time - since > (isFirst ? timeouts.head : timeouts.keepAlive) ? 'finish' : null;
  }
  if (stage === Stage.body && isReading && time - begunAt > timeouts.request) return 'refuse';
  return time - lastActive > timeouts.silence ? 'destroy' : null;
}
