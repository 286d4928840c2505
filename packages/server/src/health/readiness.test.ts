import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Readiness } from './readiness.ts';

test('a daemon without a reason against it is ready', async () => {
  const readiness = new Readiness();
  assert.deepEqual(await readiness.reasons(), []);
  readiness.register('follower_behind', () => null);
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
  readiness.register('starting', () => Promise.reject(new Error('no store')));
  readiness.register('follower_behind', () => new Promise(() => {}));
  assert.deepEqual(await readiness.reasons(), [
    { reason: 'draining', message: 'no clock' },
    { reason: 'starting', message: 'no store' },
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

test('a cause that all daemons share is a warning for traffic, and a reason for the API', async () => {
  const readiness = new Readiness(1);
  readiness.registerForApi('store_away', () => 'away');
  readiness.registerForApi('database_removed', () => new Promise(() => {}));
  const silent = 'the part that knows does not answer';
  assert.deepEqual(await readiness.reasons(), []);
  assert.deepEqual(await readiness.warnings(), [
    { warning: 'store_away', message: 'away' },
    { warning: 'database_removed', message: silent },
  ]);
  assert.deepEqual(await readiness.reasons('api'), [
    { reason: 'store_away', message: 'away' },
    { reason: 'database_removed', message: silent },
  ]);
  assert.deepEqual(await readiness.warnings('api'), []);
});
