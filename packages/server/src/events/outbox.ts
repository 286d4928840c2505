/**
 * Events on their way, written in the batch that caused them. Never that a change fails because of who is to be told of it: what finds
 * no room is dropped and counted.
 */
import type { EventType } from '../core/event-types.ts';
import type { QueuedEventBody } from '../documents/index.ts';
import type { WriteOperation } from '../store/store.ts';
import { type Happening, quotedEnvelopeOf } from './envelope.ts';
import type { Amount, OutboxBound } from './outbox-bound.ts';
import type { Interested, Subscriptions } from './subscriptions.ts';

export interface OutboxOptions {
  readonly subscriptions: Pick<Subscriptions, 'interestedIn' | 'destinations'>;
  readonly bound: Pick<OutboxBound, 'take'>;
  readonly dropped: (events: number) => void;
  /** There may be events for these destinations. */
  readonly written: (destinations: readonly string[]) => void;
}

/** Room for an event, at each destination that is to have it. */
export type Place = Interested;

/** An event that has its text already. */
export interface EventText extends Omit<QueuedEventBody, 'subscription_ids' | 'envelope'> {
  /** As `quotedEnvelopeOf` makes it. */
  readonly envelope: string;
}

/** How many events room is asked for, how long they are about, and how much of the account's they may fill, of 1. */
export interface Room extends Amount {
  readonly share: number;
}

export class Outbox {
  readonly #options: OutboxOptions;

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  wants(account: string, type: EventType): boolean {
    return this.#options.subscriptions.interestedIn(account, type).size > 0;
  }

  /** Null when nobody is to be told, or there is not room for all of them. Rejects when the store is away. */
  reserve(
    account: string,
    type: EventType,
    { events, bytes, share }: Room = { events: 1, share: 1 },
  ): Place | null | Promise<Place | null> {
    const { subscriptions, bound, dropped } = this.#options;
    const interested = subscriptions.interestedIn(account, type);
    if (interested.size === 0) return null;
    const places = interested.size * events;
    const asked =
      bytes === undefined ? { events: places } : { events: places, bytes: interested.size * bytes };
    const placed = (isTaken: boolean): Place | null => {
      if (isTaken) return interested;
      dropped(places);
      return null;
    };
    const taken = bound.take(account, asked, share);
    return taken instanceof Promise ? taken.then(placed) : placed(taken);
  }

  /** To be written in the batch that makes it happen. A destination that is gone by then refuses the batch as a missing parent. */
  operations(
    place: Place,
    newId: (prefix: string) => string,
    resource: string,
    happening: Happening,
  ): readonly WriteOperation[] {
    const { type, account } = happening;
    const event_id = newId('ev');
    const envelope = quotedEnvelopeOf(event_id, happening);
    return this.queued(place, account, { event_id, type, resource, envelope });
  }

  /** The same of one that is made. */
  queued(place: Place, account: string, event: EventText): readonly WriteOperation[] {
    const operations: WriteOperation[] = [];
    const start = startOf(event);
    for (const [parent, subscriptions] of place) {
      const text = `${start},"subscription_ids":${JSON.stringify(subscriptions)}}`;
      operations.push({ op: 'enqueue', account, parent, text });
    }
    return operations;
  }

  /** To be called when the batch was written, or nobody knows whether it was: who delivers may not look by himself. */
  written(place: Place): void {
    this.#options.written([...place.keys()]);
  }
}

/** Of the JSON of a `QueuedEventBody`, up to its subscriptions. */
function startOf({ event_id, type, resource, envelope }: EventText): string {
  return `{"event_id":"${event_id}","type":"${type}","resource":"${resource}","envelope":${envelope}`;
}
