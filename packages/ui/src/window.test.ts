import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { rangeOf, topFor } from './window.ts';

const views = fc.record({ top: fc.nat(400_000), height: fc.integer({ min: 1, max: 2_000 }) });

test('of 10,000 rows those in sight are drawn, and a bounded number more', () => {
  fc.assert(
    fc.property(fc.nat(10_000), views, (count, view) => {
      const { from, to } = rangeOf(count, 36, view);
      assert.ok(from >= 0 && from <= to && to <= count);
      assert.ok(to - from <= Math.ceil(view.height / 36) + 17);
      for (let row = 0; row < count; row += 97) {
        const isInSight = row * 36 < view.top + view.height && (row + 1) * 36 > view.top;
        if (isInSight) assert.ok(row >= from && row < to, String(row));
      }
    }),
  );
});

test('a row is scrolled into sight by the shortest way', () => {
  fc.assert(
    fc.property(fc.nat(9_999), views, (index, { top, height }) => {
      const view = { top, height: height + 36 };
      const next = topFor(index, 36, view);
      assert.ok(index * 36 >= next && (index + 1) * 36 <= next + view.height);
      if (index * 36 >= top && (index + 1) * 36 <= top + view.height) assert.equal(next, top);
    }),
  );
});
