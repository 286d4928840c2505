import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DeathWatch, mayServe } from './fence.ts';

const times = { leaseMs: 20_000, graceMs: 600_000 };
const renewed = { uptime: 5_000, wall: 1_700_000_000_000 };
const after = (uptime: number, wall = uptime) => ({
  uptime: renewed.uptime + uptime,
  wall: renewed.wall + wall,
});

test('a daemon serves while both clocks allow it', () => {
  assert.equal(mayServe(null, renewed, times), false);
  assert.equal(mayServe(renewed, renewed, times), true);
  assert.equal(mayServe(renewed, after(526_999), times), true);
  assert.equal(mayServe(renewed, after(527_000), times), false);
  assert.equal(mayServe(renewed, after(1_000, 527_000), times), false, 'the machine slept');
  assert.equal(mayServe(renewed, after(527_000, -90_000), times), false, 'the wall clock was set back');
  assert.equal(mayServe(renewed, after(1_000, -90_000), times), true);
});

test('a daemon is dead when its round has not changed for lease and grace, by the clock of the observer', () => {
  const watch = new DeathWatch(times);
  const seen = (round: number, deadSince: number | null = null) => new Map([[1, { round, deadSince }]]);
  assert.deepEqual(watch.observe(seen(4), 0), []);
  assert.deepEqual(watch.observe(seen(4), 619_999), []);
  assert.deepEqual(watch.observe(seen(4), 620_000), [{ incarnation: 1, round: 4 }]);
  assert.deepEqual(watch.observe(seen(5), 620_001), []);
  assert.deepEqual(watch.observe(seen(5), 1_240_000), []);
  assert.deepEqual(watch.observe(seen(5, 7), 1_240_001), [], 'another daemon was faster');
  const other = new Map([[2, { round: 1, deadSince: null, lifeMs: 3_620_000 }]]);
  assert.deepEqual(watch.observe(other, 1_240_001), []);
  assert.deepEqual(watch.observe(other, 1_240_000 + 3_620_000), [], 'it serves longer than the observer');
  assert.deepEqual(watch.observe(other, 1_240_001 + 3_620_000), [{ incarnation: 2, round: 1 }]);
  assert.deepEqual(watch.observe(new Map(), 1_240_002), []);
  assert.deepEqual(watch.observe(seen(5), 9_000_000), [], 'what was forgotten is observed anew');
});
