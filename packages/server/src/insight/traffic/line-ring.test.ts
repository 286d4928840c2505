import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { LineRing } from './line-ring.ts';

const line = fc.string({ unit: 'grapheme', maxLength: 2000 }).map((text) => JSON.stringify(text));

test('a ring has the newest lines, as they were pushed', () => {
  fc.assert(
    fc.property(fc.array(line, { maxLength: 200 }), fc.integer({ min: 1, max: 50 }), (lines, most) => {
      const ring = new LineRing({ lines: most, bytes: 2 ** 30 });
      for (const one of lines) ring.push(one);
      const newest = [...ring.newest()];
      assert.equal(newest.length, ring.lines);
      assert.ok(newest.length >= Math.min(most, lines.length));
      assert.deepEqual(newest, lines.toReversed().slice(0, newest.length));
    }),
    { numRuns: 50 },
  );
});

test('bytes stay within their limit and one chunk, also if lines are of any length', () => {
  const ring = new LineRing({ lines: 10_000, bytes: 100_000 });
  for (let index = 0; index < 2_000; index += 1) {
    ring.push('x'.repeat(index % 5 === 0 ? 8_000 : 10));
    assert.ok(ring.bytes <= 100_000, String(ring.bytes));
  }
  assert.ok(ring.lines > 20);
  ring.push('y'.repeat(300_000));
  assert.deepEqual([ring.lines, ring.newest().next().value?.length], [1, 300_000]);
});

test('a ring that forgets has no bytes left', () => {
  const ring = new LineRing({ lines: 100, bytes: 100_000 });
  for (let index = 0; index < 1_000; index += 1) ring.push('a line of a request');
  let freed = 0;
  const { bytes } = ring;
  for (let one = ring.forgetOldest(); one !== 0; one = ring.forgetOldest()) freed += one;
  assert.deepEqual([freed, ring.bytes, ring.lines, [...ring.newest()]], [bytes, 0, 0, []]);
});
