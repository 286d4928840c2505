import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

test('what a file sets in its environment while it runs is gone for the next one', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'underpass-together-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = (name: string, body: string): string => {
    const path = join(folder, name);
    writeFileSync(path, `${body}\n`);
    return path;
  };
  const files = [
    file(
      'first.mjs',
      "import { before, test } from 'node:test'; before(() => { process.env.LEFT = 'x'; }); test('a', () => {});",
    ),
    file(
      'next.mjs',
      "import { test } from 'node:test'; test('b', () => { if (process.env.LEFT) throw new Error('left'); });",
    ),
  ];
  const module = import.meta.resolve('./together.ts');
  const entry = file(
    'entry.mjs',
    `import { together } from ${JSON.stringify(module)};\ntogether(${JSON.stringify(files)});`,
  );
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { status, stdout } = spawnSync(process.execPath, [entry], { env, encoding: 'utf8' });
  assert.equal(status, 0, stdout);
});
