import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import { pino } from 'pino';
import { eventually, until } from '../../../../test/harness/until.ts';
import type { DocumentStore } from '../documents/store.ts';
import { onBothStores } from '../resources/both-stores.fixture.ts';
import { proxy } from '../store/proxy.fixture.ts';
import { StoreUnavailableError, type WriteOperation } from '../store/store.ts';
import { deletedQueues } from './deleted-queues.ts';
import { away, type EventPlatform, Sink, startEvents, TestClock } from './events.fixture.ts';
import type { Rounds } from './rounds.ts';

const WAITING = 1_000;
const TYPE = 'ip_policy_created.v0';

interface Crowded {
  readonly destination: string;
  readonly subscription: string;
}

describe('what waits for a destination that is deleted', () => {
  onBothStores((open) => {
    let events: EventPlatform;
    afterEach(() => events.close());

    /** Creates a destination that accepts nothing, with a full queue. */
    async function crowded(sink = new Sink()): Promise<Crowded> {
      sink.answer = () => away;
      events = await startEvents(open, { most: WAITING });
      const destination = await events.destination(sink);
      const subscription = await events.subscribe([TYPE], [destination]);
      const { store, admin } = events.platform;
      await store.write((newId) =>
        Array.from({ length: WAITING }, (): WriteOperation => {
          const event = { event_id: newId('ev'), type: TYPE, resource: 'ipp_1', envelope: '{}' };
          const body = { ...event, subscription_ids: [subscription] };
          return { op: 'enqueue', account: admin.account, parent: destination, text: JSON.stringify(body) };
        }),
      );
      return { destination, subscription };
    }
    /** Deletes the destination. Returns another one, which the subscription names from then on. */
    async function removed({ destination, subscription }: Crowded): Promise<string> {
      const other = await events.destination();
      await events.update('event_subscription', subscription, { destination_ids: [other] });
      await events.remove('event_destination', destination);
      return other;
    }
    function left(): Promise<number> {
      const { store, admin } = events.platform;
      return store.countQueued({ account: admin.account, limit: 2 * WAITING });
    }
    function clearing(clock: TestClock, store: DocumentStore = events.platform.store): Rounds {
      const queues = deletedQueues({ store, after: clock.after, log: pino({ enabled: false }) });
      queues.start();
      return queues;
    }

    test('goes in parts, and other writes are made between them', async () => {
      const deleted = await crowded();
      await removed(deleted);
      assert.equal(await events.waiting(deleted.destination), 0, 'nobody is to have it');
      assert.equal(await left(), WAITING);
      const clock = new TestClock();
      const queues = clearing(clock);
      let parts = 0;
      for (let before = WAITING; before > 0; parts++) {
        await until(() => clock.nextMs !== null);
        const now = await left();
        assert.ok(now < before);
        await events.create('https_edge', {});
        assert.equal(await left(), now, 'the next part comes after a pause');
        before = now;
        clock.pass(clock.nextMs ?? 0);
      }
      assert.ok(parts > 1);
      await queues.stop();
    });

    test('makes room for other events as it goes', async () => {
      const other = await removed(await crowded());
      await events.create('ip_policy', {});
      assert.equal(events.dropped, 1);
      const clock = new TestClock();
      const queues = clearing(clock);
      await until(() => clock.nextMs !== null);
      events.clock.pass(60_000);
      await events.create('ip_policy', {});
      assert.equal(events.dropped, 1);
      assert.equal(await events.waiting(other), 1);
      await queues.stop();
    });

    test('goes when the store is back that was away', async () => {
      await removed(await crowded());
      const { store } = events.platform;
      let isAway = true;
      const clock = new TestClock();
      const flaky = proxy(store, {
        write: (build) => (isAway ? Promise.reject(new StoreUnavailableError('away')) : store.write(build)),
      });
      const queues = clearing(clock, flaky);
      await until(() => clock.nextMs !== null);
      assert.equal(await left(), WAITING);
      isAway = false;
      await eventually(async () => {
        clock.pass(clock.nextMs ?? 0);
        assert.equal(await left(), 0);
      });
      await queues.stop();
    });

    test('goes unsent, whichever daemons run after the one that deleted the destination', async () => {
      const sink = new Sink();
      await removed(await crowded(sink));
      for (const daemon of ['one', 'other']) await events.startNode(daemon);
      await eventually(async () => {
        events.clock.pass(events.clock.nextMs ?? 0);
        assert.equal(await left(), 0);
      });
      assert.equal(sink.batches, 0);
    });

    test('goes while the daemon runs, and a batch that was just read is not sent', async () => {
      const sink = new Sink();
      const deleted = await crowded(sink);
      const { store } = events.platform;
      const hasRead = Promise.withResolvers<void>();
      const goesOn = Promise.withResolvers<void>();
      const slow = proxy(store, {
        queue: async (query) => {
          const queued = await store.queue(query);
          if (query.parent === deleted.destination && queued.length > 1) {
            hasRead.resolve();
            await goesOn.promise;
          }
          return queued;
        },
      });
      const node = await events.startNode(null, slow);
      await hasRead.promise;
      await removed(deleted).finally(goesOn.resolve);
      await eventually(async () => {
        events.clock.pass(events.clock.nextMs ?? 0);
        assert.equal(await left(), 0);
      });
      await node.stop();
      assert.equal(sink.batches, 0);
    });
  });
});
