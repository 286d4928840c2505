import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groupsOf, mayBeGrouped } from './groups.ts';

const UNIT = 'packages/server/src/core/id.test.ts';

test('a unit test may share a process, one that starts daemons or waits while it is loaded may not', () => {
  assert.ok(mayBeGrouped(UNIT, "test('a', async () => {\n  await one();\n});\n"));
  assert.ok(!mayBeGrouped('test/system/http.test.ts', ''));
  for (const source of [
    'const one = await two();\n',
    'const {\n  one,\n} = await two();\n',
    'await one();\n',
  ])
    assert.ok(!mayBeGrouped(UNIT, source), source);
});

test('every file is in exactly one group, in order, and a few files are one', () => {
  for (const count of [0, 1, 8, 9, 63, 64, 65, 300]) {
    const files = Array.from({ length: count }, (_, index) => `${index}.test.ts`);
    const groups = groupsOf(files);
    assert.deepEqual(groups.flat(), files);
    assert.equal(groups.length, Math.min(8, Math.ceil(count / 8)));
    assert.ok(groups.every((group) => group.length > 0));
  }
});
