/**
 * Writes events in the batch that caused them.
 * Invariant: events never make a change fail. Events without room are dropped and counted.
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
  /** Reports that these destinations may have events. */
  readonly written: (destinations: readonly string[]) => void;
}

/** Reserved room for an event at each of its destinations. */
export type Place = Interested;

/** An event whose text is built already. */
export interface EventText extends Omit<QueuedEventBody, 'subscription_ids' | 'envelope'> {
  /** The result of `quotedEnvelopeOf`. */
  readonly envelope: string;
}

/**
 * The number of events, their approximate bytes, and the part of the account's room that they may fill, from 0 to 1.
 */
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

  /**
   * Returns null if no subscription selects the event, or there is not room for all of it. Rejects if the store is
   * unavailable.
   */
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

  /**
   * Returns operations for the batch that causes the event. A destination that is deleted by then refuses the batch as
   * a missing parent.
   */
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

  /** Returns the operations for an event that is built already. */
  queued(place: Place, account: string, event: EventText): readonly WriteOperation[] {
    const operations: WriteOperation[] = [];
    const start = startOf(event);
    for (const [parent, subscriptions] of place) {
      const text = `${start},"subscription_ids":${JSON.stringify(subscriptions)}}`;
      operations.push({ op: 'enqueue', account, parent, text });
    }
    return operations;
  }

  /** Call it when the batch was written, or its outcome is unknown, because deliveries may not check by themselves. */
  written(place: Place): void {
    this.#options.written([...place.keys()]);
  }
}

/** Returns the JSON of a `QueuedEventBody`, up to its subscriptions. */
function startOf({ event_id, type, resource, envelope }: EventText): string {
  return `{"event_id":"${event_id}","type":"${type}","resource":"${resource}","envelope":${envelope}`;
}
