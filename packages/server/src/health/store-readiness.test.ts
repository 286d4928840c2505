import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Logger } from 'pino';
import { StoreUnavailableError } from '../store/store.ts';
import { Readiness } from './readiness.ts';
import { registerStore, storeNotices } from './store-readiness.ts';

test('a store that cannot be read is a reason, and so is what is known of it when that is old', async () => {
  let away = false;
  const store = {
    followerLagMs: 0,
    findName: () => (away ? Promise.reject(new StoreUnavailableError('it is away')) : Promise.resolve(null)),
  };
  const readiness = new Readiness();
  registerStore(readiness, store);
  store.followerLagMs = 15_000;
  assert.deepEqual(await readiness.reasons(), [], 'as old as it may be between two looks at the log');
  away = true;
  store.followerLagMs = 16_400;
  assert.deepEqual(await readiness.reasons(), [
    { reason: 'store_away', message: 'it is away' },
    { reason: 'follower_behind', message: 'what is served is as the database was 16 s ago' },
  ]);
});

test('files of the database that are gone are a reason and logged, until they are back', async () => {
  const readiness = new Readiness();
  const logged: string[] = [];
  const say = (text: string) => void logged.push(text);
  const notices = storeNotices(readiness, { error: say, info: say } as unknown as Logger);
  assert.deepEqual(await readiness.reasons(), []);
  notices.onRemoved?.('/data/underpass.db was removed');
  assert.deepEqual(await readiness.reasons(), [
    { reason: 'database_removed', message: '/data/underpass.db was removed' },
  ]);
  notices.onRemoved?.(null);
  assert.deepEqual(await readiness.reasons(), []);
  assert.match(
    logged.join('\n'),
    /^\/data\/underpass.db was removed while it was in use.*\n.*in their place again/,
  );
});
