/**
 * Brings the events of one destination to its target, oldest first, one batch at a time. Never that an event leaves the outbox before
 * its target took it, it was given up, or nobody wants it any more; never that more of them are in memory than one batch.
 */
import type { Logger } from 'pino';
import type {
  DocumentStore,
  EventDeliveryDocument,
  FailedEventDocument,
  QueuedEvent,
} from '../documents/index.ts';
import { isOutage } from '../store/outage-log.ts';
import type { WriteOperation } from '../store/store.ts';
import { type Attempt, afterAttempt, type GivenUp, LONGEST_RETRY_MS } from './after-attempt.ts';
import { nextBatch, toOutboxEvent } from './batch.ts';
import { DeliveryState, RENEWAL_MS } from './delivery-state.ts';
import { Gathering } from './gathering.ts';
import { type After, Resting } from './resting.ts';
import type { Destination, Subscriptions } from './subscriptions.ts';
import { fileBoundsOf } from './targets/file-bounds.ts';
import type { Outcome, Target } from './targets/target.ts';

export interface DeliveryParts {
  readonly store: DocumentStore;
  readonly subscriptions: Pick<Subscriptions, 'has'>;
  /** Rejects when it cannot be opened now. */
  readonly open: (destination: Destination) => Promise<Target>;
  /** As for `DeliveryState`. */
  readonly daemon: string | null;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Milliseconds of a clock that never jumps. */
  readonly uptime: () => number;
  readonly after: After;
  readonly random: () => number;
  readonly log: Logger;
  readonly counted: (result: 'taken' | 'retry' | 'given_up', events: number) => void;
}

/** Read at once. */
const MOST_EVENTS = 500;
/** Of one destination; further ones are counted only. */
const MOST_KEPT_FAILED = 1_000;
/** A file that is not closed is not looked at more often, however many events come. */
const GATHERING_MS = 1_000;
/** When the store is away, or something happened that nobody foresaw. */
const STORE_RETRY_MS = 1_000;
/** So long a batch that is under way has when the daemon stops. */
const STOP_MS = 5_000;

/** When a delivery goes on, unless its destination changes. */
interface Rest {
  /** Whatever comes. */
  readonly quietMs: number;
  /** After that, unless there is an event; null: not before there is one. */
  readonly newsMs: number | null;
}

const untilNews: Rest = { quietMs: 0, newsMs: null };
const quiet = (quietMs: number): Rest => ({ quietMs, newsMs: 0 });

export class Delivery {
  readonly #parts: DeliveryParts;
  readonly #state: DeliveryState;
  readonly #resting: Resting;
  readonly #aborted = new AbortController();
  readonly #done: Promise<void>;
  #destination: Destination;
  /** Null for a target that takes no files. */
  #gathering: Gathering | null;
  #target: { readonly revision: number; readonly target: Target } | null = null;
  /** The revision of the destination that was tried last. */
  #tried: number | null = null;
  /** Of a target that takes batches as a whole: less after it refused one, until the event that is to blame is found. */
  #most = Number.POSITIVE_INFINITY;
  /** On the clock that never jumps; null before the state of the delivery was looked at. */
  #restsUntil: number | null = null;
  #hasNews = false;
  #hasChanged = false;
  #restsForNews = false;
  #stopped = false;

  constructor(destination: Destination, parts: DeliveryParts) {
    this.#parts = parts;
    this.#destination = destination;
    this.#resting = new Resting(parts.after);
    const { id, account } = destination;
    this.#state = new DeliveryState({ ...parts, account, destination: id });
    this.#gathering = this.#gather();
    this.#done = this.#run();
  }

  /** There may be an event. */
  wake(): void {
    this.#hasNews = true;
    if (this.#restsForNews) this.#resting.end();
  }

  /** The destination, or who wants its events, is another: it is tried at once. */
  change(destination: Destination): void {
    const isAnother = destination.revision !== this.#destination.revision;
    this.#destination = destination;
    if (isAnother) this.#gathering = this.#gather();
    this.#hasChanged = true;
    this.#resting.end();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#resting.end();
    const cancel = this.#parts.after(STOP_MS, () => this.#aborted.abort());
    await this.#done;
    cancel();
  }

  /** Nobody wants any more what is under way. */
  destroy(): Promise<void> {
    this.#aborted.abort();
    return this.stop();
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      this.#hasNews = false;
      this.#hasChanged = false;
      await this.#rest(await this.#step().catch((error: unknown) => quiet(this.#failed(error))));
    }
    this.#target?.target.close();
    await this.#release().catch((error: unknown) => this.#failed(error));
  }

  async #rest({ quietMs, newsMs }: Rest): Promise<void> {
    if (quietMs > 0 && !this.#isInterrupted) await this.#resting.rest(quietMs);
    if (newsMs === 0 || this.#isInterrupted || this.#hasNews) return;
    this.#restsForNews = true;
    await this.#resting.rest(newsMs);
    this.#restsForNews = false;
  }

  get #isInterrupted(): boolean {
    return this.#stopped || this.#hasChanged;
  }

