import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { pino } from 'pino';
import { until } from '../../../../test/harness/until.ts';
import { MemoryStore } from '../store/memory.fixture.ts';
import { proxy } from '../store/proxy.fixture.ts';
import {
  type Store,
  StoreUnavailableError,
  type WriteOperation,
  WriteOutcomeUnknownError,
} from '../store/store.ts';
import { EventBuffer, type Occurrence } from './event-buffer.ts';
import { TestClock } from './events.fixture.ts';
import { Outbox, type Place } from './outbox.ts';
import type { Amount } from './outbox-bound.ts';

const nobody: Place = new Map();

/** Accounts of the tests that have a destination. */
const accounts = [
  'ac_little',
  ...Array.from({ length: 256 }, (_, at) => `ac_${at}`),
  ...Array.from({ length: 20 }, (_, at) => `ac_much_${at}`),
];

/** The only destination of an account, with one subscription. */
function destinationOf(account: string): Place {
  return new Map([[`ed_${account}`, ['esb_1']]]);
}

/** Creates a buffer on a store that fails a given number of times, before or after it has written. */
function buffered({ room = { left: 10_000 }, subscribed = { by: destinationOf } } = {}) {
  const clock = new TestClock();
  const written: { event_id: string; envelope: string }[] = [];
  const failures: { error: Error; hasWritten: boolean }[] = [];
  const counts = { dropped: 0, made: 0, writes: 0 };
  const dropped = (events: number) => {
    counts.dropped += events;
  };
  const memory = new MemoryStore();
  const row = {
    op: 'insert',
    kind: 'event_destination',
    parent: null,
    body: {},
    links: [],
    names: [],
  } as const;
  // Writes are done in their order, so none has to wait for this one.
  void memory.write(() => accounts.map((account) => ({ ...row, id: `ed_${account}`, account })));
  const store = proxy<Store>(memory, {
    async write(build) {
      counts.writes += 1;
      const failure = failures.shift();
      if (failure?.hasWritten === false) throw failure.error;
      let operations: readonly WriteOperation[] = [];
      const revision = await memory.write((newId) => {
        operations = build(newId);
        return operations;
      });
      for (const operation of operations)
        if (operation.op === 'enqueue') written.push(JSON.parse(operation.text));
      if (failure !== undefined) throw failure.error;
      return revision;
    },
  });
  const subscriptions = {
    interestedIn: (account: string) => subscribed.by(account),
    destinations: new Map(),
  };
  const asked: Amount[] = [];
  const bound = {
    take: (_: string, amount: Amount, share = 1) => {
      asked.push(amount);
      const { events } = amount;
      if (events > room.left * share) return false;
      room.left -= events;
      return true;
    },
  };
  /** The number of written events at each wake, with the destination. */
  const wakes: [string, number][] = [];
  const outbox = new Outbox({
    ...{ subscriptions, bound, dropped },
    written: (destinations) =>
      wakes.push(...destinations.map((id): [string, number] => [id, written.length])),
  });
  const buffer = new EventBuffer({
    ...{ store, outbox, share: 0.5, dropped },
    ...{ after: clock.after, log: pino({ level: 'silent' }) },
  });
  const event = (account = 'ac_1', bytes = 100): Occurrence => ({
    ...{ account, type: 'http_request_complete.v0', resource: '', time: clock.now(), bytes },
    object: () => ({ made: ++counts.made }),
  });
  const told = () => written.map(({ envelope }) => JSON.parse(envelope).object.made);
  return { clock, written, failures, counts, wakes, asked, buffer, event, told };
}

test('events are gathered, and written together in their order', async () => {
  const { clock, counts, buffer, event, told } = buffered();
  for (let at = 0; at < 300; at++) buffer.add(event());
  assert.equal(counts.writes, 0, 'nobody waits for them');
  clock.pass(100);
  await until(() => told().length === 300);
  assert.ok(counts.writes <= 2);
  assert.deepEqual(
    told(),
    Array.from({ length: 300 }, (_, at) => at + 1),
  );
});

test('what finds no room in memory is counted, never made, and takes nothing from another account', async () => {
  const { clock, counts, buffer, event, told } = buffered();
  const MIB = 1_048_576;
  for (let at = 0; at < 6; at++) buffer.add(event('ac_1', MIB));
  buffer.add(event('ac_2', MIB));
  assert.equal(counts.dropped, 2);
  clock.pass(100);
  await until(() => told().length === 5);
  assert.equal(counts.made, 5);
  buffer.add(event('ac_1', MIB));
  clock.pass(100);
  await until(() => told().length === 6, 'there is room again');
});

test('the outbox is asked for room for all events of a batch and all of their bytes', async () => {
  const { clock, asked, buffer, event, told } = buffered();
  for (const bytes of [100, 250, 7]) buffer.add(event('ac_1', bytes));
  clock.pass(100);
  await until(() => told().length === 3);
  assert.deepEqual(asked, [{ events: 3, bytes: 357 }]);
});

test('what was written, refused or failed takes no memory any more, however much there was', async () => {
  const room = { left: 1e6 };
  const { clock, counts, failures, buffer, event, told } = buffered({ room });
  const MIB = 1_048_576;
  // Eight times the limit of all accounts together.
  for (let at = 0; at < 256; at++) {
    const refused = at % 4 === 1;
    room.left = refused ? 0 : 1e6;
    if (at % 4 === 2) failures.push({ error: new Error('broken'), hasWritten: false });
    const { dropped } = counts;
    const before = told().length;
    buffer.add(event(`ac_${at}`, MIB));
    assert.equal(counts.dropped, dropped, 'there is room in memory');
    clock.pass(100);
    await until(() => told().length > before || counts.dropped > dropped);
  }
  assert.deepEqual([told().length, counts.dropped], [128, 128]);
});

