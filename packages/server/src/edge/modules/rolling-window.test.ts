import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RollingWindow } from './rolling-window.ts';

test('answers count for a window, less at most one part', () => {
  const window = new RollingWindow(10_000, 10);
  window.count(500, true);
  window.count(1500, false);
  assert.deepEqual(window.totals(9999), { all: 2, failed: 1 });
  assert.deepEqual(window.totals(10_000), { all: 1, failed: 0 });
  assert.deepEqual(window.totals(11_000), { all: 0, failed: 0 });
  window.count(1e15, true);
  assert.deepEqual(window.totals(1e15), { all: 1, failed: 1 });
});

test('after any history the totals are those of the parts that the window covers', () => {
  const answers = fc.array(fc.tuple(fc.nat(3000), fc.boolean()), { maxLength: 60 });
  fc.assert(
    fc.property(
      answers,
      fc.integer({ min: 1, max: 128 }),
      fc.integer({ min: 1, max: 20 }),
      (history, parts, seconds) => {
        const window = new RollingWindow(seconds * 1000, parts);
        const partOf = (time: number) => Math.floor(time / ((seconds * 1000) / parts));
        const counted: { part: number; isFailure: boolean }[] = [];
        let now = 0;
        for (const [wait, isFailure] of history) {
          now += wait;
          window.count(now, isFailure);
          counted.push({ part: partOf(now), isFailure });
          const live = counted.filter(({ part }) => part > partOf(now) - parts);
          const failed = live.filter((one) => one.isFailure).length;
          assert.deepEqual(window.totals(now), { all: live.length, failed });
        }
      },
    ),
  );
});
