/** An engine that reports changes, a clock that a test moves, and targets with outcomes from a test. */
import assert from 'node:assert/strict';
import { pino } from 'pino';
import { eventually } from '../../../../test/harness/until.ts';
import type { Settings } from '../core/settings.ts';
import type { DocumentStore, StoredDocument } from '../documents/index.ts';
import { createAudit, createEngine } from '../resources/engine/engine.ts';
import { collection, type Platform, startPlatform } from '../resources/engine.fixture.ts';
import type { OpenStore } from '../store/conformance/index.fixture.ts';
import type { JsonObject } from '../store/store.ts';
import { Dispatcher } from './dispatcher.ts';
import { Outbox } from './outbox.ts';
import { MOST_BYTES, OutboxBound } from './outbox-bound.ts';
import { Subscriptions } from './subscriptions.ts';
import type { OutboxEvent, Outcome, Target, TargetLimits } from './targets/target.ts';

/** A clock that a test moves. */
export class TestClock {
  #now = Date.now();
  readonly #timers = new Set<{ at: number; run: () => void }>();

  readonly now = () => this.#now;

  /** Milliseconds by which the wall clock is ahead. */
  ahead = 0;
  readonly wall = () => this.#now + this.ahead;

  readonly after = (ms: number, run: () => void) => {
    const timer = { at: this.#now + ms, run };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  };

  /** Milliseconds until the next timer. */
  get nextMs(): number | null {
    const next = Math.min(...Array.from(this.#timers, ({ at }) => at));
    return next === Number.POSITIVE_INFINITY ? null : next - this.#now;
  }

  get timers(): number {
    return this.#timers.size;
  }

  pass(ms: number): void {
    this.#now += ms;
    for (const timer of this.#timers) {
      if (timer.at > this.#now) continue;
      this.#timers.delete(timer);
      timer.run();
    }
  }
}

export const taken: Outcome = { result: 'taken' };
export const away: Outcome = { result: 'retry', reason: 'it is away' };

export type Answer = (event: OutboxEvent, at: number) => Outcome;

/** A target that keeps accepted events. */
export class Sink implements Target {
  readonly limits: TargetLimits;
  answer: Answer = () => taken;
  /** Accepted events, in order. */
  readonly events: OutboxEvent[] = [];
  batches = 0;
  /** Each batch waits for this before its outcome. */
  gate: Promise<void> | null = null;

  constructor(limits: Partial<TargetLimits> = {}) {
    const none = { batchEvents: 100, batchBytes: 1_000_000, eventBytes: 100_000, overheadBytes: 0 };
    this.limits = { ...none, partial: false, ...limits };
  }

  async send(batch: readonly OutboxEvent[]): Promise<readonly Outcome[]> {
    this.batches += 1;
    await this.gate;
    const outcomes = batch.map((event, at) => this.answer(event, at));
    this.events.push(...batch.filter((_, at) => outcomes[at]?.result === 'taken'));
    return outcomes;
  }

  close(): void {}

  get types(): readonly string[] {
    return this.events.map(({ type }) => type);
  }

  envelopes(): readonly JsonObject[] {
    return this.events.map(({ text }) => JSON.parse(text) as JsonObject);
  }
}

/** The events part of one daemon. */
export interface Node {
  /** The id of the daemon, see `DeliveryState`. */
  readonly daemon: string | null;
  readonly subscriptions: Subscriptions;
  readonly dispatcher: Dispatcher;
  readonly counts: Record<string, number>;
  stop(): Promise<void>;
}

export interface EventPlatform {
  readonly platform: Platform;
  readonly clock: TestClock;
  /** Targets by the id of the destination. */
  readonly sinks: Map<string, Sink>;
  readonly engine: ReturnType<typeof createEngine>;
  readonly audit: ReturnType<typeof createAudit>;
  dropped: number;
  readonly logged: readonly string[];
  /** `daemon` is null if it is alone on the database. `store` is the store that it sees. */
  startNode(daemon?: string | null, store?: DocumentStore): Promise<Node>;
  /** `target` is the monitoring service by default. */
  destination(sink?: Sink, target?: JsonObject): Promise<string>;
  subscribe(types: readonly string[], destinations: readonly string[]): Promise<string>;
  create(kind: string, body: JsonObject, parent?: string): Promise<string>;
  update(kind: string, id: string, body: JsonObject): Promise<void>;
  remove(kind: string, id: string): Promise<void>;
  /** Returns the number of queued events of a destination. */
  waiting(destination: string): Promise<number>;
  /** Returns the events of a destination that were given up, newest first. */
  failed(destination: string): Promise<readonly StoredDocument<'failed_event'>[]>;
  close(): Promise<void>;
}

export async function startEvents(
  open?: OpenStore,
  {
    most = 1_000,
    settings: overrides,
  }: { readonly most?: number; readonly settings?: Partial<Settings> } = {},
): Promise<EventPlatform> {
  const platform = await startPlatform(open, overrides);
  const { store, settings, online, sealer, admin } = platform;
  const logged: string[] = [];
  const log = pino({}, { write: (line: string) => void logged.push(line) });
  const clock = new TestClock();
  const sinks = new Map<string, Sink>();
  const subscriptions = await Subscriptions.start(store, log);
  const bound = new OutboxBound({ store, most, mostBytes: MOST_BYTES, uptime: clock.now });
  const nodes = new Set<Node>();
  const outbox = new Outbox({
    subscriptions,
    bound,
    dropped: (count) => {
      events.dropped += count;
    },
    // Daemons that share a database do not notify each other.
    written: (destinations) => {
      for (const { daemon, dispatcher } of nodes) if (daemon === null) dispatcher.wake(destinations);
    },
  });
  const resources = { store, settings, online, sealer, now: Date.now, outbox };
  const events: EventPlatform = {
    platform,
    clock,
    sinks,
    logged,
    dropped: 0,
    engine: createEngine(resources),
    audit: createAudit(resources),
    async startNode(daemon = null, seen = store) {
      const known = await Subscriptions.start(seen, log);
      const counts: Record<string, number> = {};
      const dispatcher = new Dispatcher({
        ...{ store: seen, subscriptions: known, daemon, log },
        ...{ now: clock.wall, uptime: clock.now, after: clock.after, random: () => 0 },
        open: async ({ id }) => sinks.get(id) ?? new Sink(),
        counted: (result, count) => {
          counts[result] = (counts[result] ?? 0) + count;
        },
      });
      const node: Node = {
        ...{ daemon, subscriptions: known, dispatcher, counts },
        async stop() {
          nodes.delete(node);
          await dispatcher.stop();
          await known.stop();
        },
      };
      nodes.add(node);
      return node;
    },
    async destination(
      sink = new Sink(),
      target = { monitoring: { api_key: 'secret-0123456789', service: '', tags: '' } },
    ) {
      const id = await events.create('event_destination', { format: 'json', target });
      sinks.set(id, sink);
      return id;
    },
    subscribe: (types, destinations) =>
      events.create('event_subscription', {
        sources: types.map((type) => ({ type })),
        destination_ids: [...destinations],
      }),
    async create(kind, body, parent) {
      return String((await events.engine.create(collection(kind, parent), admin, body)).id);
    },
    async update(kind, id, body) {
      await events.engine.update(collection(kind), admin, id, body);
    },
    remove: (kind, id) => events.engine.remove(collection(kind), admin, id),
    waiting: (parent) => store.countQueued({ account: admin.account, parent, limit: 10_000 }),
    failed: (parent) => store.page({ account: admin.account, kind: 'failed_event', parent, limit: 10_000 }),
    async close() {
      for (const node of nodes) await node.stop();
      await subscriptions.stop();
      await platform.close();
    },
  };
  return events;
}

/** Resolves when the destination's queue is empty. */
export function drained(events: EventPlatform, destination: string): Promise<void> {
  return eventually(async () => assert.equal(await events.waiting(destination), 0));
}
