import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ignoredNames } from './build.ts';

test('what is ignored is a name anywhere, and no pattern is taken for one', () => {
  assert.deepEqual(ignoredNames('**/dist\n**/.git\n'), ['dist', '.git']);
  assert.throws(() => ignoredNames('packages/*.md\n'), /only/);
});
