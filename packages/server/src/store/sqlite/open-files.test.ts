/**
 * A database whose files are removed while it is open. Invariant: no write is acknowledged that would be lost with the
 * process.
 */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { eventually } from '../../../../../test/harness/index.ts';
import { create } from '../conformance/harness.fixture.ts';
import { StoreRemovedError } from '../store.ts';
import { openSqliteStore } from './store.ts';

async function openSomewhere(context: TestContext) {
  const directory = await mkdtemp(join(tmpdir(), 'underpass-removed-'));
  const path = join(directory, 'underpass.db');
  const told: (string | null)[] = [];
  const store = await openSqliteStore({ path, lookMs: 1, onRemoved: (message) => told.push(message) });
  context.after(async () => {
    await store.close();
    await rm(directory, { recursive: true, force: true });
  });
  return { store, path, told };
}

for (const suffix of ['', '-wal']) {
  test(`underpass.db${suffix} is moved away: writes are refused, reads go on, and so does all when it is back`, async (context) => {
    const { store, path, told } = await openSomewhere(context);
    const first = await create(store);
    const file = `${path}${suffix}`;
    await rename(file, `${file}.away`);
    await assert.rejects(create(store), {
      name: StoreRemovedError.name,
      message: `the write was not done: ${file} was removed`,
    });
    assert.equal((await store.get(first.id))?.id, first.id);
    await assert.rejects(store.snapshot(['thing']), { name: StoreRemovedError.name });
    assert.ok(!existsSync(file), 'nothing takes its place');
    await eventually(() => assert.deepEqual(told, [`${file} was removed`]));

    await rename(`${file}.away`, file);
    assert.equal((await create(store)).revision, first.revision + 1, 'what was refused was not written');
    await eventually(() => assert.deepEqual(told, [`${file} was removed`, null]));
  });
}

test('another file in its place is not written, nor read', async (context) => {
  const { store, path, told } = await openSomewhere(context);
  await create(store);
  await copyFile(path, `${path}.copy`);
  await rename(`${path}.copy`, path);
  await assert.rejects(create(store), { name: StoreRemovedError.name });
  await assert.rejects(store.snapshot(['thing']), { name: StoreRemovedError.name });
  await eventually(() => assert.deepEqual(told, [`${path} was replaced by another file`]));
});
