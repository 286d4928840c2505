/**
 * Events that no change of a document causes, on their way into the outbox: gathered, and written together. Never that whoever tells
 * of one waits, that one is made for which there is no room, or that an account takes the place of another.
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

/** What happened, to be told if there is room. */
export interface Occurrence {
  readonly account: string;
  readonly type: EventType;
  /** Whose events keep their order; '' where there is none. */
  readonly resource: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** About, while it waits in memory. */
  readonly bytes: number;
  /** Asked when it is written, which is later: what it is made of does not change. */
  readonly object: () => JsonObject;
}

export interface EventBufferOptions {
  readonly store: Pick<DocumentStore, 'write'>;
  readonly outbox: Pick<Outbox, 'wants' | 'reserve' | 'queued' | 'written'>;
  /** How much of an account's outbox these events may fill, of 1. */
  readonly share: number;
  readonly dropped: (events: number) => void;
  readonly after: After;
  readonly log: Logger;
}

/** Of what waits in memory; of an account also no more than what is free, so that one that has less finds room. */
const ACCOUNT_BYTES = 4 * 1_048_576;
const ALL_BYTES = 32 * 1_048_576;
/** Written together. */
const MOST_EVENTS = 250;
/** So long the first of a batch waits for others. */
const GATHER_MS = 100;
const STORE_RETRY_MS = 1_000;
/** A destination that is deleted meanwhile refuses a batch, and is known to be gone soon after. */
const MOST_CONFLICTS = 5;
const CONFLICT_MS = 200;
/** After its outbox had no room, an account's events are dropped for so long before they cost memory. Then one asks again, at once. */
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
  /** Accounts whose outbox was full a moment ago, and whether that is to be asked again. */
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

  /** Whether anybody is to be told. Called for each request: cheap. */
  wants(account: string, type: EventType): boolean {
    return this.#options.outbox.wants(account, type);
  }

  /** Whether the account's outbox was full a moment ago, so that none has to be made. */
  isFull(account: string): boolean {
    return this.#full.get(account) === false;
  }

  /** Counts one that is not made. */
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
    // It was full: before others wait, this one asks.
    if (this.#full.delete(account)) this.#writeNext(account);
    else this.#gathering ??= this.#options.after(GATHER_MS, () => this.#writeAll());
  }

  /** Writes what waits; what the store does not take now is dropped. */
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

  /** One batch of an account after the other. */
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

  /** Its id is made here and stays: what is written a second time, since nobody knows of the first, is known to be the same. */
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
      // Where it is known there is nothing to wait for, and others do not come meanwhile.
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
