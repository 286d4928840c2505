import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Readiness } from './readiness.ts';

test('ready is whoever has no reason against it', async () => {
  const readiness = new Readiness();
  assert.deepEqual(await readiness.reasons(), []);
  readiness.register('store_away', () => null);
  readiness.register('draining', () => Promise.resolve(null));
  assert.deepEqual(await readiness.reasons(), []);
});

test('reasons come in the order of registration, and go with their source', async () => {
  const readiness = new Readiness();
  readiness.register('starting', () => 'not yet');
  readiness.register('draining', async () => 'an hour');
  assert.deepEqual(await readiness.reasons(), [
    { reason: 'starting', message: 'not yet' },
    { reason: 'draining', message: 'an hour' },
  ]);
  readiness.remove('starting');
  assert.deepEqual(await readiness.reasons(), [{ reason: 'draining', message: 'an hour' }]);
});

test('a source that throws, rejects or never answers is a reason', async () => {
  const readiness = new Readiness(1);
  readiness.register('draining', () => {
    throw new Error('no clock');
  });
  readiness.register('store_away', () => Promise.reject(new Error('no store')));
  readiness.register('follower_behind', () => new Promise(() => {}));
  assert.deepEqual(await readiness.reasons(), [
    { reason: 'draining', message: 'no clock' },
    { reason: 'store_away', message: 'no store' },
    { reason: 'follower_behind', message: 'the part that knows does not answer' },
  ]);
});

test('what is only warned of leaves the daemon ready', async () => {
  const readiness = new Readiness();
  readiness.registerWarning('clock_ahead', () => 'an hour');
  assert.deepEqual(await readiness.reasons(), []);
  assert.deepEqual(await readiness.warnings(), [{ warning: 'clock_ahead', message: 'an hour' }]);
  readiness.registerWarning('clock_ahead', () => null);
  assert.deepEqual(await readiness.warnings(), []);
});
