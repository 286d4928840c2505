/** Deliveries to targets that accept files. */
import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import { eventually, until } from '../../../../test/harness/until.ts';
import { onBothStores } from '../resources/both-stores.fixture.ts';
import { proxy } from '../store/proxy.fixture.ts';
import { StoreUnavailableError } from '../store/store.ts';
import { LONGEST_RETRY_MS } from './after-attempt.ts';
import { readDelivery } from './delivery-state.ts';
import { readStatus } from './delivery-status.ts';
import { away, drained, type EventPlatform, Sink, startEvents, taken } from './events.fixture.ts';
import type { OutboxEvent } from './targets/target.ts';

const AGE_SECONDS = 60;
const AGE_MS = AGE_SECONDS * 1_000;

/** Keeps each file that it accepts. */
class FileSink extends Sink {
  readonly files: (readonly OutboxEvent[])[] = [];

  constructor() {
    super({ batchEvents: 10_000, batchBytes: 16_777_216, overheadBytes: 1 });
  }

  override send(batch: readonly OutboxEvent[]) {
    this.files.push(batch);
    return super.send(batch);
  }
}

const idsOf = (file: readonly OutboxEvent[] | undefined) => file?.map(({ id }) => id);

describe('events wait for their file', () => {
  onBothStores((open) => {
    let events: EventPlatform;
    afterEach(() => events.close());

    const target = (bounds: object = {}) => ({
      s3: {
        auth: { creds: { cloud_access_key_id: 'AKID', cloud_secret_access_key: 'secret' } },
        ...{ bucket_identifier: 'arn:aws:s3:::events', max_file_age: AGE_SECONDS, ...bounds },
      },
    });
    async function subscribed(sink: Sink, bounds: object = {}): Promise<string> {
      events = await startEvents(open);
      const destination = await events.destination(sink, target(bounds));
      await events.subscribe(['ip_policy_created.v0'], [destination]);
      return destination;
    }
    async function makePolicies(count: number): Promise<void> {
      for (let at = 0; at < count; at++) await events.create('ip_policy', { description: `${at}` });
    }
    /** Enqueues events without a cause, at once. */
    async function enqueue(parent: string, count: number): Promise<void> {
      const { store, admin } = events.platform;
      const [{ id: subscription = '' } = {}] = await store.page({
        ...{ account: admin.account, kind: 'event_subscription', limit: 1 },
      });
      const more = { type: 'ip_policy_created.v0', resource: '', subscription_ids: [subscription] } as const;
      await store.write((newId) =>
        Array.from({ length: count }, () => {
          const body = { ...more, event_id: newId('ev'), envelope: '{}' };
          return { op: 'enqueue', account: admin.account, parent, text: JSON.stringify(body) };
        }),
      );
    }
    const rested = () => until(() => events.clock.nextMs !== null);
    /** Advances the clock until the check succeeds. */
    const inTime = (check: () => void) =>
      eventually(() => {
        events.clock.pass(1_000);
        check();
      });

    test('and come with it when its first event is old enough, which is no failure', async () => {
      const sink = new FileSink();
      const destination = await subscribed(sink);
      await events.startNode();
      await makePolicies(3);
      await rested();
      const { store, admin } = events.platform;
      const asked = { id: destination, account: admin.account };
      const { backlog, lastError, nextAttemptAt } = await readStatus(store, asked, Date.now());
      assert.deepEqual([backlog, lastError, nextAttemptAt], [3, '', null]);
      assert.equal(sink.batches, 0);
      events.clock.pass(AGE_MS);
      await drained(events, destination);
      assert.deepEqual(
        sink.files.map((file) => file.length),
        [3],
      );
      assert.equal((await readStatus(store, asked, Date.now())).lastError, '');
    });

    test('and come at once when it is full, whatever waits behind it', async () => {
      const sink = new FileSink();
      const bytes = 1_500;
      const destination = await subscribed(sink, { max_file_size: bytes, max_file_age: 86_400 });
      await events.startNode();
      await makePolicies(20);
      const sizeOf = (file: readonly OutboxEvent[]) =>
        file.reduce((size, { text }) => size + Buffer.byteLength(text) + 1, 0);
      await inTime(() => assert.ok(sink.events.length > 15));
      assert.ok(sink.files.every((file) => file.length > 1 && sizeOf(file) <= bytes));
      await eventually(async () => assert.equal(await events.waiting(destination), 20 - sink.events.length));
      assert.ok(sink.events.length < 20, 'the last one is not full');
    });

    test('and what comes meanwhile has it looked at once in a second', async () => {
      const sink = new FileSink();
      await subscribed(sink);
      let reads = 0;
      const { store } = events.platform;
      const counting = proxy(store, {
        queue: (query: Parameters<typeof store.queue>[0]) => {
          reads += 1;
          return store.queue(query);
        },
      });
      await events.startNode(null, counting);
      await makePolicies(1);
      await rested();
      const before = reads;
      await makePolicies(30);
      assert.equal(reads, before);
      assert.ok((events.clock.nextMs ?? 0) <= 1_000);
    });

    test('and no other process does', async () => {
      const sink = new FileSink();
      await subscribed(sink);
      const other = new Sink();
      await events.subscribe(['ip_policy_created.v0'], [await events.destination(other)]);
      await events.startNode();
      await makePolicies(2);
      await until(() => other.events.length === 2);
      assert.equal(sink.batches, 0);
    });

    test('and of several daemons one brings it', async () => {
      const sink = new FileSink();
      const destination = await subscribed(sink);
      const nodes = [await events.startNode('one'), await events.startNode('two')];
      await makePolicies(3);
      await until(() => events.clock.timers === nodes.length);
      assert.equal(await readDelivery(events.platform.store, destination), null, 'nobody has it yet');
      events.clock.pass(AGE_MS);
      await drained(events, destination);
      for (const node of nodes) await node.stop();
      assert.equal(sink.files.length, 1);
    });

    test('which is the same when it is sent again, whatever came meanwhile', async () => {
      const sink = new FileSink();
      sink.answer = () => away;
      await subscribed(sink, { max_file_size: 1_500, max_file_age: 86_400 });
      await events.startNode();
      await makePolicies(8);
      await inTime(() => assert.ok(sink.files.length > 0));
      await makePolicies(8);
      sink.answer = () => taken;
      await inTime(() => assert.ok(sink.files.length > 2));
      const [first, again, next] = sink.files;
      assert.deepEqual(idsOf(again), idsOf(first));
      assert.ok(!idsOf(next)?.some((id) => idsOf(first)?.includes(id)));
    });

    test('which is the same when it is sent again, also when the clock that closed it was wrong', async () => {
      const sink = new FileSink();
      sink.answer = () => away;
      const destination = await subscribed(sink, { max_file_age: 86_400 });
      events.clock.ahead = 2 * 86_400_000;
      await makePolicies(2);
      const node = await events.startNode();
      await until(() => sink.files.length === 1);
      await rested();
      await node.stop();
      events.clock.ahead = 0;
      await makePolicies(2);
      await events.startNode();
      await rested();
      sink.answer = () => taken;
      events.clock.pass(LONGEST_RETRY_MS);
      await until(() => sink.files.length === 2);
      assert.deepEqual(idsOf(sink.files[1]), idsOf(sink.files[0]));
      await eventually(async () => assert.equal(await events.waiting(destination), 2));
    });

    test('and leave the outbox in pieces, and are not sent again when their daemon dies between two', async () => {
      const sink = new FileSink();
      const destination = await subscribed(sink);
      const { store } = events.platform;
      await enqueue(destination, 1_200);
      const pieces: number[] = [];
      let dies = false;
      const seen = proxy(store, {
        write: async (build: Parameters<typeof store.write>[0]) => {
          const gone = { positions: 0 };
          const done = await store.write((newId) => {
            if (dies) throw new StoreUnavailableError('dead');
            return build(newId).map((operation) => {
              if (operation.op === 'dequeue') gone.positions += operation.positions.length;
              return operation;
            });
          });
          if (gone.positions > 0) pieces.push(gone.positions);
          dies ||= pieces.length === 1;
          return done;
        },
      });
      const node = await events.startNode(null, seen);
      await inTime(() => assert.ok(dies));
      assert.equal(await events.waiting(destination), 700);
      await node.stop();
      dies = false;
      await enqueue(destination, 1);
      await events.startNode(null, seen);
      await inTime(() => assert.equal(sink.files.length, 2));
      await drained(events, destination);
      assert.deepEqual(
        pieces.filter((size) => size > 500),
        [],
      );
      assert.deepEqual(
        sink.files.map((file) => file.length),
        [1_200, 1],
      );
    });

    test('and is not read again before it is tried again, however often something changes', async () => {
      const sink = new FileSink();
      sink.answer = () => away;
      const destination = await subscribed(sink);
      const { store } = events.platform;
      let reads = 0;
      const counting = proxy(store, {
        queue: (query: Parameters<typeof store.queue>[0]) => {
          reads += 1;
          return store.queue(query);
        },
      });
      const node = await events.startNode(null, counting);
      await makePolicies(3);
      await inTime(() => assert.ok(sink.files.length > 2));
      await rested();
      const [before, tried] = [reads, sink.files.length];
      for (let at = 0; at < 5; at++) {
        const description = `${at}`;
        const subscription = await events.subscribe(['domain_created.v0'], [destination]);
        await events.update('event_subscription', subscription, { description });
        await events.update('event_destination', destination, { description });
      }
      // It has seen a later change, so it has acted on the earlier one.
      await until(() => node.subscriptions.destinations.get(destination)?.body.description === '4');
      await rested();
      assert.ok(sink.files.length <= tried + 1, 'tried at once, and not at each change');
      assert.ok(reads - before < 10, `${reads - before} reads`);
    });

    test('no longer than the destination says when it is changed', async () => {
      const sink = new FileSink();
      const destination = await subscribed(sink, { max_file_age: 86_400 });
      await events.startNode();
      await makePolicies(1);
      await rested();
      await events.update('event_destination', destination, { target: target() });
      await inTime(() => assert.equal(sink.files.length, 1));
    });

    test('and are then tried for a day, whenever it was that their target began to fail', async () => {
      const sink = new FileSink();
      sink.answer = () => away;
      const destination = await subscribed(sink);
      const node = await events.startNode();
      await makePolicies(1);
      await inTime(() => assert.equal(sink.files.length, 1));
      await events.update('event_destination', destination, { target: target({ max_file_age: 86_400 }) });
      const isGivenUp = () => node.counts.given_up === 1;
      while (!isGivenUp()) {
        events.clock.pass(events.clock.nextMs ?? 0);
        await until(() => events.clock.nextMs !== null || isGivenUp());
      }
      assert.ok(
        sink.files.length > 90,
        `tried ${sink.files.length} times, and every quarter of an hour at last`,
      );
    });

    test('no longer when their daemon is started anew', async () => {
      const sink = new FileSink();
      await subscribed(sink);
      const node = await events.startNode();
      await makePolicies(1);
      await rested();
      await node.stop();
      // Ids contain the time of another clock.
      events.clock.pass(2 * AGE_MS);
      await events.startNode();
      await until(() => sink.files.length === 1);
    });
  });
});
