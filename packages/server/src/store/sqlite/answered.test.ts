import assert from 'node:assert/strict';
import { copyFile, mkdtemp, open, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { create } from '../conformance/harness.fixture.ts';
import { CopyError } from '../copy/copy.ts';
import { openSource } from '../databases/open-copy.ts';
import { pathOfAnswered } from './answered.ts';
import { openSqliteStore } from './store.ts';

const WRITES = 50;

/** Creates the files that a killed process leaves: all writes are still in the log. */
async function killedAfterWrites(context: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'underpass-answered-'));
  context.after(() => rm(directory, { recursive: true, force: true }));
  const running = join(directory, 'running.db');
  const killed = join(directory, 'underpass.db');
  const store = await openSqliteStore({ path: running });
  for (let at = 0; at < WRITES; at++) await create(store, { body: { at } });
  for (const suffix of ['', '-wal', '.answered']) await copyFile(running + suffix, killed + suffix);
  await store.close();
  return killed;
}

async function reopen(path: string): Promise<{ revision: number; messages: string[] }> {
  const messages: string[] = [];
  const store = await openSqliteStore({ path, onLostWrites: (message) => messages.push(message) });
  const { revision, documents } = await store.snapshot(['thing']);
  assert.equal(documents.length, revision);
  await store.close();
  return { revision, messages };
}

async function overwriteMiddle(path: string): Promise<void> {
  const { size } = await stat(path);
  const file = await open(path, 'r+');
  await file.write(Buffer.alloc(64, 0xa5), 0, 64, Math.floor(size / 2));
  await file.close();
}

for (const [damage, inflict] of [
  ['overwritten in the middle', overwriteMiddle],
  ['cut off', async (path: string) => truncate(path, Math.floor((await stat(path)).size / 2))],
  ['taken away', rm],
] as const) {
  test(`a log that was ${damage}: says once how many answered writes are lost, and which`, async (context) => {
    const path = await killedAfterWrites(context);
    await inflict(`${path}-wal`);
    const { revision, messages } = await reopen(path);
    assert.ok(revision < WRITES);
    const expected = `lost ${WRITES - revision} answered writes (revisions ${revision + 1} to ${WRITES})`;
    assert.deepEqual(
      messages.map((message) => message.includes(expected)),
      [true],
      messages.join(),
    );
    assert.deepEqual(await reopen(path), { revision, messages: [] });
  });
}

test('a log that is whole, and a file of revisions that is not: nothing is said', async (context) => {
  const path = await killedAfterWrites(context);
  const whole = await readFile(pathOfAnswered(path));
  assert.equal(Number(whole), WRITES);
  for (const text of [whole, '', 'not a number', '12', '-000000000000099\n']) {
    await writeFile(pathOfAnswered(path), text);
    assert.deepEqual(await reopen(path), { revision: WRITES, messages: [] });
  }
});

test('a database that has lost answered writes is not copied without a word', async (context) => {
  const path = await killedAfterWrites(context);
  await rm(`${path}-wal`);
  await assert.rejects(openSource({ kind: 'sqlite', path }), (error) => {
    assert.ok(error instanceof CopyError, String(error));
    return error.message.includes(`lost ${WRITES} answered writes`);
  });
  await reopen(path);
  await (await openSource({ kind: 'sqlite', path })).close();
});
