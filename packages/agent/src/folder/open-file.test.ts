import assert from 'node:assert/strict';
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openFile } from './open-file.ts';

/** A file in a folder `served`, beside a folder `outside` that has a file of the same name. */
function files(t: TestContext): { root: string; path: string } {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'underpass-open-')));
  t.after(() => rmSync(root, { recursive: true }));
  for (const folder of ['served', 'outside']) {
    mkdirSync(join(root, folder));
    writeFileSync(join(root, folder, 'a.txt'), folder);
  }
  return { root, path: join(root, 'served', 'a.txt') };
}

test('a file is opened where it was found', async (t) => {
  const handle = await openFile(files(t).path);
  assert.ok(handle !== null);
  assert.equal(await handle.readFile('utf8'), 'served');
  await handle.close();
});

test('a folder that was exchanged for a link since the file was found leads nowhere', async (t) => {
  const { root, path } = files(t);
  renameSync(join(root, 'served'), join(root, 'before'));
  symlinkSync('outside', join(root, 'served'));
  assert.equal(await openFile(path), null);
});

test('a file that was exchanged for a link is not opened', async (t) => {
  const { root, path } = files(t);
  rmSync(path);
  symlinkSync(join(root, 'outside', 'a.txt'), path);
  await assert.rejects(openFile(path), { code: 'ELOOP' });
});
