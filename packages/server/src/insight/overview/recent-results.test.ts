/** Tests of results that are used again. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RecentResults } from './recent-results.ts';

test('a result is used for a second, or for twenty times its work, and a failure not at all', async () => {
  let now = 0;
  let made = 0;
  let workMs = 1;
  const results = new RecentResults(
    async (account) => {
      made += 1;
      if (account === 'bad') throw new Error('away');
      return { result: `${account} ${made}`, workMs };
    },
    () => now,
  );
  assert.deepEqual(await Promise.all([results.of('a'), results.of('a')]), ['a 1', 'a 1']);
  now = 999;
  assert.equal(await results.of('a'), 'a 1');
  now = 1000;
  workMs = 100;
  assert.deepEqual([await results.of('a'), await results.of('b')], ['a 2', 'b 3']);
  now = 2999;
  assert.equal(await results.of('a'), 'a 2');
  now = 3000;
  assert.equal(await results.of('a'), 'a 4');
  await assert.rejects(results.of('bad'));
  await assert.rejects(results.of('bad'));
  assert.equal(made, 6);
});
