import assert from 'node:assert/strict';
import { existsSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { isPrivate, isReachable, makeSocketFolder } from './socket-folder.ts';

async function base(context: { after(end: () => Promise<void>): void }): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'links-'));
  context.after(() => rm(folder, { recursive: true }));
  return folder;
}

test('the folder is for this user only, and is removed', async (context) => {
  const made = await makeSocketFolder(await base(context));
  assert.equal(statSync(dirname(made.path)).mode & 0o777, 0o700);
  assert.equal(isPrivate(made.path), true);
  assert.equal(await isReachable(made.path), false);
  await made.remove();
  assert.equal(existsSync(dirname(made.path)), false);
  assert.equal(await isReachable(made.path), false);
});

test('folders of processes that have ended are removed, and no others', async (context) => {
  const folder = await base(context);
  const [ended, young, used] = [
    await makeSocketFolder(folder),
    await makeSocketFolder(folder),
    await makeSocketFolder(folder),
  ];
  const server = createServer(() => {}).listen(used.path);
  context.after(() => new Promise((resolve) => server.close(() => resolve(undefined))));
  await mkdir(join(folder, 'other'));
  for (const { path } of [ended, used]) await utimes(dirname(path), 1, 1);
  const made = await makeSocketFolder(folder);
  const left = new Set(await readdir(folder));
  const expected = [young, used, made].map(({ path }) => dirname(path).slice(folder.length + 1));
  assert.deepEqual(left, new Set([...expected, 'other']));
});

test('without a temporary folder that can be written the spare folder is used', async (context) => {
  const spare = await base(context);
  await assert.rejects(makeSocketFolder('/nowhere'), /ENOENT/);
  const made = await makeSocketFolder('/nowhere', spare);
  assert.equal(dirname(dirname(made.path)), spare);
  await made.remove();
  assert.deepEqual(await readdir(spare), []);
});

test('a path that is too long is refused, and leaves nothing', async (context) => {
  const folder = join(await base(context), 'x'.repeat(80));
  await mkdir(folder);
  await assert.rejects(makeSocketFolder(folder, tmpdir()), /TMPDIR/);
  assert.deepEqual(await readdir(folder), []);
});
