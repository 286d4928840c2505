import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { noteDaemons, partOf } from './shared-rate.ts';
import { TokenBuckets } from './token-buckets.ts';

after(() => noteDaemons(1));

test('a rate is divided by the number of daemons, and changes with it', () => {
  const buckets = new TokenBuckets(() => partOf({ burst: 20, perSecond: 2 }));
  const tries = (key: string, now: number): number => {
    let count = 0;
    for (; buckets.has(key, now); count += 1) buckets.take(key, now);
    return count;
  };
  assert.equal(tries('alone', 0), 20);
  noteDaemons(4);
  assert.equal(tries('divided', 0), 5);
  assert.equal(tries('divided', 10_000), 5);
  buckets.release('divided', 10_000, 100);
  assert.equal(buckets.share('divided', 10_000), 1, 'no more than its part is given back');
  noteDaemons(1);
  assert.equal(tries('divided', 20_000), 20, 'another daemon has left');
});

test('one try at a time is left by any number of daemons', () => {
  noteDaemons(1000);
  assert.deepEqual(partOf({ burst: 20, perSecond: 0.2 }), { burst: 1, perSecond: 0.0002 });
  noteDaemons(0);
  assert.deepEqual(partOf({ burst: 20, perSecond: 0.2 }), { burst: 20, perSecond: 0.2 });
});
