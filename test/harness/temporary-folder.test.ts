import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from './temporary-folder.ts';

test('without a place in memory, or without room there, a folder is on disk', (t) => {
  // A file system that has no room at all, and a folder that is not there.
  for (const inMemory of ['/proc', '/nowhere/at/all']) {
    const folder = temporaryFolder('underpass-folder-', { inMemory });
    t.after(() => rmSync(folder, { recursive: true }));
    assert.equal(dirname(folder), tmpdir());
  }
  const folder = temporaryFolder('underpass-folder-', { leastBytes: Number.POSITIVE_INFINITY });
  t.after(() => rmSync(folder, { recursive: true }));
  assert.equal(dirname(folder), tmpdir());
});

test('each folder is a new one', (t) => {
  const folders = [temporaryFolder('underpass-folder-'), temporaryFolder('underpass-folder-')];
  t.after(() => {
    for (const folder of folders) rmSync(folder, { recursive: true });
  });
  assert.equal(new Set(folders).size, 2);
  for (const folder of folders) assert.match(basename(folder), /^underpass-folder-\w{6}$/);
});
