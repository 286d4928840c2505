import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { FileReport } from './file-results.ts';

test('each file with a failed or skipped test is named once, also one that ended early', (context) => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'underpass-some-tests-')));
  context.after(() => rmSync(folder, { recursive: true }));
  const files = {
    'good.mjs': `test('good', () => {});`,
    'bad.mjs': `test('bad', () => { throw new Error('bad'); }); test('worse', () => { throw new Error('worse'); });`,
    'partial.mjs': `test('done', () => {}); describe('both', () => test('skipped', { skip: 'no tool' }, () => {}));
      test('skips itself', (context) => context.skip('no tool'));`,
    'early.mjs': `test('early', () => process.exit(7));`,
  };
  for (const [name, text] of Object.entries(files))
    writeFileSync(join(folder, name), `import { describe, test } from 'node:test';\n${text}\n`);
  const report = new FileReport();
  const paths = Object.keys(files).map((name) => join(folder, name));
  // The variable marks a process of a test runner, which starts no further one.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { status, stdout } = spawnSync(process.execPath, ['--test', ...report.flags, ...paths], {
    env,
    encoding: 'utf8',
  });
  assert.equal(status, 1, stdout);
  assert.match(stdout, /✖ worse/);
  const { failed, skipped } = report.take();
  assert.deepEqual(
    [...failed].sort(),
    ['bad.mjs', 'early.mjs'].map((name) => join(folder, name)),
  );
  assert.deepEqual(skipped, [join(folder, 'partial.mjs')]);
});
