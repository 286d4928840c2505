import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LruMap } from './lru.ts';

test('what was not used for longest is forgotten first', () => {
  const map = new LruMap<string, number>(2);
  map.set('a', 1);
  map.set('b', 2);
  assert.equal(map.get('a'), 1);
  map.set('c', 3);
  assert.equal(map.get('b'), undefined);
  assert.deepEqual(
    [...map.entries()],
    [
      ['a', 1],
      ['c', 3],
    ],
  );
  map.set('a', 4);
  map.set('d', 5);
  assert.deepEqual(
    [...map.entries()],
    [
      ['a', 4],
      ['d', 5],
    ],
  );
  map.delete('a');
  assert.equal(map.size, 1);
});
