import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeFolder } from './make-folder.ts';

test('a folder is made with those around it, for its owner alone, and is there already the next time', (t) => {
  const root = mkdtempSync(join(tmpdir(), 'underpass-folder-'));
  t.after(() => rmSync(root, { recursive: true }));
  const path = join(root, 'a', 'b', 'c');
  for (let time = 0; time < 2; time++) makeFolder(path);
  for (const one of [path, join(root, 'a')]) assert.equal(statSync(one).mode & 0o777, 0o700);
  const file = join(root, 'file');
  writeFileSync(file, '');
  for (const one of [file, join(file, 'below')]) assert.throws(() => makeFolder(one), { code: 'EEXIST' });
});

test('where the system takes no folders its error is thrown', () => {
  assert.throws(() => makeFolder('/proc/nobody/data'), { code: 'ENOENT' });
});
