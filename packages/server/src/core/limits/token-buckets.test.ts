import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TokenBuckets } from './token-buckets.ts';

test('a burst at once, then a rate, for each key alone', () => {
  const buckets = new TokenBuckets({ burst: 3, perSecond: 2 });
  const take = (key: string, now: number): boolean => {
    if (!buckets.has(key, now)) return false;
    buckets.take(key, now);
    return true;
  };
  const times = (count: number, key: string, now: number) =>
    Array.from({ length: count }, () => take(key, now)).filter(Boolean).length;
  assert.equal(times(5, 'a', 1000), 3);
  assert.equal(times(5, 'b', 1000), 3);
  assert.equal(times(5, 'a', 1499), 0);
  assert.equal(times(5, 'a', 2000), 2);
  assert.equal(times(5, 'a', 1_000_000), 3);
  assert.equal(times(5, 'a', 0), 0);
  assert.equal(times(5, 'a', 1000), 2, 'what the clock was ahead is not waited for');
});
