import assert from 'node:assert/strict';
import { test } from 'node:test';
import { documentsIn } from '../documents/store.ts';
import { MemoryStore } from '../store/memory.fixture.ts';
import { proxy } from '../store/proxy.fixture.ts';
import { OutboxBound } from './outbox-bound.ts';

/** Creates an outbox of a thousand events and a million bytes, with a count from the store. */
function bounded() {
  const state = { now: 0, counts: 0 };
  const memory = documentsIn(new MemoryStore());
  const row = { op: 'insert', account: 'ac_1', parent: null, links: [], names: [] } as const;
  const ready = memory.write(() => [{ ...row, id: 'ed_1', kind: 'event_destination', body: {} }]);
  const store = proxy(memory, {
    countQueued(query) {
      state.counts += 1;
      return memory.countQueued(query);
    },
  });
  /** Sets the number of waiting events of `ac_1`. */
  const wait = async (events: number) => {
    await ready;
    const waiting = await memory.queue({ account: 'ac_1', parent: 'ed_1', limit: 1_000 });
    const entry = { op: 'enqueue', account: 'ac_1', parent: 'ed_1', text: '{}' } as const;
    await memory.write(() => [
      { op: 'dequeue', positions: waiting.map(({ position }) => position) },
      ...Array.from({ length: events }, () => entry),
    ]);
  };
  const bound = new OutboxBound({ store, most: 1_000, mostBytes: 1_000_000, uptime: () => state.now });
  return { state, wait, bound };
}

test('events are bounded by their number, and counted anew when there is no room', async () => {
  const { state, wait, bound } = bounded();
  const take = (events: number, share?: number) => bound.take('ac_1', { events, bytes: 1 }, share);
  assert.equal(await take(600), true);
  assert.equal(await take(500), false);
  assert.equal(await take(1, 0.5), false);
  assert.equal(await bound.take('ac_2', { events: 900, bytes: 1 }), true);
  await wait(100);
  assert.equal(await take(500), false, 'not counted for each');
  state.now += 2_000;
  assert.equal(await take(500), true);
  assert.equal(state.counts, 3);
});

test('long events are bounded by their length, and what was delivered makes room for as much', async () => {
  const { state, wait, bound } = bounded();
  const take = (bytes: number, share?: number) => bound.take('ac_1', { events: 1, bytes }, share);
  for (let at = 0; at < 4; at++) assert.equal(await take(100_000, 0.5), true);
  assert.equal(await take(200_000, 0.5), false);
  for (let at = 0; at < 6; at++) assert.equal(await take(100_000), true);
  assert.equal(await take(1), false);
  state.now += 2_000;
  await wait(10);
  assert.equal(await take(1), false, 'all of it waits still');
  state.now += 2_000;
  await wait(5);
  assert.equal(await take(400_000), true);
  assert.equal(await take(200_000), false);
});
