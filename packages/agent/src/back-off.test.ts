import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BackOff } from './back-off.ts';

/** A back-off whose waits pass as soon as they are known. */
function passing(random: number) {
  const clock = { ms: 0 };
  const backOff = new BackOff({ random: () => random, now: () => clock.ms });
  const wait = (): number => {
    const ms = backOff.next();
    clock.ms += ms;
    return ms;
  };
  return { backOff, wait, clock };
}

test('the first repeat is at once, the next ones are soon, none is later than 5 s in the first minute and 30 s after it', () => {
  const { wait, clock } = passing(1);
  const waits = Array.from({ length: 7 }, wait);
  assert.deepEqual(waits, [0, 200, 500, 1_000, 2_000, 2_000, 3_000]);
  while (clock.ms < 60_000) assert.equal(wait(), 5_000);
  assert.equal(wait(), 30_000);
  assert.equal(wait(), 30_000);
});

test('the jitter is half of a step, so that agents which were cut off together come apart', () => {
  const { backOff } = passing(0);
  assert.deepEqual([backOff.next(), backOff.next(), backOff.next()], [0, 100, 250]);
  const { backOff: other } = passing(0.5);
  assert.deepEqual([other.next(), other.next(), other.next()], [0, 150, 375]);
});

test('after a reset the steps and the minute begin again', () => {
  const { backOff, wait, clock } = passing(1);
  while (clock.ms < 120_000) wait();
  backOff.reset();
  assert.deepEqual([wait(), wait()], [0, 200]);
  for (let i = 0; i < 5; i++) wait();
  assert.equal(wait(), 5_000);
});
