import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changesBetween } from './changes.ts';

test('rows are present at first; then only differences are reported', () => {
  const [one, two] = [
    { id: 'one', n: 1 },
    { id: 'two', n: 1 },
  ];
  const texts = (...args: Parameters<typeof changesBetween>) =>
    changesBetween(...args).map(({ change, row }) => `${change} ${String(row.id ?? row.type)}`);
  assert.deepEqual(texts(null, [one, two]), ['present one', 'present two']);
  assert.deepEqual(texts([one, two], [one, two]), []);
  assert.deepEqual(texts([one], [{ ...one, n: 2 }, two]), ['changed one', 'added two']);
  assert.deepEqual(texts([one, two], [two]), ['removed one']);
  assert.deepEqual(texts([{ type: 'a' }], [{ type: 'b' }]), ['removed a', 'added b']);
});
