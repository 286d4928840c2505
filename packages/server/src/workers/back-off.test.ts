import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BackOff } from './back-off.ts';

test('the first restart is immediate, and the pauses of a crash loop double up to 30 s', () => {
  const backOff = new BackOff();
  const pauses = Array.from({ length: 8 }, () => backOff.next(500));
  assert.deepEqual(pauses, [0, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
});

test('after a minute of life there is no pause', () => {
  const backOff = new BackOff();
  for (let count = 0; count < 5; count += 1) backOff.next(0);
  assert.equal(backOff.next(60_000), 0);
  assert.equal(backOff.next(59_999), 1_000);
});
