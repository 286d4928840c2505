import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { HeldBytes, type Hold } from './held-bytes.ts';

test('beyond its bound the oldest that keeps anything gives way, whoever asks', () => {
  const held = new HeldBytes(100);
  const gone: string[] = [];
  const hold = (name: string): Hold => held.hold(() => gone.push(name));
  const [idle, first, second, third] = [hold('idle'), hold('first'), hold('second'), hold('third')];
  second.keep(40);
  first.keep(50);
  third.keep(10);
  assert.deepEqual([gone, held.total], [[], 100]);
  third.keep(11);
  assert.deepEqual([gone, held.total], [['second'], 61]);
  idle.keep(101);
  assert.deepEqual([gone, held.total], [['second', 'first', 'third', 'idle'], 0]);
  second.keep(60);
  second.keep(0);
  first.keep(60);
  assert.equal(gone.length, 4);
});

test('what one session keeps counts for all, and each has a bound of its own', () => {
  const all = new HeldBytes(150);
  const [one, two] = [new HeldBytes(100, all), new HeldBytes(100, all)];
  const gone: string[] = [];
  const a = one.hold(() => gone.push('a'));
  const b = one.hold(() => gone.push('b'));
  const c = two.hold(() => gone.push('c'));
  a.keep(60);
  b.keep(50);
  assert.deepEqual([gone, one.total, all.total], [['a'], 50, 50], 'its own');
  c.keep(100);
  assert.deepEqual([gone, all.total], [['a'], 150]);
  a.keep(1);
  assert.deepEqual([gone, one.total, two.total, all.total], [['a', 'b'], 1, 100, 101], 'all');
});

test('the totals are what is kept, and never above a bound, after any sequence', () => {
  const step = fc.record({ session: fc.nat(2), at: fc.nat(4), bytes: fc.nat(60) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const all = new HeldBytes(120);
      const sessions = [0, 1, 2].map(() => new HeldBytes(80, all));
      const holds = sessions.map((session) => [0, 1, 2, 3, 4].map(() => session.hold(() => {})));
      for (const { session, at, bytes } of steps) {
        holds[session]?.[at]?.keep(bytes);
        const sums = holds.map((own) => own.reduce((sum, hold) => sum + hold.bytes, 0));
        assert.deepEqual(
          sums,
          sessions.map(({ total }) => total),
        );
        assert.equal(
          all.total,
          sums.reduce((sum, one) => sum + one, 0),
        );
        assert.ok(all.total <= 120 && sums.every((sum) => sum <= 80));
      }
    }),
  );
});
