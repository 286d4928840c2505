import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import { eventually, until } from '../../../../test/harness/until.ts';
import { onBothStores } from '../resources/both-stores.fixture.ts';
import { LEASE_MS } from '../store/lease.ts';
import { proxy } from '../store/proxy.fixture.ts';
import { StoreUnavailableError } from '../store/store.ts';
import { FIRST_RETRY_MS, GIVE_UP_MS, LONGEST_RETRY_MS } from './after-attempt.ts';
import { readDelivery } from './delivery-state.ts';
import { away, drained, type EventPlatform, Sink, startEvents, taken } from './events.fixture.ts';
import type { OutboxEvent } from './targets/target.ts';

const policies = ['ip_policy_created.v0', 'ip_policy_updated.v0', 'ip_policy_deleted.v0'];

describe('events reach their destination', () => {
  onBothStores((open) => {
    let events: EventPlatform;
    afterEach(() => events.close());

    /** Creates a destination with a subscription to policies. */
    async function subscribed(sink = new Sink(), options = {}): Promise<string> {
      events = await startEvents(open, options);
      const destination = await events.destination(sink);
      await events.subscribe(policies, [destination]);
      return destination;
    }
    async function policiesNamed(...descriptions: string[]): Promise<string[]> {
      const ids: string[] = [];
      for (const description of descriptions) ids.push(await events.create('ip_policy', { description }));
      return ids;
    }
    const described = (sink: Sink) =>
      sink.envelopes().map(({ object }) => (object as { description: string }).description);

    test('while a target is away its events wait, and then come in their order, each once', async () => {
      const sink = new Sink();
      sink.answer = () => away;
      const destination = await subscribed(sink);
      const { clock } = events;
      await events.startNode();
      await policiesNamed('a');
      await until(() => sink.batches === 1);
      const rests: (number | null)[] = [];
      for (let attempt = 1; attempt < 14; attempt++) {
        await until(() => clock.nextMs !== null);
        rests.push(clock.nextMs);
        await policiesNamed(`b${attempt}`);
        assert.equal(sink.batches, attempt, 'what happens meanwhile is no reason to try sooner');
        clock.pass(clock.nextMs ?? 0);
        await until(() => sink.batches > attempt);
      }
      assert.deepEqual(rests.slice(0, 3), [1_250, 2_500, 5_000]);
      assert.equal(rests.at(-1), LONGEST_RETRY_MS);
      sink.answer = () => taken;
      await until(() => clock.nextMs !== null);
      clock.pass(LONGEST_RETRY_MS);
      await until(() => sink.events.length === 14);
      await drained(events, destination);
      const lines = events.logged.filter((line) => line.includes(destination));
      assert.equal(lines.length, 2, 'when it began, and when it was over');
      assert.match(lines[0] ?? '', /does not take its events/);
      assert.match(lines[0] ?? '', /it is away/);
      assert.match(lines[1] ?? '', /is through/);
      assert.deepEqual(described(sink), ['a', ...Array.from({ length: 13 }, (_, at) => `b${at + 1}`)]);
    });

    test('what was not taken for a day is given up, kept, and says why', async () => {
      const sink = new Sink();
      sink.answer = () => away;
      const destination = await subscribed(sink);
      const node = await events.startNode();
      await policiesNamed('late');
      await until(() => sink.batches === 1 && events.clock.nextMs !== null);
      const { clock } = events;
      const began = clock.now();
      await eventually(async () => {
        clock.pass(clock.nextMs ?? 0);
        assert.equal((await events.failed(destination)).length, 1);
      });
      await drained(events, destination);
      // Ids contain the time of another clock.
      const triedMs = clock.now() - began;
      assert.ok(triedMs > GIVE_UP_MS - 60_000, String(triedMs));
      assert.ok(triedMs < GIVE_UP_MS + 2 * LONGEST_RETRY_MS, String(triedMs));
      // The count follows the acknowledged write, which the database may show before.
      await eventually(() => assert.equal(node.counts.given_up, 1));
      assert.equal((await events.failed(destination))[0]?.body.reason, 'it is away');
      const delivery = await readDelivery(events.platform.store, destination);
      assert.equal(delivery?.body.failed_count, 1);
    });

    test('V9: a clock that is put an hour or a day back or on neither stops an event nor gives it up', async () => {
      for (const ahead of [-GIVE_UP_MS, -3_600_000, 3_600_000, GIVE_UP_MS]) {
        const sink = new Sink();
        sink.answer = () => away;
        const destination = await subscribed(sink);
        await events.startNode();
        await policiesNamed('a');
        await until(() => sink.batches === 1 && events.clock.nextMs !== null);
        events.clock.ahead = ahead;
        sink.answer = () => (sink.batches < 4 ? away : taken);
        let passedMs = 0;
        await eventually(async () => {
          const { nextMs } = events.clock;
          passedMs += nextMs ?? 0;
          if (nextMs !== null) events.clock.pass(nextMs);
          assert.equal(await events.waiting(destination), 0);
        });
        assert.ok(passedMs <= LONGEST_RETRY_MS, String(passedMs));
        assert.equal(sink.events.length, 1);
        assert.equal((await events.failed(destination)).length, 0);
        if (ahead < GIVE_UP_MS) await events.close();
      }
    });

    test('an event that a target refuses is given up alone, out of a batch that is refused as a whole', async () => {
      const sink = new Sink();
      const isBad = ({ text }: { text: string }) => text.includes('"poison"');
      const destination = await subscribed(sink);
      await policiesNamed('a', 'b', 'c', 'poison', 'd', 'e', 'f');
      sink.send = async (batch) => {
        const result = batch.some(isBad) ? ({ result: 'refused', reason: 'no' } as const) : taken;
        if (result.result === 'taken') sink.events.push(...batch);
        return batch.map(() => result);
      };
      await events.startNode();
      await drained(events, destination);
      assert.deepEqual(described(sink), ['a', 'b', 'c', 'd', 'e', 'f']);
      assert.equal((await events.failed(destination)).length, 1);
    });

    test('of large events no more is read than is sent at once, and all arrive, one alone after none was taken', async () => {
      const sink = new Sink({ batchBytes: 3_000_000, eventBytes: 3_000_000 });
      const destination = await subscribed(sink);
      sink.answer = () => (sink.batches === 2 ? taken : away);
      const sent: number[] = [];
      const send = sink.send.bind(sink);
      sink.send = (batch) => {
        sent.push(batch.length);
        return send(batch);
      };
      const { store, admin } = events.platform;
      const [{ id: subscription = '' } = {}] = await store.page({
        ...{ account: admin.account, kind: 'event_subscription', limit: 1 },
      });
      const about = { type: 'ip_policy_created.v0', resource: '', subscription_ids: [subscription] } as const;
      const envelope = 'x'.repeat(400_000);
      await store.write((newId) =>
        Array.from({ length: 40 }, () => {
          const body = { ...about, event_id: newId('ev'), envelope };
          return { op: 'enqueue', account: admin.account, parent: destination, text: JSON.stringify(body) };
        }),
      );
      const reads: number[] = [];
      const seen = proxy(store, {
        queue: async (query: Parameters<typeof store.queue>[0]) => {
          const read = await store.queue(query);
          reads.push(read.reduce((sum, { body }) => sum + body.envelope.length, 0));
          return read;
        },
      });
      await events.startNode(null, seen);
      await until(() => sent.length === 1 && events.clock.nextMs !== null);
      events.clock.pass(LONGEST_RETRY_MS);
      await until(() => sent.length === 3 && events.clock.nextMs !== null);
      assert.deepEqual(sent, [7, 1, 7]);
      sink.answer = () => taken;
      events.clock.pass(LONGEST_RETRY_MS);
      await drained(events, destination);
      assert.equal(sink.events.length, 40);
      assert.ok(Math.max(...reads) <= 5 * 1_048_576, `${Math.max(...reads)} bytes at once`);
    });

    test('of a batch that is taken in part no event overtakes an older one of its resource', async () => {
      const sink = new Sink({ partial: true });
      const destination = await subscribed(sink);
      const [one = '', two = ''] = await policiesNamed('one', 'two');
      for (let at = 0; at < 5; at++) {
        for (const id of [one, two]) await events.update('ip_policy', id, { description: `${at}` });
      }
      let answers = 0;
      sink.answer = () => (++answers % 3 === 0 ? away : taken);
      await events.startNode();
      while (sink.events.length < 12) {
        await until(() => events.clock.nextMs !== null || sink.events.length === 12);
        events.clock.pass(events.clock.nextMs ?? 0);
      }
      await drained(events, destination);
      for (const id of [one, two]) {
        const own = sink.events.filter(({ resource }) => resource === id).map(({ id: event }) => event);
        assert.equal(own.length, 6);
        assert.deepEqual(own, [...own].sort());
      }
    });

    test('a target that never answers delays no other', async () => {
      const stuck = new Sink();
      const { promise, resolve } = Promise.withResolvers<void>();
      stuck.gate = promise;
      await subscribed(stuck);
      const well = new Sink();
      await events.subscribe(policies, [await events.destination(well)]);
      await events.startNode();
      await policiesNamed('a', 'b');
      await until(() => well.events.length === 2 && stuck.batches === 1);
      resolve();
      await until(() => stuck.events.length === 2);
    });

    test('with its last subscription an event goes unsent, and with its destination', async () => {
      const sink = new Sink();
      sink.answer = () => away;
      events = await startEvents(open);
      const destination = await events.destination(sink);
      const subscription = await events.subscribe(policies, [destination]);
      const other = await events.subscribe(['ip_policy_deleted.v0'], [destination]);
      await events.startNode();
      const [id = ''] = await policiesNamed('a');
      await until(() => sink.batches === 1);
      await events.remove('ip_policy', id);
      sink.answer = () => taken;
      await events.remove('event_subscription', subscription);
      await until(() => events.clock.nextMs !== null);
      events.clock.pass(LONGEST_RETRY_MS);
      await drained(events, destination);
      assert.deepEqual(sink.types, ['ip_policy_deleted.v0'], 'the other one still wanted it');
      sink.answer = () => away;
      await events.remove('ip_policy', (await policiesNamed('b'))[0]!);
      await events.remove('event_subscription', other);
      await events.remove('event_destination', destination);
      assert.equal(await events.waiting(destination), 0);
    });

    test('a batch that is under way is aborted when its destination is deleted', async () => {
      let aborted = false;
      const sink = new (class extends Sink {
        override async send(batch: readonly OutboxEvent[], signal?: AbortSignal) {
          signal?.addEventListener('abort', () => (aborted = true));
          return super.send(batch);
        }
      })();
      const { promise, resolve } = Promise.withResolvers<void>();
      sink.gate = promise;
      sink.answer = () => away;
      events = await startEvents(open);
      const destination = await events.destination(sink);
      const subscription = await events.subscribe(policies, [destination]);
      const node = await events.startNode();
      await policiesNamed('a');
      await until(() => sink.batches === 1);
      await events.remove('event_subscription', subscription);
      await events.remove('event_destination', destination);
      await until(() => aborted);
      resolve();
      await node.stop();
      assert.deepEqual(
        events.logged.filter((line) => line.includes('does not take')),
        [],
        'what was broken off is no failure of the target',
      );
    });

    test('another target of the destination is tried at once', async () => {
      const sink = new Sink();
      sink.answer = () => away;
      const destination = await subscribed(sink);
      await events.startNode();
      await policiesNamed('a');
      await until(() => sink.batches === 1 && events.clock.nextMs !== null);
      sink.answer = () => taken;
      await events.update('event_destination', destination, { description: 'mended' });
      await until(() => sink.events.length === 1);
    });

    test('what was taken is not sent again because the store was away', async () => {
      const sink = new Sink();
      const destination = await subscribed(sink);
      const { store } = events.platform;
      let fails = 0;
      const flaky = proxy(store, {
        write: async (build) => {
          if (sink.events.length === 0 || fails === 2) return store.write(build);
          fails += 1;
          throw new StoreUnavailableError('away');
        },
      });
      await events.startNode(null, flaky);
      await policiesNamed('a');
      for (let seen = 1; seen <= 2; seen++) {
        await until(() => fails === seen && events.clock.nextMs !== null);
        events.clock.pass(events.clock.nextMs ?? 0);
      }
      await drained(events, destination);
      assert.equal(sink.events.length, 1);
    });

    test('of two daemons one delivers, and the other one goes on when it is dead', async () => {
      const sink = new Sink();
      const destination = await subscribed(sink);
      const { promise, resolve } = Promise.withResolvers<void>();
      sink.gate = promise;
      // No more is written for the first one once its batch is in progress.
      const { store } = events.platform;
      let isDead = false;
      const revived = Promise.withResolvers<void>();
      const dying = proxy(store, {
        write: (build) => (isDead ? revived.promise.then(() => store.write(build)) : store.write(build)),
      });
      await events.startNode('first', dying);
      await policiesNamed('a');
      await until(() => sink.batches === 1);
      isDead = true;
      await events.startNode('second');
      await until(() => events.clock.timers === 2, 'the second one has seen that there is a first one');
      events.clock.pass(LEASE_MS - 1);
      await policiesNamed('b');
      assert.equal(sink.batches, 1, 'the first one may live');
      sink.gate = null;
      events.clock.pass(1);
      await drained(events, destination);
      assert.deepEqual(described(sink), ['a', 'b']);
      isDead = false;
      revived.resolve();
      resolve();
    });

    test('of two daemons one tries again what a target does not take, however long that rests', async () => {
      const sink = new Sink();
      const attempts: number[] = [];
      sink.answer = () => {
        attempts.push(events.clock.now());
        return away;
      };
      await subscribed(sink);
      const nodes = [await events.startNode('first'), await events.startNode('second')];
      await policiesNamed('a');
      await eventually(() => {
        if (events.clock.timers === nodes.length) events.clock.pass(events.clock.nextMs ?? 0);
        assert.ok(attempts.length > 8);
      });
      const rests = attempts.slice(1).map((at, before) => at - attempts[before]!);
      assert.ok(Math.min(...rests) >= FIRST_RETRY_MS, rests.join());
    });

    test('an account that has too many events waiting changes on, and what is dropped is counted', async () => {
      const destination = await subscribed(new Sink(), { most: 3 });
      await policiesNamed('a', 'b', 'c', 'd', 'e');
      assert.equal(events.dropped, 2);
      assert.equal(await events.waiting(destination), 3);
      await events.startNode();
      await drained(events, destination);
      events.clock.pass(60_000);
      await policiesNamed('f');
      assert.equal(events.dropped, 2);
    });
  });
});
