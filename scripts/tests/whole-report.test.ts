import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

/** More than a pipe takes at once. */
const CASES = 4_000;

test('a file whose process is ended by force has told of all its tests', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'underpass-report-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'many.test.mjs');
  const body = `for (let n = 0; n < ${CASES}; n++) test('${'x'.repeat(200)} ' + n, () => {});`;
  writeFileSync(file, `import { test } from 'node:test';\n${body}\n`);
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const flags = ['--test', '--test-force-exit', `--import=${import.meta.resolve('./whole-report.ts')}`];
  const { status, stdout } = spawnSync(process.execPath, [...flags, file], {
    env,
    encoding: 'utf8',
    maxBuffer: 16 * 1024 * 1024,
  });
  assert.equal(status, 0, stdout.slice(-2_000));
  assert.equal(/^ℹ tests (\d+)$/m.exec(stdout)?.[1], String(CASES));
});
