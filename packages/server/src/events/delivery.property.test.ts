/**
 * Random histories of changes, target faults, outages and dying daemons, against a model of the expected events.
 * Invariant: no event is lost, and none overtakes another of its resource. None comes twice unless something was
 * interrupted.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { propertyRuns } from '../../../../test/harness/property-runs.ts';
import { eventually } from '../../../../test/harness/until.ts';
import { onBothStores } from '../resources/both-stores.fixture.ts';
import type { OpenStore } from '../store/conformance/index.fixture.ts';
import { proxy } from '../store/proxy.fixture.ts';
import { StoreUnavailableError } from '../store/store.ts';
import { away, type EventPlatform, type Node, Sink, startEvents, taken } from './events.fixture.ts';
import type { OutboxEvent, Outcome } from './targets/target.ts';

const TYPES = ['created', 'updated', 'deleted'].map((verb) => `ip_policy_${verb}.v0`);
const moods = ['well', 'away', 'partly', 'cut'] as const;

/** The number selects one of the newest policies, or an amount of time. */
type Step = readonly [
  what: 'create' | 'update' | 'delete' | 'restart' | 'die' | 'outage' | 'pass' | (typeof moods)[number],
  number: number,
];

const step: fc.Arbitrary<Step> = fc.tuple(
  fc.constantFrom(
    ...(['create', 'create', 'update', 'update', 'update', 'delete', 'pass', 'pass'] as const),
    ...(['restart', 'die', 'outage', ...moods] as const),
  ),
  fc.nat(99),
);

/** A daemon that loses the store while it takes over from another. */
const takeover: readonly Step[] = [
  ...([
    ['away', 0],
    ['create', 0],
    ['pass', 9],
    ['restart', 0],
  ] as const),
  ...([
    ['outage', 0],
    ['well', 0],
    ['update', 0],
  ] as const),
];
const examples: [boolean, Step[]][] = [true, false].map((partial) => [partial, [...takeover]]);

/** Accepts everything, nothing, every other event, or all events without a response. */
class MoodySink extends Sink {
  mood: (typeof moods)[number] = 'well';
  wasCut = false;

  override async send(batch: readonly OutboxEvent[]): Promise<readonly Outcome[]> {
    const { mood } = this;
    this.batches += 1;
    const isTaken = (at: number) =>
      mood === 'well' || (mood === 'partly' && this.limits.partial && (at + this.batches) % 2 === 0);
    this.events.push(...batch.filter((_, at) => mood === 'cut' || isTaken(at)));
    this.wasCut ||= mood === 'cut';
    return batch.map((_, at) => (isTaken(at) ? taken : away));
  }
}

class History {
  readonly #events: EventPlatform;
  readonly #sink: MoodySink;
  readonly #destination: string;
  readonly #policies: string[] = [];
  /** Expected types in order, by policy. */
  readonly #told = new Map<string, string[]>();
  readonly #revived = Promise.withResolvers<void>();
  #daemon: { node: Node; isDead: boolean } | null = null;
  #daemons = 0;
  #failures = 0;
  #wasKilled = false;

  private constructor(events: EventPlatform, sink: MoodySink, destination: string) {
    this.#events = events;
    this.#sink = sink;
    this.#destination = destination;
  }

  static async start(open: OpenStore, partial: boolean): Promise<History> {
    const events = await startEvents(open);
    const sink = new MoodySink({ partial, batchEvents: 4 });
    const history = new History(events, sink, await events.destination(sink));
    await events.subscribe(TYPES, [history.#destination]);
    await history.#startDaemon();
    return history;
  }

  async take([what, number]: Step): Promise<void> {
    switch (what) {
      case 'create':
        this.#policies.push(await this.#events.create('ip_policy', {}));
        return this.#tell(this.#policies.length - 1, 'created');
      case 'update':
      case 'delete':
        return this.#change(what, number);
      case 'pass':
        return this.#events.clock.pass((number + 1) * 600);
      case 'outage':
        this.#failures = 2;
        return;
      case 'restart':
        this.#failures = 0;
        await this.#daemon?.node.stop();
        return this.#startDaemon();
      case 'die':
        this.#wasKilled = true;
        if (this.#daemon !== null) this.#daemon.isDead = true;
        return this.#startDaemon();
      default:
        this.#sink.mood = what;
    }
  }

  async #change(what: 'update' | 'delete', number: number): Promise<void> {
    const at = this.#policies.length - 1 - (number % 2);
    const id = this.#policies[at];
    if (id === undefined || this.#told.get(id)?.includes(TYPES[2]!)) return;
    if (what === 'delete') await this.#events.remove('ip_policy', id);
    else await this.#events.update('ip_policy', id, { description: `${this.#told.get(id)?.length}` });
    this.#tell(at, what === 'delete' ? 'deleted' : 'updated');
  }

  #tell(at: number, verb: string): void {
    const id = this.#policies[at]!;
    this.#told.set(id, [...(this.#told.get(id) ?? []), `ip_policy_${verb}.v0`]);
  }

  /** Starts a daemon. A dead one neither reads nor writes until the history ends. */
  async #startDaemon(): Promise<void> {
    const { store } = this.#events.platform;
    const daemon: { node: Node; isDead: boolean } = { node: undefined as never, isDead: false };
    const alive = () => (daemon.isDead ? this.#revived.promise : Promise.resolve());
    const seen = proxy(store, {
      queue: async (query) => {
        await alive();
        return store.queue(query);
      },
      write: async (build) => {
        await alive();
        if (this.#failures === 0) return store.write(build);
        this.#failures -= 1;
        throw new StoreUnavailableError('away');
      },
    });
    daemon.node = await this.#events.startNode(`daemon_${this.#daemons++}`, seen);
    this.#daemon = daemon;
  }

  /** Ends all faults and checks the result. */
  async check(): Promise<void> {
    this.#sink.mood = 'well';
    const { clock } = this.#events;
    await eventually(async () => {
      if (clock.nextMs !== null) clock.pass(clock.nextMs);
      assert.equal(await this.#events.waiting(this.#destination), 0);
    });
    const { events } = this.#sink;
    const firsts = [...new Map(events.map((event) => [event.id, event])).values()];
    const arrived = this.#policies.map((id) => firsts.filter(({ resource }) => resource === id));
    assert.deepEqual(
      arrived.map((own) => own.map(({ type }) => type)),
      this.#policies.map((id) => this.#told.get(id)),
    );
    if (!this.#sink.wasCut && !this.#wasKilled) assert.equal(events.length, firsts.length, 'one came twice');
  }

  async close(): Promise<void> {
    this.#failures = 0;
    this.#revived.resolve();
    await this.#events.close();
  }
}

describe('whatever goes wrong, each event arrives, in the order of its resource', () => {
  onBothStores((open) => {
    test('at a target that takes batches whole or in part', async () => {
      const histories = fc.asyncProperty(
        fc.boolean(),
        fc.array(step, { minLength: 30, maxLength: 60 }),
        async (partial, steps) => {
          const history = await History.start(open, partial);
          try {
            for (const one of steps) await history.take(one);
            await history.check();
          } finally {
            await history.close();
          }
        },
      );
      const seed = process.env.SEED === undefined ? {} : { seed: Number(process.env.SEED) };
      await fc.assert(histories, { numRuns: propertyRuns(10), endOnFailure: true, examples, ...seed });
    });
  });
});
