import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FairLruMap } from './fair-lru.ts';

test('who has most loses what was not used for longest', () => {
  const map = new FairLruMap<number>(4);
  map.set('small', 'a', 1);
  for (const [at, key] of ['b', 'c', 'd'].entries()) map.set('large', key, at);
  assert.equal(map.get('large', 'b'), 0);
  map.set('large', 'e', 9);
  assert.deepEqual([...map.entries()].map(([owner, key]) => owner + key).sort(), [
    'largeb',
    'larged',
    'largee',
    'smalla',
  ]);
  map.set('newcomer', 'f', 5);
  assert.equal(map.get('large', 'd'), undefined);
  map.delete('newcomer', 'f');
  map.delete('newcomer', 'f');
  assert.equal(map.size, 3);
});

test('of owners with one each, who has been away for longest gives way', () => {
  const map = new FairLruMap<number>(2);
  map.set('one', 'k', 1);
  map.set('two', 'k', 2);
  assert.equal(map.get('one', 'k'), 1);
  map.set('three', 'k', 3);
  assert.equal(map.get('two', 'k'), undefined);
  assert.equal(map.get('one', 'k'), 1);
});

test('it never grows past its bound, and nobody loses below an equal share', () => {
  const limit = 12;
  const step = fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.nat({ max: 30 }), fc.boolean());
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const map = new FairLruMap<true>(limit);
      const held = () => {
        const counts = { a: 0, b: 0, c: 0 };
        for (const [owner] of map.entries()) counts[owner as 'a' | 'b' | 'c'] += 1;
        return counts;
      };
      for (const [owner, key, drops] of steps) {
        const before = held();
        if (drops) map.delete(owner, `${key}`);
        else map.set(owner, `${key}`, true);
        const after = held();
        assert.equal(map.size, after.a + after.b + after.c);
        assert.ok(map.size <= limit);
        for (const other of ['a', 'b', 'c'] as const)
          if (other !== owner && before[other] <= limit / 3) assert.equal(after[other], before[other]);
      }
    }),
  );
});
