import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { testFilesBehind } from './importers.ts';

const FIXTURE = 'packages/server/src/store/conformance/queues.fixture.ts';
const FILES = [
  'packages/server/src/store/sqlite/store.test.ts',
  'scripts/tests/importers.test.ts',
  'scripts/tests/groups.test.ts',
];

test('a test file stands for itself', () => {
  assert.deepEqual(testFilesBehind([resolve('scripts/tests/groups.test.ts')], FILES), [
    resolve('scripts/tests/groups.test.ts'),
  ]);
});

test('a fixture stands for the test files that reach it', () => {
  const found = testFilesBehind([resolve(FIXTURE)], FILES);
  assert.ok(found.includes(resolve('packages/server/src/store/sqlite/store.test.ts')));
  assert.ok(!found.includes(resolve('scripts/tests/groups.test.ts')));
});
