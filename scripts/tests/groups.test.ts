import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groupsOf, mayBeGrouped } from './groups.ts';

const UNIT = 'packages/server/src/core/id.test.ts';

test('a test may share a process, one that is slow or waits while it is loaded may not', () => {
  for (const file of [UNIT, 'test/system/http.test.ts'])
    assert.ok(mayBeGrouped(file, "test('a', async () => {\n  await one();\n});\n"));
  assert.ok(!mayBeGrouped('test/system/backup.slow.test.ts', ''));
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
    const groups = groupsOf(files, { most: 8, leastFiles: 8 });
    assert.deepEqual(groups.flat(), files);
    assert.equal(groups.length, Math.min(8, Math.ceil(count / 8)));
    assert.ok(groups.every((group) => group.length > 0));
  }
});
