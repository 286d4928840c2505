import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemoryStore } from '../store/memory.fixture.ts';
import type { NameClaim } from '../store/store.ts';
import { Readiness } from './readiness.ts';
import { registerStore, storeNotices } from './store-readiness.ts';

function registered() {
  const memory = new MemoryStore();
  const store = {
    followerLagMs: 0,
    sinceUnreadableMs: Number.POSITIVE_INFINITY,
    writeFailure: null as string | null,
    findName: (claim: NameClaim) => memory.findName(claim),
  };
  const readiness = new Readiness();
  registerStore(readiness, store, 1);
  return { memory, store, readiness };
}

test('a store that cannot be read is a warning for traffic, however old what is served is, and a reason for the API', async () => {
  const { memory, store, readiness } = registered();
  await memory.close();
  for (const [findName, message] of [
    [store.findName, 'the store is closed'],
    [() => new Promise<null>(() => {}), 'the database cannot be read: it does not answer'],
  ] as const) {
    store.findName = findName;
    store.followerLagMs = 3_600_000;
    assert.deepEqual(await readiness.reasons(), []);
    assert.deepEqual(await readiness.warnings(), [{ warning: 'store_away', message }]);
    assert.deepEqual(await readiness.reasons('api'), [{ reason: 'store_away', message }]);
  }
});

test('followers that are stuck while the database can be read are a reason; those that had no time yet are none', async () => {
  const { store, readiness } = registered();
  store.followerLagMs = 15_000;
  assert.deepEqual(await readiness.reasons(), [], 'as old as it may be between two looks at the log');
  store.followerLagMs = 16_400;
  store.sinceUnreadableMs = 2_000;
  assert.deepEqual(await readiness.reasons(), [], 'the database came back just now, for all daemons');
  store.sinceUnreadableMs = 15_001;
  assert.deepEqual(await readiness.reasons(), [
    { reason: 'follower_behind', message: 'what is served is as the database was 16 s ago' },
  ]);
});

test('a database that takes no writes is a warning', async () => {
  const { store, readiness } = registered();
  store.writeFailure = 'the write was not done: no space left';
  assert.deepEqual(await readiness.reasons('api'), []);
  assert.deepEqual(await readiness.warnings(), [
    { warning: 'writes_refused', message: 'the write was not done: no space left' },
  ]);
});

test('files of the database that are gone are logged, a warning, and a reason for the API, until they are back', async () => {
  const readiness = new Readiness();
  const logged: unknown[] = [];
  const say = (text: unknown) => void logged.push(text);
  const notices = storeNotices(readiness, { error: say, info: say, warn: say });
  assert.deepEqual(await readiness.reasons(), []);
  notices.onRemoved?.('/data/underpass.db was removed');
  assert.deepEqual(await readiness.reasons(), []);
  assert.deepEqual(await readiness.reasons('api'), [
    { reason: 'database_removed', message: '/data/underpass.db was removed' },
  ]);
  notices.onRemoved?.(null);
  assert.deepEqual(await readiness.reasons('api'), []);
  assert.match(
    logged.join('\n'),
    /^\/data\/underpass.db was removed while it was in use.*\n.*in their place again/,
  );
});

test('another history of the database is logged, and a warning for an hour', async () => {
  const readiness = new Readiness();
  const logged: unknown[] = [];
  const say = (text: unknown) => void logged.push(text);
  let now = 0;
  const notices = storeNotices(readiness, { error: say, info: say, warn: say }, () => now);
  notices.onOtherHistory?.('other');
  assert.deepEqual(await readiness.reasons('api'), []);
  assert.deepEqual(await readiness.warnings(), [{ warning: 'other_history', message: 'other' }]);
  now = 3_600_000;
  assert.deepEqual(await readiness.warnings(), []);
  assert.deepEqual(logged, ['other']);
});

test('other daemons on the database are logged, and are no warning', async () => {
  const readiness = new Readiness();
  const logged: unknown[] = [];
  const say = (text: unknown) => void logged.push(text);
  const notices = storeNotices(readiness, { error: say, info: say, warn: say });
  for (const others of [1, 2, 0]) notices.onOtherDaemons?.(others);
  assert.deepEqual(await readiness.warnings(), []);
  assert.deepEqual(logged, [
    'another daemon uses this database',
    '2 other daemons use this database',
    'no other daemon uses this database any more',
  ]);
});
