/** Reads the changes that a client has missed from the change log. */
import {
  type Change,
  type ChangeFeed,
  OtherHistoryError,
  type Position,
  RevisionCompactedError,
  StoreUnavailableError,
} from '../../store/store.ts';
import type { ChangeLog, Missed } from './change-log.ts';
import type { EventPosition } from './last-event-id.ts';

/** Revisions that are read again for one client. Beyond them, a client lists everything faster. */
export const REPLAYED_REVISIONS = 10_000;

export interface ReplayOptions {
  readonly from: EventPosition;
  /** The end of the log at the moment. It may grow during the replay. */
  readonly to: () => Position;
  readonly signal: AbortSignal;
  readonly receive: (changes: readonly Change[], at: Position) => void;
  /** Called in the turn in which `to` is reached or passed. */
  readonly reached: (at: Position) => void;
}

/** Resolves at the end. Resolves with a reason if the changes cannot be read. Rejects with StoreUnavailableError. */
export async function replay(
  log: ChangeLog,
  { from, to, signal, receive, reached }: ReplayOptions,
): Promise<Missed | null> {
  if (to().revision - from.revision > REPLAYED_REVISIONS) return 'too_old';
  const over = new AbortController();
  const either = AbortSignal.any([signal, over.signal]);
  const feed = log.store.watch(from.revision, log.kinds, either, from.mark);
  const steps = feed[Symbol.asyncIterator]();
  let step = steps.next();
  try {
    for (;;) {
      const result = await Promise.race([step, isCaughtUp(feed, to().revision)]);
      if (signal.aborted) return null;
      if (result === false) throw new StoreUnavailableError('the change log cannot be read');
      const position = feed.position ?? from;
      if (result !== true) {
        if (result.done === true) return null;
        receive(result.value, position);
        step = steps.next();
      }
      if (position.revision < to().revision) continue;
      reached(position);
      return null;
    }
  } catch (error) {
    if (error instanceof OtherHistoryError) return 'other_history';
    if (error instanceof RevisionCompactedError) return 'too_old';
    throw error;
  } finally {
    step.catch(() => {});
    over.abort();
  }
}

/** A log without `reached` has been read to its end as soon as its reader waits. */
async function isCaughtUp(feed: ChangeFeed, revision: number): Promise<boolean> {
  return (await feed.reached?.(revision)) ?? true;
}
