/**
 * Delivers the events of one destination to its target, oldest first, one batch at a time.
 * Invariant: an event leaves the outbox only if its target accepted it, it was given up, or all its subscriptions were
 * deleted.
 * Invariant: events in memory stay within the assigned room.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import type {
  DocumentStore,
  EventDeliveryDocument,
  EventFile,
  FailedEventDocument,
  QueuedEvent,
} from '../documents/index.ts';
import { RENEWAL_MS } from '../store/lease.ts';
import { isOutage } from '../store/outage-log.ts';
import type { WriteOperation } from '../store/store.ts';
import {
  type Attempt,
  afterAttempt,
  FIRST_RETRY_MS,
  type GivenUp,
  LONGEST_RETRY_MS,
} from './after-attempt.ts';
import { nextBatch } from './batch.ts';
import type { DeliveryRoom, Room, WantedRoom } from './delivery-room.ts';
import { DeliveryState } from './delivery-state.ts';
import { Gathering, type Page } from './gathering.ts';
import { type After, Resting } from './resting.ts';
import { everyOne, outcomesOf, Sending } from './sending.ts';
import type { Destination, Subscriptions } from './subscriptions.ts';
import { fileBoundsOf, mostInFile } from './targets/file-bounds.ts';
import type { Outcome, Target } from './targets/target.ts';

export interface DeliveryParts {
  readonly store: DocumentStore;
  readonly subscriptions: Pick<Subscriptions, 'has'>;
  /** Rejects if the target cannot be opened now. */
  readonly open: (destination: Destination) => Promise<Target>;
  readonly room: DeliveryRoom;
  /** The id of this process, see `DeliveryState`. */
  readonly daemon: string | null;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Milliseconds of a monotonic clock. */
  readonly uptime: () => number;
  readonly after: After;
  readonly random: () => number;
  readonly log: Logger;
  readonly counted: (result: EventResult, events: number) => void;
}

/** `retry` events are sent again. */
export const eventResults = ['taken', 'retry', 'given_up'] as const;
export type EventResult = (typeof eventResults)[number];

/** Events that are read at once and kept until the target responds, more than any target accepts. */
const MOST_EVENTS = 500;
const BATCH = { least: 65_536, most: 5 * 1_048_576 };
/** Events of a file that leave the outbox in one write. */
const MOST_LEAVING = 500;
/** Failed events of one destination that are stored. Further ones are only counted. */
const MOST_KEPT_FAILED = 1_000;
/** Milliseconds between two checks of an open file, however many events come. */
const GATHERING_MS = 1_000;
/** Milliseconds until the next attempt if the store is unavailable, or after an unexpected error. */
const STORE_RETRY_MS = 1_000;
/** Milliseconds for a running batch when the daemon stops. */
const STOP_MS = 5_000;

/** The pause before the next step. A change of the destination ends it. */
interface Rest {
  /** Milliseconds to wait in any case. */
  readonly quietMs: number;
  /** Milliseconds to wait after that unless an event comes; null if only an event ends the wait. */
  readonly newsMs: number | null;
}

const untilNews: Rest = { quietMs: 0, newsMs: null };
const quiet = (quietMs: number): Rest => ({ quietMs, newsMs: 0 });

export class Delivery {
  readonly #parts: DeliveryParts;
  readonly #state: DeliveryState;
  readonly #resting: Resting;
  readonly #stopping = new AbortController();
  readonly #aborted = new AbortController();
  readonly #sending: Sending;
  readonly #done: Promise<void>;
  #destination: Destination;
  /** Null for a target that accepts no files. */
  #gathering: Gathering | null = null;
  /** Positions of a finished file's remaining events, if all of them are known. */
  #leaving: readonly number[] | null = null;
  /** The revision of the last tried destination, and the time. */
  #tried: { readonly revision: number; readonly at: number } | null = null;
  /** Events in a batch at most. It shrinks after a target refused a whole batch, until the faulty event is found. */
  #most = Number.POSITIVE_INFINITY;
  /** The end of the pause on the monotonic clock; null before the state was read. */
  #restsUntil: number | null = null;
  #hasNews = false;
  #hasChanged = false;
  #restsForNews = false;

  /** `files` is the number of the account's destinations that accept files. */
  constructor(destination: Destination, files: number, parts: DeliveryParts) {
    this.#parts = parts;
    this.#destination = destination;
    this.#resting = new Resting(parts.after);
    const { id, account } = destination;
    this.#state = new DeliveryState({ ...parts, account, destination: id });
    this.#sending = new Sending(parts.open);
    this.#gathering = this.#gather(files);
    this.#done = this.#run();
  }

