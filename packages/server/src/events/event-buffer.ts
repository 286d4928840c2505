/**
 * Gathers events without a change of a document, and writes them to the outbox together.
 * Invariant: a caller never waits, and no event is built without room for it.
 * Invariant: no account takes the room of another.
 */
import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import type { EventType } from '../core/event-types.ts';
import { IdSequence } from '../core/id.ts';
import type { DocumentStore } from '../documents/index.ts';
import { isOutage } from '../store/outage-log.ts';
import { ConflictError, type JsonObject, WriteOutcomeUnknownError } from '../store/store.ts';
import { quotedEnvelopeOf } from './envelope.ts';
import type { EventText, Outbox, Place } from './outbox.ts';
import { type After, Resting } from './resting.ts';

/** An event to write if there is room. */
export interface Occurrence {
  readonly account: string;
  readonly type: EventType;
  /** The resource whose events keep their order; '' for none. */
  readonly resource: string;
  /** Milliseconds since 1970. */
  readonly time: number;
  /** Approximate bytes in memory. */
  readonly bytes: number;
  /** Called later, when the event is written. Its inputs do not change. */
  readonly object: () => JsonObject;
}

export interface EventBufferOptions {
  readonly store: Pick<DocumentStore, 'write'>;
  readonly outbox: Pick<Outbox, 'wants' | 'reserve' | 'queued' | 'written'>;
  /** The part of an account's outbox that these events may fill, from 0 to 1. */
  readonly share: number;
  readonly dropped: (events: number) => void;
  readonly after: After;
  readonly log: Logger;
}

/** Bytes in memory of an account. It also gets no more than what is free, so that accounts with less find room. */
const ACCOUNT_BYTES = 4 * 1_048_576;
const ALL_BYTES = 32 * 1_048_576;
/** Events in one write. */
const MOST_EVENTS = 250;
/** Milliseconds that the first event of a batch waits for others. */
const GATHER_MS = 100;
const STORE_RETRY_MS = 1_000;
/**
 * Retries after a conflict. A destination that is deleted meanwhile refuses a batch, and is soon known to be deleted.
 */
const MOST_CONFLICTS = 5;
const CONFLICT_MS = 200;
/**
 * Milliseconds for which an account's events are dropped after its outbox was full. Then one event tries again, at
 * once.
 */
const FULL_MS = 200;

interface Waiting {
  readonly events: Occurrence[];
  bytes: number;
}

export class EventBuffer {
  readonly #options: EventBufferOptions;
  readonly #waiting = new Map<string, Waiting>();
  readonly #writing = new Map<string, Promise<void>>();
  readonly #rests = new Set<Resting>();
  /** Accounts whose outbox was recently full, and whether the next event may try again. */
  readonly #full = new Map<string, boolean>();
  readonly #ids: IdSequence;
  #time = 0;
  #bytes = 0;
  #gathering: (() => void) | null = null;
  #stopped = false;

  constructor(options: EventBufferOptions) {
    this.#options = options;
    this.#ids = new IdSequence({ now: () => this.#time, random: randomBytes });
  }

  /** Returns true if a subscription selects the type. Cheap, because each request calls it. */
  wants(account: string, type: EventType): boolean {
    return this.#options.outbox.wants(account, type);
  }

  /** Returns true if the account's outbox was recently full, so that no event need be built. */
  isFull(account: string): boolean {
    return this.#full.get(account) === false;
  }

  /** Counts an event that is not built. */
  drop(): void {
    this.#options.dropped(1);
  }