  #failed(error: unknown): number {
    const { id: destination } = this.#destination;
    if (!isOutage(error)) this.#parts.log.error({ err: error, destination }, 'delivering events failed');
    return STORE_RETRY_MS;
  }

  /** One batch. */
  async #step(): Promise<Rest> {
    if (!this.#state.isOurs && (await this.#queue(1)).length === 0) return untilNews;
    const openMs = await this.#gathering?.closesInMs();
    if (openMs === null || (openMs !== undefined && openMs > 0)) return this.#waitFor(openMs);
    // Another daemon may have written it last.
    if (!this.#state.isOurs) this.#restsUntil = null;
    const busyMs = await this.#state.claim();
    if (busyMs > 0) return quiet(busyMs);
    const gathering = this.#gathering;
    const queued = await (gathering?.take() ?? this.#queue(MOST_EVENTS));
    if (queued.length === 0) return this.#waitFor((await this.#gathering?.closesInMs()) ?? null);
    const unwanted = await this.#unwanted(queued);
    if (unwanted.length > 0) return quiet(await this.#record(this.#state.body, unwanted, []));
    const restMs = this.#restMs();
    return quiet(restMs > 0 ? restMs : await this.#attempt(queued, gathering?.closedAt ?? 0));
  }

  /** Until a file is closed, in so many milliseconds, or there is an event (null). Whoever looks first then is the one that delivers. */
  async #waitFor(openMs: number | null): Promise<Rest> {
    await this.#release();
    if (openMs === null) return untilNews;
    const quietMs = Math.min(openMs, GATHERING_MS);
    return { quietMs, newsMs: openMs - quietMs };
  }

  #queue(limit: number, after = 0): Promise<readonly QueuedEvent[]> {
    const { id: parent, account } = this.#destination;
    return this.#parts.store.queue({ account, parent, after, limit });
  }

  #gather(): Gathering | null {
    const bounds = fileBoundsOf(this.#destination.body.target);
    if (bounds === null) return null;
    return new Gathering({ ...this.#parts, bounds, read: (after, limit) => this.#queue(limit, after) });
  }

  /** Those whose subscriptions are all deleted, which is certain only when the store says so: a new one may not be known here yet. */
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

  /** Of what the attempt before left to wait; no longer when the clock is put back meanwhile, and not at all for another target. */
  #restMs(): number {
    const { now, uptime } = this.#parts;
    if (this.#tried !== null && this.#tried !== this.#destination.revision) return 0;
    if (this.#restsUntil === null) {
      const restMs = this.#state.body.next_attempt_at - now();
      this.#restsUntil = uptime() + Math.min(Math.max(restMs, 0), LONGEST_RETRY_MS);
    }
    return Math.max(0, this.#restsUntil - uptime());
  }

  async #attempt(queued: readonly QueuedEvent[], closedAt: number): Promise<number> {
    const target = await this.#open();
    if (this.#stopped) return 0;
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

  /** Words in place of a target that is not there. */
  async #open(): Promise<Target | string> {
    const destination = this.#destination;
    this.#tried = destination.revision;
    if (this.#target?.revision !== destination.revision) {
      this.#target?.target.close();
      this.#target = null;
      try {
        const target = await this.#parts.open(destination);
        this.#target = { revision: destination.revision, target };
      } catch (error) {
        return `the target cannot be used: ${messageOf(error)}`;
      }
    }
    return this.#target.target;
  }

  /** Null when it was broken off: what the target says then is of that, and not of the events. */
  async #send(target: Target, events: readonly QueuedEvent[]): Promise<readonly Outcome[] | null> {
    const { signal } = this.#aborted;
    let outcomes: readonly Outcome[] | undefined;
    const sent = target.send(events.map(toOutboxEvent), signal).then(
      (answer) => {
        outcomes = answer;
      },
      (error: unknown) => {
        outcomes = everyOne(events, `sending failed: ${messageOf(error)}`);
      },
    );
    if (this.#parts.daemon !== null) await this.#keepClaimUntil(sent);
    await sent;
    return signal.aborted ? null : (outcomes ?? null);
  }

  /** Other daemons see that this one lives by what it writes. */
  async #keepClaimUntil(sent: Promise<void>): Promise<void> {
    const renewal = new Resting(this.#parts.after);
    let isSent = false;
    void sent.then(() => {
      isSent = true;
      renewal.end();
    });
    while (!isSent) {
      await renewal.rest(RENEWAL_MS);
      if (!isSent) await this.#state.write(this.#state.body).catch((error: unknown) => this.#failed(error));
    }
  }

  async #conclude(attempt: Attempt, tooLong: readonly GivenUp[]): Promise<number> {
    const { now, random, counted } = this.#parts;
    const { taken, givenUp, state } = afterAttempt(attempt, this.#state.body, tooLong, now(), random());
    this.#report(state);
    const restMs = await this.#record(state, taken, givenUp);
    counted('taken', taken.length);
    counted('given_up', givenUp.length);
    counted('retry', attempt.events.length + tooLong.length - taken.length - givenUp.length);
    return restMs;
  }

  /** Once when it begins to fail, and once when it is over. */
  #report({ failing_since, last_error: reason }: EventDeliveryDocument): void {
    const wasFailing = this.#state.body.failing_since !== 0;
    const { id: destination } = this.#destination;
    if (failing_since !== 0 && !wasFailing)
      this.#parts.log.warn({ destination, reason }, 'an event destination does not take its events');
    if (failing_since === 0 && wasFailing)
      this.#parts.log.info({ destination }, 'an event destination is through with what it did not take');
  }

  /**
   * Writes what became of events, for as long as it takes: what was taken is not sent again because the database was away. Answers
   * when it goes on.
   */
  async #record(
    state: EventDeliveryDocument,
    done: readonly QueuedEvent[],
    givenUp: readonly GivenUp[],
  ): Promise<number> {
    const kept = givenUp.slice(0, Math.max(0, MOST_KEPT_FAILED - this.#state.body.failed_count));
    const gone = [...done, ...givenUp.map(({ event }) => event)];
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

  /** Lets another daemon be the next. */
  async #release(): Promise<void> {
    if (this.#parts.daemon === null || !this.#state.isOurs) return;
    await this.#state.write({ ...this.#state.body, daemon: '' });
  }
}

function everyOne(events: readonly QueuedEvent[], reason: string): readonly Outcome[] {
  return events.map(() => ({ result: 'retry', reason }));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