  /** Reports that an event may have come. */
  wake(): void {
    this.#hasNews = true;
    if (this.#restsForNews) this.#resting.end();
  }

  /** Applies a change of the destination or its subscriptions. A changed destination is tried at once. */
  change(destination: Destination, files: number): void {
    this.#destination = destination;
    this.#gathering = this.#gather(files);
    this.#hasChanged = true;
    this.#resting.end();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#resting.end();
    const cancel = this.#parts.after(STOP_MS, () => this.#aborted.abort());
    await this.#done;
    cancel();
  }

  /** Ends a running batch, because its events are no longer wanted. */
  destroy(): Promise<void> {
    this.#aborted.abort();
    return this.stop();
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      this.#hasNews = false;
      this.#hasChanged = false;
      await this.#rest(await this.#step().catch((error: unknown) => quiet(this.#failed(error))));
    }
    this.#sending.close();
    await this.#state.release().catch((error: unknown) => this.#failed(error));
  }

  async #rest({ quietMs, newsMs }: Rest): Promise<void> {
    if (quietMs > 0 && !this.#isInterrupted) await this.#resting.rest(quietMs);
    if (newsMs === 0 || this.#isInterrupted || this.#hasNews) return;
    this.#restsForNews = true;
    await this.#resting.rest(newsMs);
    this.#restsForNews = false;
  }

  get #isStopped(): boolean {
    return this.#stopping.signal.aborted;
  }