  add(event: Occurrence): void {
    const { account, bytes } = event;
    const waiting = this.#waiting.get(account) ?? { events: [], bytes: 0 };
    const most = Math.min(ACCOUNT_BYTES, ALL_BYTES - this.#bytes - bytes);
    if (this.isFull(account) || waiting.bytes + bytes > most) {
      this.drop();
      return;
    }
    waiting.events.push(event);
    waiting.bytes += bytes;
    this.#bytes += bytes;
    this.#waiting.set(account, waiting);
    // The outbox was full. This event tries before others are gathered.
    if (this.#full.delete(account)) this.#writeNext(account);
    else this.#gathering ??= this.#options.after(GATHER_MS, () => this.#writeAll());
  }

  /** Writes the gathered events. Events that the store refuses are dropped. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const rest of this.#rests) rest.end();
    this.#writeAll();
    while (this.#writing.size > 0) await Promise.all(this.#writing.values());
  }

  #writeAll(): void {
    this.#gathering?.();
    this.#gathering = null;
    for (const account of this.#waiting.keys()) this.#writeNext(account);
  }

  /** Writes the batches of an account one after the other. */
  #writeNext(account: string): void {
    const waiting = this.#waiting.get(account);
    if (waiting === undefined || this.#writing.has(account)) return;
    const events = waiting.events.splice(0, MOST_EVENTS);
    const bytes = events.reduce((sum, event) => sum + event.bytes, 0);
    const done = this.#write(account, events)
      .catch((error: unknown) => {
        this.#options.log.error({ err: error, account }, 'writing events failed');
        this.#options.dropped(events.length);
      })
      .finally(() => {
        this.#writing.delete(account);
        this.#bytes -= bytes;
        waiting.bytes -= bytes;
        if (waiting.events.length === 0) this.#waiting.delete(account);
        else this.#writeNext(account);
      });
    this.#writing.set(account, done);
  }

  /** Builds the event with its final id. If the outcome of a write is unknown, the repeated event has the same id. */
  #textOf({ account, type, resource, time, object }: Occurrence): EventText {
    this.#time = time;
    const event_id = this.#ids.next('ev');
    const envelope = quotedEnvelopeOf(event_id, { type, account, principal: null, object: object() });
    return { event_id, type, resource, envelope };
  }

  async #write(account: string, events: readonly Occurrence[]): Promise<void> {
    const { store, outbox, dropped } = this.#options;
    let texts: readonly EventText[] | null = null;
    for (let conflicts = 0; conflicts < MOST_CONFLICTS; ) {
      try {
        const places = await this.#reserve(account, events);
        if (places.size === 0) return;
        texts ??= events.map((event) => this.#textOf(event));
        const written = texts;
        await store
          .write(() =>
            written.flatMap((event) => {
              const place = places.get(event.type);
              return place === undefined ? [] : outbox.queued(place, account, event);
            }),
          )
          .finally(() => {
            for (const place of places.values()) outbox.written(place);
          });
        return;
      } catch (error) {
        const isGone = error instanceof ConflictError;
        if (!isGone && !(error instanceof WriteOutcomeUnknownError) && !isOutage(error)) throw error;
        if (this.#stopped) break;
        conflicts += isGone ? 1 : 0;
        await this.#rest(isGone ? CONFLICT_MS : STORE_RETRY_MS);
      }
    }
    dropped(events.length);
  }

  async #reserve(account: string, events: readonly Occurrence[]): Promise<Map<EventType, Place>> {
    const { outbox, share } = this.#options;
    const places = new Map<EventType, Place>();
    for (const [type, own] of Map.groupBy(events, (event) => event.type)) {
      const bytes = own.reduce((sum, event) => sum + event.bytes, 0);
      const reserved = outbox.reserve(account, type, { events: own.length, bytes, share });
      // A known place needs no await, so no other event comes in between.
      const place = reserved instanceof Promise ? await reserved : reserved;
      if (place !== null) places.set(type, place);
      else if (outbox.wants(account, type)) this.#isFull(account);
    }
    return places;
  }

  #isFull(account: string): void {
    if (this.#full.has(account)) return;
    this.#full.set(account, false);
    this.#options.after(FULL_MS, () => this.#full.set(account, true));
  }

  async #rest(ms: number): Promise<void> {
    const rest = new Resting(this.#options.after);
    this.#rests.add(rest);
    await rest.rest(ms);
    this.#rests.delete(rest);
  }
}
