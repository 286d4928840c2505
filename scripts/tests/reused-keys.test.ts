import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inTurn } from './reused-keys.ts';

test('the first results are given out again in turn, apart for each list of arguments', () => {
  let made = 0;
  const make = inTurn((what) => `${what} ${++made}`);
  const keys = Array.from({ length: 9 }, () => make('a'));
  assert.equal(new Set(keys.slice(0, 4)).size, 4);
  assert.deepEqual(keys.slice(4), [...keys.slice(0, 4), keys[0]]);
  assert.equal(make('b'), 'b 5');
});
