/**
 * Selects the destinations of an event by the stored subscriptions.
 * Invariant: a change that the API has acknowledged is in force here.
 */
import type { Logger } from 'pino';
import type { EventType } from '../core/event-types.ts';
import type { Change, DocumentFeed, StoredDocument } from '../documents/index.ts';
import { followDocuments } from '../documents/store.ts';
import { failureLog } from '../store/outage-log.ts';

const followed = ['event_subscription', 'event_destination'] as const;
type Followed = (typeof followed)[number];
export type Destination = StoredDocument<'event_destination'>;
type Subscription = StoredDocument<'event_subscription'>;

/** Ids of subscriptions to one type of event, by destination. */
export type Interested = ReadonlyMap<string, readonly string[]>;

const nobody: Interested = new Map();

export class Subscriptions {
  /** Subscriptions by account, then by id. */
  readonly #subscriptions = new Map<string, Map<string, Subscription>>();
  readonly #destinations = new Map<string, Destination>();
  /**
   * Subscriptions by account, then by type. An entry is built when needed, and dropped when a subscription of the
   * account changes.
   */
  readonly #interested = new Map<string, ReadonlyMap<EventType, Interested>>();
  readonly #listeners = new Set<(accounts: ReadonlySet<string> | null) => void>();
  #following: { stop(): Promise<void> } | null = null;

  static async start(store: DocumentFeed, log: Logger): Promise<Subscriptions> {
    const subscriptions = new Subscriptions();
    subscriptions.#following = await followDocuments(
      store,
      followed,
      {
        reset: (documents) => subscriptions.#reset(documents),
        apply: (changes) => subscriptions.#apply(changes),
      },
      { onError: failureLog(log, 'following event subscriptions failed') },
    );
    return subscriptions;
  }

  /** Existing destinations. */
  get destinations(): ReadonlyMap<string, Destination> {
    return this.#destinations;
  }

  interestedIn(account: string, type: EventType): Interested {
    if (!this.#subscriptions.has(account)) return nobody;
    const known = this.#interested.get(account) ?? this.#derive(account);
    return known.get(type) ?? nobody;
  }

  has(account: string, subscription: string): boolean {
    return this.#subscriptions.get(account)?.has(subscription) ?? false;
  }

  /** Called with the accounts whose subscriptions or destinations changed; null for any. */
  onChange(listener: (accounts: ReadonlySet<string> | null) => void): void {
    this.#listeners.add(listener);
  }

  async stop(): Promise<void> {
    await this.#following?.stop();
  }

  #derive(account: string): ReadonlyMap<EventType, Interested> {
    const derived = new Map<EventType, Map<string, string[]>>();
    for (const { id, body } of this.#subscriptions.get(account)?.values() ?? []) {
      for (const type of body.sources) {
        const byDestination = derived.get(type) ?? new Map<string, string[]>();
        derived.set(type, byDestination);
        for (const destination of body.destination_ids)
          byDestination.set(destination, [...(byDestination.get(destination) ?? []), id]);
      }
    }
    this.#interested.set(account, derived);
    return derived;
  }

  #reset(documents: readonly StoredDocument<Followed>[]): void {
    this.#subscriptions.clear();
    this.#destinations.clear();
    this.#interested.clear();
    for (const document of documents) this.#put(document);
    this.#tell(null);
  }

  #apply(changes: readonly Change<Followed>[]): void {
    for (const { id, account, document } of changes) {
      this.#interested.delete(account);
      if (document !== null) this.#put(document);
      else this.#remove(account, id);
    }
    this.#tell(new Set(changes.map(({ account }) => account)));
  }

  #put(document: StoredDocument<Followed>): void {
    if (document.kind === 'event_destination') {
      this.#destinations.set(document.id, document);
      return;
    }
    const own = this.#subscriptions.get(document.account) ?? new Map<string, Subscription>();
    this.#subscriptions.set(document.account, own.set(document.id, document));
  }

  #remove(account: string, id: string): void {
    this.#destinations.delete(id);
    const own = this.#subscriptions.get(account);
    own?.delete(id);
    if (own?.size === 0) this.#subscriptions.delete(account);
  }

  #tell(accounts: ReadonlySet<string> | null): void {
    for (const listener of this.#listeners) listener(accounts);
  }
}
