import assert from 'node:assert/strict';
import { test } from 'node:test';
import { backOffMs } from './back-off.ts';

test('waits double from half a second to half a minute', () => {
  const ceilings = [0, 1, 2, 3, 4, 5, 6, 7, 1_000_000].map((attempt) => backOffMs(attempt, () => 1));
  assert.deepEqual(ceilings, [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
});

test('the jitter is full: any wait from nothing to the ceiling', () => {
  assert.equal(
    backOffMs(5, () => 0),
    0,
  );
  assert.equal(
    backOffMs(1, () => 0.25),
    250,
  );
});
