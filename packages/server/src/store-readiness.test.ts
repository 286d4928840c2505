import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Readiness } from './readiness.ts';
import { StoreUnavailableError } from './store/store.ts';
import { registerStore } from './store-readiness.ts';

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
