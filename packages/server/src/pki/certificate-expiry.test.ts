import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { firstToExpire } from './certificate-expiry.ts';

test('those that expire first are the same as after sorting all of them', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(50)), fc.integer({ min: 1, max: 5 }), (times, count) => {
      const all = times.map((notAfterMs) => ({ name: '', notAfterMs }));
      const first = firstToExpire(all, count).map(({ notAfterMs }) => notAfterMs);
      assert.deepEqual(first, times.toSorted((one, other) => one - other).slice(0, count));
    }),
  );
});
