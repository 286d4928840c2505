import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Readiness } from './readiness.ts';

test('ready is whoever has no reason against it', async () => {
  const readiness = new Readiness();
  assert.deepEqual(await readiness.reasons(), []);
  readiness.register('store_away', () => null);
  readiness.register('clock_ahead', () => Promise.resolve(null));
  assert.deepEqual(await readiness.reasons(), []);
});

test('reasons come in the order of registration, and go with their source', async () => {
  const readiness = new Readiness();
  readiness.register('starting', () => 'not yet');
  readiness.register('clock_ahead', async () => 'an hour');
  assert.deepEqual(await readiness.reasons(), [
    { reason: 'starting', message: 'not yet' },
    { reason: 'clock_ahead', message: 'an hour' },
  ]);
  readiness.remove('starting');
  assert.deepEqual(await readiness.reasons(), [{ reason: 'clock_ahead', message: 'an hour' }]);
});

test('a source that throws, rejects or never answers is a reason', async () => {
  const readiness = new Readiness(1);
  readiness.register('clock_ahead', () => {
    throw new Error('no clock');
  });
  readiness.register('store_away', () => Promise.reject(new Error('no store')));
  readiness.register('follower_behind', () => new Promise(() => {}));
  assert.deepEqual(await readiness.reasons(), [
    { reason: 'clock_ahead', message: 'no clock' },
    { reason: 'store_away', message: 'no store' },
    { reason: 'follower_behind', message: 'the part that knows does not answer' },
  ]);
});
