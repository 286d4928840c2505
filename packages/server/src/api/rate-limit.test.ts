import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SlidingLog } from './rate-limit.ts';

/** The rule itself, kept as a plain list of what was admitted. */
class NaiveLog {
  readonly #limit: number;
  readonly #window: number;
  #admitted: { key: string; at: number }[] = [];

  constructor(limit: number, window: number) {
    this.#limit = limit;
    this.#window = window;
  }

  admit(key: string, now: number): number | null {
    const recent = this.#admitted.filter((entry) => entry.key === key && entry.at > now - this.#window);
    if (recent.length >= this.#limit) return Math.ceil((recent[0]!.at + this.#window - now) / 1000);
    this.#admitted.push({ key, at: now });
    return null;
  }

  release(key: string): void {
    const newest = this.#admitted.findLastIndex((entry) => entry.key === key);
    if (newest !== -1) this.#admitted.splice(newest, 1);
  }
}

test('admits and refuses exactly as the naive rule does, with the same waiting time', () => {
  const step = fc.record({
    key: fc.constantFrom('a', 'b', '__proto__'),
    release: fc.nat({ max: 3 }),
    wait: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 2_000 }), fc.integer({ min: 0, max: 130_000 })),
  });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), fc.array(step, { maxLength: 300 }), (limit, steps) => {
      const log = new SlidingLog(limit);
      const naive = new NaiveLog(limit, 60_000);
      let now = 5;
      for (const { key, wait, release } of steps) {
        now += wait;
        assert.equal(log.admit(key, now), naive.admit(key, now));
        if (release === 0) {
          log.release(key);
          naive.release(key);
        }
      }
    }),
  );
});

test('a request that waits for as long as it was told is admitted', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 10 }),
      fc.array(fc.integer({ min: 0, max: 9_000 }), { minLength: 10, maxLength: 60 }),
      (limit, waits) => {
        const log = new SlidingLog(limit);
        let now = 0;
        for (const wait of waits) {
          now += wait;
          const seconds = log.admit('a', now);
          if (seconds === null) continue;
          assert.ok(seconds >= 1 && seconds <= 60);
          now += seconds * 1000;
          assert.equal(log.admit('a', now), null);
        }
      },
    ),
  );
});

test('the window rolls: a burst at its end does not free the next burst', () => {
  const log = new SlidingLog(2);
  assert.equal(log.admit('a', 59_000), null);
  assert.equal(log.admit('a', 59_500), null);
  assert.equal(log.admit('a', 60_001), 59);
  assert.equal(log.admit('a', 118_999), 1);
  assert.deepEqual([log.used('a', 118_999), log.used('a', 119_000), log.used('b', 0)], [2, 1, 0]);
  assert.equal(log.admit('a', 119_000), null);
  assert.equal(log.admit('a', 119_001), 1);
});

test('a limit of 0 admits everything and remembers nothing', () => {
  const log = new SlidingLog(0);
  for (let i = 0; i < 1000; i += 1) assert.equal(log.admit('a', 0), null);
  assert.equal(log.size, 0);
});

test('keys that were idle for a window are forgotten', () => {
  const log = new SlidingLog(3);
  for (let i = 0; i < 1000; i += 1) log.admit(`key ${i}`, i);
  assert.equal(log.size, 1000);
  log.admit('new', 61_000);
  assert.equal(log.size, 1);
});
