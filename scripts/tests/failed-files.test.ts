import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { FailedFiles } from './failed-files.ts';

test('each file with a failed test is named once, also one that ended early', (context) => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'underpass-some-tests-')));
  context.after(() => rmSync(folder, { recursive: true }));
  const files = {
    'good.mjs': `test('good', () => {});`,
    'bad.mjs': `test('bad', () => { throw new Error('bad'); }); test('worse', () => { throw new Error('worse'); });`,
    'early.mjs': `test('early', () => process.exit(7));`,
  };
  for (const [name, text] of Object.entries(files))
    writeFileSync(join(folder, name), `import { test } from 'node:test';\n${text}\n`);
  const failed = new FailedFiles();
  const paths = Object.keys(files).map((name) => join(folder, name));
  // The variable marks a process of a test runner, which starts no further one.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { status, stdout } = spawnSync(process.execPath, ['--test', ...failed.flags, ...paths], {
    env,
    encoding: 'utf8',
  });
  assert.equal(status, 1, stdout);
  assert.match(stdout, /✖ worse/);
  assert.deepEqual(
    [...failed.take()].sort(),
    ['bad.mjs', 'early.mjs'].map((name) => join(folder, name)),
  );
});
