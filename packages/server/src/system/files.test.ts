/** Tests of atomic files. A failed write keeps the former file, and leaves no other file. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ensureFile, readIfThere, replaceFile } from './files.ts';

async function temporaryDirectory(context: TestContext): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'underpass-files-'));
  context.after(() => rm(path, { recursive: true, force: true }));
  return path;
}

test('a file takes the place of another, with the rights that are asked for', async (context) => {
  const directory = await temporaryDirectory(context);
  const path = join(directory, 'file');
  assert.equal(await readIfThere(path), null);
  await writeFile(path, 'before', { mode: 0o644 });
  await replaceFile(path, 'after', 0o600);
  assert.equal(await readIfThere(path), 'after');
  assert.equal((await stat(path)).mode & 0o777, 0o600);
  assert.deepEqual(await readdir(directory), ['file']);
});

test('a write that fails leaves what was there, and nothing beside it', async (context) => {
  const directory = await temporaryDirectory(context);
  const path = join(directory, 'taken');
  await mkdir(path);
  await assert.rejects(replaceFile(path, 'text', 0o600));
  assert.deepEqual(await readdir(directory), ['taken']);
  await assert.rejects(replaceFile(join(directory, 'missing', 'file'), 'text', 0o600));
});

test('what is there already is not written again', async (context) => {
  const path = join(await temporaryDirectory(context), 'file');
  await ensureFile(path, 'text', 0o600);
  const past = new Date('2020-01-01T00:00:00Z');
  await utimes(path, past, past);
  await ensureFile(path, 'text', 0o600);
  assert.deepEqual((await stat(path)).mtime, past);
  await ensureFile(path, 'other', 0o600);
  assert.equal(await readFile(path, 'utf8'), 'other');
});
