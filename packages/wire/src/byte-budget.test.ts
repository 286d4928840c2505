import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type BudgetShare, ByteBudget } from './byte-budget.ts';

test('beyond its bound the oldest that keeps anything gives way, whoever asks', () => {
  const budget = new ByteBudget(100);
  const gone: string[] = [];
  const open = (name: string): BudgetShare => budget.open(() => gone.push(name));
  const [idle, first, second, third] = [open('idle'), open('first'), open('second'), open('third')];
  second.keep(40);
  first.keep(50);
  third.keep(10);
  assert.deepEqual([gone, budget.total], [[], 100]);
  third.keep(11);
  assert.deepEqual([gone, budget.total], [['second'], 61]);
  idle.keep(101);
  assert.deepEqual([gone, budget.total], [['second', 'first', 'third', 'idle'], 0]);
  second.keep(60);
  second.keep(0);
  first.keep(60);
  assert.equal(gone.length, 4);
});

test('what one session keeps counts for all, and each has a bound of its own', () => {
  const all = new ByteBudget(150);
  const [one, two] = [new ByteBudget(100, all), new ByteBudget(100, all)];
  const gone: string[] = [];
  const a = one.open(() => gone.push('a'));
  const b = one.open(() => gone.push('b'));
  const c = two.open(() => gone.push('c'));
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
      const all = new ByteBudget(120);
      const sessions = [0, 1, 2].map(() => new ByteBudget(80, all));
      const shares = sessions.map((session) => [0, 1, 2, 3, 4].map(() => session.open(() => {})));
      for (const { session, at, bytes } of steps) {
        shares[session]?.[at]?.keep(bytes);
        const sums = shares.map((own) => own.reduce((sum, hold) => sum + hold.bytes, 0));
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