test('what comes while the outbox is full is counted, and kept for nobody; it is asked again soon', async () => {
  const room = { left: 0 };
  const { clock, counts, buffer, event, told } = buffered({ room });
  buffer.add(event());
  clock.pass(100);
  await until(() => counts.dropped === 1);
  room.left = 100;
  buffer.add(event());
  assert.equal(counts.dropped, 2);
  buffer.add(event('ac_2'));
  clock.pass(200);
  await until(() => told().length === 1, 'another account has its own room');
  buffer.add(event());
  clock.pass(100);
  await until(() => told().length === 2, 'there is room again');
  assert.equal(counts.dropped, 2);
});

test('as long as the outbox is full one event asks now and then, and no other waits for the answer', async () => {
  const { clock, counts, buffer, event } = buffered({ room: { left: 0 } });
  buffer.add(event());
  clock.pass(100);
  for (const dropped of [1, 3]) {
    await turn();
    assert.equal(counts.dropped, dropped);
    assert.equal(buffer.isFull('ac_1'), true);
    clock.pass(200);
    assert.equal(buffer.isFull('ac_1'), false);
    for (const _ of [1, 2]) buffer.add(event());
    assert.equal(clock.nextMs, 200, 'nothing is gathered');
  }
  assert.equal(buffer.isFull('ac_2'), false);
  assert.deepEqual(counts, { dropped: 5, made: 0, writes: 0 });
});

test('an account that subscribes anew, while it had no subscription, gets events at once', async () => {
  const subscribed: { by: (account: string) => Place } = { by: () => nobody };
  const { clock, counts, buffer, event, told } = buffered({ subscribed });
  buffer.add(event());
  clock.pass(100);
  await until(() => clock.nextMs === null);
  subscribed.by = destinationOf;
  buffer.add(event());
  clock.pass(100);
  await until(() => told().length === 1);
  assert.equal(counts.dropped, 0);
});

test('however many accounts have much that waits, there is room for one that has little', async () => {
  const { clock, counts, buffer, event, told } = buffered();
  for (let at = 0; at < 40; at++)
    for (let account = 0; account < 20; account++) buffer.add(event(`ac_much_${account}`, 131_072));
  const { dropped } = counts;
  for (let at = 0; at < 100; at++) buffer.add(event('ac_little', 1_000));
  assert.equal(counts.dropped, dropped, 'nothing of it is dropped');
  clock.pass(100);
  await until(() => told().length === 20 * 40 + 100 - dropped);
});

test('the deliverer is notified of writes, also of those with an unknown outcome', async () => {
  const { clock, failures, wakes, buffer, event } = buffered();
  failures.push({ error: new WriteOutcomeUnknownError('cut'), hasWritten: true });
  buffer.add(event());
  clock.pass(100);
  await until(() => clock.nextMs !== null);
  assert.deepEqual(wakes, [['ed_ac_1', 1]]);
  clock.pass(1_000);
  await until(() => wakes.length === 2);
  assert.deepEqual(wakes[1], ['ed_ac_1', 2]);
});

test('only a share of the outbox is filled, and the rest is counted', async () => {
  const { clock, counts, buffer, event } = buffered({ room: { left: 10 } });
  for (let at = 0; at < 6; at++) buffer.add(event());
  clock.pass(100);
  await until(() => counts.dropped === 6);
  assert.equal(counts.writes, 0);
});

test('events outlive an outage, and one with an unknown outcome keeps its id', async () => {
  const { clock, written, failures, buffer, event, told } = buffered();
  failures.push(
    { error: new StoreUnavailableError('away'), hasWritten: false },
    { error: new WriteOutcomeUnknownError('cut'), hasWritten: true },
  );
  buffer.add(event());
  buffer.add(event());
  clock.pass(100);
  for (const _ of [1, 2]) {
    await until(() => clock.nextMs !== null);
    clock.pass(1_000);
  }
  await until(() => written.length === 4);
  assert.deepEqual(told(), [1, 2, 1, 2]);
  const ids = written.map(({ event_id }) => event_id);
  assert.deepEqual(ids.slice(0, 2), ids.slice(2));
  assert.ok(ids[0]! < ids[1]!);
});

test('a batch that is refused since its destination is gone is tried again, and not for ever', async () => {
  const { clock, counts, buffer, event } = buffered();
  buffer.add(event('ac_gone'));
  clock.pass(100);
  while (counts.dropped === 0) {
    await until(() => clock.nextMs !== null || counts.dropped > 0);
    clock.pass(200);
  }
  assert.deepEqual([counts.writes, counts.dropped], [5, 1]);
});

test('what waits is written when the daemon stops, and a store that is away does not stop it from stopping', async () => {
  const { failures, counts, buffer, event, told } = buffered();
  buffer.add(event());
  await buffer.stop();
  assert.equal(told().length, 1);
  failures.push({ error: new StoreUnavailableError('away'), hasWritten: false });
  buffer.add(event());
  await buffer.stop();
  assert.equal(counts.dropped, 1);
});
