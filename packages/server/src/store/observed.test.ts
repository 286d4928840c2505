import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemoryStore } from './memory.fixture.ts';
import { ObservedStore } from './observed.ts';
import { proxy } from './proxy.fixture.ts';
import { ConflictError, type Store, StoreUnavailableError } from './store.ts';

/** Returns a store in memory with the methods that a test provides. */
function observed(parts: Partial<Store>) {
  const seen: string[] = [];
  const outages: string[] = [];
  const clock = { now: 1000 };
  const store = new ObservedStore(
    proxy<Store>(new MemoryStore(), parts),
    {
      committed: () => seen.push('committed'),
      conflicted: () => seen.push('conflicted'),
      failed: (operation, reason) => seen.push(`${operation} ${reason}`),
    },
    {
      failed: (operation) => outages.push(`${operation} failed`),
      worked: (operation) => outages.push(`${operation} worked`),
      writeFailure: null,
    },
    () => clock.now,
  );
  return { store, seen, outages, clock };
}

test('a write is answered by the promise of the store itself: nobody goes on later for being counted', async () => {
  const written = Promise.resolve(7);
  const { store, seen } = observed({ write: () => written });
  assert.equal(
    store.write(() => []),
    written,
  );
  assert.equal(store.queueLength, 1);
  assert.equal(await written, 7);
  assert.equal(store.queueLength, 0);
  assert.deepEqual(seen, ['committed']);
});

test('refused writes are told from failed ones, and reads from writes', async () => {
  const errors = [
    new ConflictError({ reason: 'stale', id: 'x' }),
    new StoreUnavailableError('away'),
    new Error('a fault'),
  ];
  const { store, seen, outages } = observed({
    write: () => Promise.reject(errors.shift()),
    get: () => Promise.reject(new StoreUnavailableError('away')),
    findName: () => Promise.resolve(null),
  });
  for (const name of ['ConflictError', 'StoreUnavailableError', 'Error'])
    await assert.rejects(
      store.write(() => []),
      { name },
    );
  await assert.rejects(store.get('x'));
  await store.findName({ kind: 'k', value: 'v' });
  assert.equal(store.queueLength, 0);
  assert.deepEqual(outages.slice(-2), ['read failed', 'read worked']);
  assert.deepEqual(seen, ['conflicted', 'write unavailable', 'write other', 'read unavailable']);
});

test('the lag is that of the follower that is furthest behind, and ends with it', () => {
  const feed = (caughtUpAt?: number) => ({
    ...(caughtUpAt === undefined ? {} : { caughtUpAt }),
    [Symbol.asyncIterator]: () => assert.fail('nobody reads it here'),
  });
  const feeds = [feed(), feed(900), feed(400)];
  const { store, clock } = observed({ watch: () => feeds.shift()! });
  assert.equal(store.followerLagMs, 0);
  const last = new AbortController();
  store.watch(0, [], new AbortController().signal);
  assert.equal(store.followerLagMs, 0, 'one that is told in the same turn is never behind');
  store.watch(0, [], new AbortController().signal);
  store.watch(0, [], last.signal);
  assert.equal(store.followerLagMs, 600);
  clock.now = 1500;
  assert.equal(store.followerLagMs, 1100);
  last.abort();
  assert.equal(store.followerLagMs, 600);
});
