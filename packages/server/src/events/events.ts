/** Wires the parts of events together: subscriptions, the outbox and deliveries. */
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { DocumentStore } from '../documents/index.ts';
import type { DeliveryParts } from './delivery.ts';
import { Dispatcher } from './dispatcher.ts';
import { EventBuffer } from './event-buffer.ts';
import { Outbox } from './outbox.ts';
import { MOST_BYTES, MOST_WAITING, OutboxBound } from './outbox-bound.ts';
import { after } from './resting.ts';
import { Subscriptions } from './subscriptions.ts';

/** The part of an outbox for visitors' events. The rest is reserved for changes. */
const TRAFFIC_SHARE = 0.5;

export interface EventsOptions {
  readonly store: DocumentStore;
  readonly log: Logger;
  readonly open: DeliveryParts['open'];
  /** True if other daemons may use the database as well. */
  readonly isShared: boolean;
  readonly counted: DeliveryParts['counted'];
  readonly dropped: (events: number) => void;
}

export interface Events {
  readonly outbox: Outbox;
  /** Events of agents' sessions, and of visitors' requests and connections. */
  readonly sessions: EventBuffer;
  readonly traffic: EventBuffer;
  /** Starts deliveries. */
  start(): void;
  stop(): Promise<void>;
}

/** Resolves when all subscriptions are known. */
export async function prepareEvents(options: EventsOptions): Promise<Events> {
  const { store, log, isShared, dropped } = options;
  const subscriptions = await Subscriptions.start(store, log);
  const uptime = () => performance.now();
  const bound = new OutboxBound({ store, most: MOST_WAITING, mostBytes: MOST_BYTES, uptime });
  let dispatcher: Dispatcher | null = null;
  const outbox = new Outbox({
    ...{ subscriptions, bound, dropped },
    written: (destinations) => dispatcher?.wake(destinations),
  });
  const buffer = (share: number) => new EventBuffer({ store, outbox, share, dropped, after, log });
  const [sessions, traffic] = [buffer(1), buffer(TRAFFIC_SHARE)];
  return {
    outbox,
    sessions,
    traffic,
    start() {
      const daemon = isShared ? randomUUID() : null;
      const clocks = { now: Date.now, uptime, after, random: Math.random };
      dispatcher = new Dispatcher({ ...options, ...clocks, subscriptions, daemon });
    },
    async stop() {
      await Promise.all([sessions.stop(), traffic.stop()]);
      await dispatcher?.stop();
      await subscriptions.stop();
    },
  };
}
