/** Number of runs of properties. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rowsOf, whileTimeLasts } from './property-runs.ts';

test('without time one value is tried, and with time all are', async () => {
  const tried: string[] = [];
  const property = async (value: string): Promise<void> => void tried.push(value);
  for (const ms of [0, Number.POSITIVE_INFINITY]) {
    const limited = whileTimeLasts(ms, property);
    for (const value of ['a', 'b', 'c']) await limited(`${value}${ms}`);
  }
  assert.deepEqual(tried, ['a0', 'aInfinity', 'bInfinity', 'cInfinity']);
});

test('what is found out late fails all the same', async () => {
  const limited = whileTimeLasts(0, async () => {
    throw new Error('wrong');
  });
  await assert.rejects(limited('a'), /wrong/);
});

test('CI tries every row, other runs a fourth of them, and tables with other beginnings try all rows', (t) => {
  const { CI } = process.env;
  t.after(() => {
    if (CI === undefined) delete process.env.CI;
    else process.env.CI = CI;
  });
  const rows = ['a', 'b', 'c', 'd', 'e'];
  process.env.CI = 'true';
  assert.deepEqual(rowsOf(rows), rows);
  delete process.env.CI;
  assert.deepEqual(rowsOf(rows), ['a', 'e']);
  assert.deepEqual([0, 1, 2, 3].flatMap((first) => rowsOf(rows, first)).sort(), rows);
});
