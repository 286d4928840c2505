/**
 * Runs one delivery for each destination.
 * Invariant: deliveries do not wait for each other.
 */
import { failureLog } from '../store/outage-log.ts';
import { deletedQueues } from './deleted-queues.ts';
import { Delivery, type DeliveryParts } from './delivery.ts';
import { DeliveryRoom } from './delivery-room.ts';
import { Resting } from './resting.ts';
import type { Rounds } from './rounds.ts';
import type { Subscriptions } from './subscriptions.ts';
import { takesFiles } from './targets/file-bounds.ts';

export interface DispatcherOptions extends Omit<DeliveryParts, 'room'> {
  readonly subscriptions: Pick<Subscriptions, 'has' | 'destinations' | 'onChange'>;
}

/** Milliseconds until the next attempt after the store was unavailable. */
const WATCH_AGAIN_MS = 1_000;

export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #parts: DeliveryParts;
  readonly #deliveries = new Map<string, Delivery>();
  readonly #deletedQueues: Rounds;
  readonly #stopped = new AbortController();
  readonly #resting: Resting;
  readonly #watching: Promise<void>;

  constructor(options: DispatcherOptions) {
    this.#options = options;
    this.#parts = { ...options, room: new DeliveryRoom() };
    this.#resting = new Resting(options.after);
    this.#deletedQueues = deletedQueues(options);
    this.#follow(null);
    options.subscriptions.onChange((accounts) => this.#follow(accounts));
    // A daemon that is alone on its database sees all writes without a watch.
    this.#watching = options.daemon === null ? Promise.resolve() : this.#watch();
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    this.#resting.end();
    await Promise.all([this.#watching, this.#deletedQueues.stop()]);
    await Promise.all(Array.from(this.#deliveries.values(), (delivery) => delivery.stop()));
  }

  /** Reports that these destinations may have events. */
  wake(destinations: readonly string[]): void {
    for (const id of destinations) this.#deliveries.get(id)?.wake();
  }

  /** `accounts` are those with a change; null for any. */
  #follow(accounts: ReadonlySet<string> | null): void {
    if (this.#stopped.signal.aborted) return;
    this.#deletedQueues.start();
    const { destinations } = this.#options.subscriptions;
    for (const [id, delivery] of this.#deliveries) {
      if (destinations.has(id)) continue;
      this.#deliveries.delete(id);
      void delivery.destroy();
    }
    const concerned = [...destinations.values()].filter(({ account }) => accounts?.has(account) ?? true);
    const files = new Map<string, number>();
    for (const { account, body } of concerned)
      if (takesFiles(body.target)) files.set(account, (files.get(account) ?? 0) + 1);
    for (const destination of concerned) {
      const delivery = this.#deliveries.get(destination.id);
      const among = files.get(destination.account) ?? 0;
      if (delivery === undefined)
        this.#deliveries.set(destination.id, new Delivery(destination, among, this.#parts));
      else delivery.change(destination, among);
    }
  }

  /** Wakes deliveries for events that other daemons wrote. */
  async #watch(): Promise<void> {
    const { store, log } = this.#options;
    const { signal } = this.#stopped;
    const report = failureLog(log, 'watching for events failed');
    while (!signal.aborted) {
      try {
        for await (const destinations of store.watchQueues(signal))
          this.wake(destinations ?? [...this.#deliveries.keys()]);
      } catch (error) {
        report(error);
        if (!signal.aborted) await this.#resting.rest(WATCH_AGAIN_MS);
      }
    }
  }
}