  get #isInterrupted(): boolean {
    return this.#isStopped || this.#hasChanged;
  }

  #failed(error: unknown): number {
    const { id: destination } = this.#destination;
    if (!isOutage(error)) this.#parts.log.error({ err: error, destination }, 'delivering events failed');
    return STORE_RETRY_MS;
  }

  /** Delivers one batch or one file. */
  async #step(): Promise<Rest> {
    // Unwanted events are removed only when they would be sent, so that frequent changes cost no reads.
    if (this.#state.isOurs && this.#restMs() > 0) return quiet(this.#restMs());
    if (!this.#state.isOurs && (await this.#queue({ limit: 1, bytes: 1 })).length === 0) return untilNews;
    const gathering = this.#gathering;
    const file = gathering === null ? null : await this.#state.file();
    const openMs = file === null ? await gathering?.closesInMs() : 0;
    if (openMs === null || (openMs !== undefined && openMs > 0)) return this.#waitFor(openMs);
    const bytes = file?.bytes ?? gathering?.closed?.bytes;
    const asked = bytes === undefined ? this.#batch() : this.#file(bytes);
    const room = await this.#parts.room.enter(this.#destination.account, asked, this.#stopping.signal);
    if (room === null) return untilNews;
    try {
      return await this.#claimed(room, gathering);
    } finally {
      room.leave();
    }
  }

  /**
   * Returns the room for a batch. A target that accepted nothing the last time gets few events, so that it holds little
   * memory while it is silent.
   */
  #batch(): WantedRoom {
    const isRetriedFile = false;
    const { least } = BATCH;
    return this.#state.body.attempts === 0
      ? { ...BATCH, isRetriedFile }
      : { least, most: least, isRetriedFile };
  }

  /** Returns the room for a file, which is sent as a whole. */
  #file(bytes: number): WantedRoom {
    return { least: bytes, most: bytes, isRetriedFile: this.#state.body.attempts > 0 };
  }

  async #claimed(room: Room, gathering: Gathering | null): Promise<Rest> {
    // Another daemon may have written the state last.
    if (!this.#state.isOurs) {
      this.#restsUntil = null;
      this.#leaving = null;
    }
    const busyMs = await this.#state.claim();
    if (busyMs > 0) return quiet(busyMs);
    const restMs = this.#restMs();
    if (restMs > 0) return quiet(restMs);
    if (gathering !== null) return quiet(await this.#bringFile(gathering));
    const queued = await this.#queue({ limit: MOST_EVENTS, bytes: room.bytes });
    if (queued.length === 0) return this.#waitFor(null);
    room.shrink(queued.reduce((sum, { body }) => sum + body.envelope.length, 0));
    const unwanted = await this.#unwanted(queued);
    if (unwanted.length > 0) return quiet(await this.#record(this.#state.body, unwanted, []));
    return quiet(await this.#attempt(queued, 0));
  }

  async #bringFile(gathering: Gathering): Promise<number> {
    const file = this.#state.body.file ?? (await this.#close(gathering));
    if (file === null) return 0;
    if (file.is_over) return this.#clear(file);
    const queued: QueuedEvent[] = [];
    for await (const event of gathering.upTo(file.last)) queued.push(event);
    if (queued.length === 0) return this.#record({ ...this.#state.body, file: null }, [], []);
    const unwanted = await this.#unwanted(queued);
    if (unwanted.length === 0) return this.#attempt(queued, file.closed_at);
    for (let at = 0; at < unwanted.length && !this.#isStopped; at += MOST_LEAVING)
      await this.#record(this.#state.body, unwanted.slice(at, at + MOST_LEAVING), []);
    return 0;
  }

  /** Stores the bounds of the file, which stays the same for any daemon and any clock. */
  async #close(gathering: Gathering): Promise<EventFile | null> {
    const { closed } = gathering;
    if (closed === null) return null;
    const file = { last: closed.last, bytes: closed.bytes, closed_at: closed.closedAt, is_over: false };
    return (await this.#state.write({ ...this.#state.body, file })) ? file : null;
  }

  /** Removes a finished file from the outbox, in steps between which other writes run. */
  async #clear(file: EventFile): Promise<number> {
    const known = this.#leaving;
    this.#leaving = null;
    const positions = known ?? (await this.#positionsIn(file));
    const piece = positions.slice(0, MOST_LEAVING);
    const isLast = known === null ? piece.length === 0 : piece.length === known.length;
    const state = { ...this.#state.body, file: isLast ? null : file };
    const isWritten = await this.#state.write(state, () => [{ op: 'dequeue', positions: piece }]);
    if (isWritten && !isLast && known !== null) this.#leaving = known.slice(MOST_LEAVING);
    return 0;
  }

  /** Returns the first remaining positions of the file. */
  async #positionsIn({ last }: EventFile): Promise<readonly number[]> {
    const left = await this.#queue({ limit: MOST_LEAVING, bytes: BATCH.most });
    return left.map(({ position }) => position).filter((position) => position <= last);
  }

  /**
   * Returns the wait for an event, or for a file that closes in `openMs` (null for no file). Then the first daemon to
   * act delivers.
   */
  async #waitFor(openMs: number | null): Promise<Rest> {
    await this.#state.release();
    if (openMs === null) return untilNews;
    const quietMs = Math.min(openMs, GATHERING_MS);
    return { quietMs, newsMs: openMs - quietMs };
  }

  #queue(page: Omit<Page, 'after'>): Promise<readonly QueuedEvent[]> {
    const { id: parent, account } = this.#destination;
    return this.#parts.store.queue({ account, parent, ...page });
  }

  /** Returns the existing gathering if its bounds are unchanged, so that events are not read again. */
  #gather(files: number): Gathering | null {
    const bounds = fileBoundsOf(this.#destination.body.target);
    if (bounds === null) return null;
    const mostEvents = mostInFile(files);
    const known = this.#gathering;
    if (known === null || !isDeepStrictEqual(bounds, known.bounds))
      return new Gathering({ ...this.#parts, bounds, mostEvents, read: (page) => this.#queue(page) });
    known.mostEvents = mostEvents;
    return known;
  }

  /**
   * Returns events whose subscriptions are all deleted. It reads the store, because this process may not know a new
   * subscription yet.
   */
  async #unwanted(queued: readonly QueuedEvent[]): Promise<readonly QueuedEvent[]> {
    const { store, subscriptions } = this.#parts;
    const { account } = this.#destination;
    const deleted = new Set<string>();
    const unknown = new Set(
      queued.flatMap(({ body }) => body.subscription_ids).filter((id) => !subscriptions.has(account, id)),
    );
    for (const id of unknown) if ((await store.get(id)) === null) deleted.add(id);
    if (deleted.size === 0) return [];
    return queued.filter(({ body }) => body.subscription_ids.every((id) => deleted.has(id)));
  }

  /**
   * Returns the remaining pause after the last attempt. A clock that was put back does not extend it. It does not apply
   * to another target.
   */
  #restMs(): number {
    const { now, uptime } = this.#parts;
    if (this.#tried !== null && this.#tried.revision !== this.#destination.revision) {
      // Without this, frequent changes of the destination would create a file each time.
      return this.#gathering === null ? 0 : Math.max(0, this.#tried.at + FIRST_RETRY_MS - uptime());
    }
    if (this.#restsUntil === null) {
      const restMs = this.#state.body.next_attempt_at - now();
      this.#restsUntil = uptime() + Math.min(Math.max(restMs, 0), LONGEST_RETRY_MS);
    }
    return Math.max(0, this.#restsUntil - uptime());
  }

  async #attempt(queued: readonly QueuedEvent[], closedAt: number): Promise<number> {
    this.#tried = { revision: this.#destination.revision, at: this.#parts.uptime() };
    const target = await this.#sending.open(this.#destination);
    if (this.#isStopped) return 0;
    if (typeof target === 'string')
      return this.#conclude({ events: queued, outcomes: everyOne(queued, target), closedAt }, []);
    const { events, tooLong } = nextBatch(queued, target.limits, this.#most);
    const outcomes = events.length === 0 ? [] : await this.#send(target, events);
    if (outcomes === null) return 0;
    if (!target.limits.partial && events.length > 1 && outcomes.every(({ result }) => result === 'refused')) {
      this.#most = Math.ceil(events.length / 2);
      return 0;
    }
    this.#most *= 2;
    const reason = `the event is longer than the ${target.limits.eventBytes} bytes that the target takes`;
    return this.#conclude(
      { events, outcomes, closedAt },
      tooLong.map((event) => ({ event, reason })),
    );
  }

  /** Returns null if sending was aborted, because the target's errors then concern the abort and not the events. */
  async #send(target: Target, events: readonly QueuedEvent[]): Promise<readonly Outcome[] | null> {
    const { signal } = this.#aborted;
    const sent = outcomesOf(target, events, signal);
    if (this.#parts.daemon !== null) await this.#keepClaimUntil(sent);
    const outcomes = await sent;
    return signal.aborted ? null : outcomes;
  }

  /** Renews the lease while events are sent. */
  async #keepClaimUntil(sent: Promise<unknown>): Promise<void> {
    const renewal = new Resting(this.#parts.after);
    let isSent = false;
    void sent.then(() => {
      isSent = true;
      renewal.end();
    });
    while (!isSent) {
      await renewal.rest(RENEWAL_MS);
      if (!isSent) await this.#state.renew().catch((error: unknown) => this.#failed(error));
    }
  }

  async #conclude(attempt: Attempt, tooLong: readonly GivenUp[]): Promise<number> {
    const { now, random, counted } = this.#parts;
    const { taken, givenUp, state } = afterAttempt(attempt, this.#state.body, tooLong, now(), random());
    this.#report(state);
    const { file = null } = state;
    const isOver = file !== null && taken.length + givenUp.length === attempt.events.length;
    const restMs = isOver
      ? await this.#record({ ...state, file: { ...file, is_over: true } }, [], givenUp)
      : await this.#record(state, [...taken, ...givenUp.map(({ event }) => event)], givenUp);
    if (isOver) this.#leaving = attempt.events.map(({ position }) => position);
    counted('taken', taken.length);
    counted('given_up', givenUp.length);
    counted('retry', attempt.events.length + tooLong.length - taken.length - givenUp.length);
    return restMs;
  }

  /** Logs once when delivery begins to fail, and once when it works again. */
  #report({ failing_since, last_error: reason }: EventDeliveryDocument): void {
    const wasFailing = this.#state.body.failing_since !== 0;
    const { id: destination } = this.#destination;
    if (failing_since !== 0 && !wasFailing)
      this.#parts.log.warn({ destination, reason }, 'an event destination does not take its events');
    if (failing_since === 0 && wasFailing)
      this.#parts.log.info({ destination }, 'an event destination is through with what it did not take');
  }

  /**
   * Stores outcomes, with retries for as long as necessary. Accepted events are not sent again because the database was
   * unavailable. Returns the time of the next step.
   */
  async #record(
    state: EventDeliveryDocument,
    gone: readonly QueuedEvent[],
    givenUp: readonly GivenUp[],
  ): Promise<number> {
    const kept = givenUp.slice(0, Math.max(0, MOST_KEPT_FAILED - this.#state.body.failed_count));
    while (!this.#aborted.signal.aborted) {
      try {
        await this.#state.write(state, (newId) => [
          { op: 'dequeue', positions: gone.map(({ position }) => position) },
          ...kept.map((one) => this.#keep(newId('evf'), one)),
        ]);
        this.#restsUntil = null;
        return this.#restMs();
      } catch (error) {
        await this.#resting.rest(this.#failed(error));
      }
    }
    return 0;
  }

  #keep(id: string, { event, reason }: GivenUp): WriteOperation {
    const { account, parent } = event;
    const failed_at = Math.floor(this.#parts.now() / 1000);
    const body: FailedEventDocument = { ...event.body, reason, failed_at };
    return { op: 'insert', id, account, kind: 'failed_event', parent, body, links: [], names: [] };
  }
}
