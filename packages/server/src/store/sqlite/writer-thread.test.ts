import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { StoreUnavailableError } from '../store.ts';
import type { Batch } from './batch.ts';
import { connectWriter } from './connect.ts';
import { migrate } from './migrations.ts';
import { WriterThread } from './writer-thread.ts';

async function temporaryPath(context: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'underpass-writer-'));
  context.after(() => rm(directory, { recursive: true, force: true }));
  return join(directory, 'underpass.db');
}

async function migrated(context: TestContext): Promise<string> {
  const path = await temporaryPath(context);
  const database = connectWriter(path);
  migrate(database);
  database.close();
  return path;
}

function insertion(id: string): Batch {
  const operation = {
    op: 'insert',
    id,
    account: 'ac',
    kind: 'thing',
    parent: null,
    body: '{}',
    links: [],
    names: [],
  } as const;
  return { operations: [operation], lastId: id };
}

test('the death of the writer thread refuses what waits, tells of it, and the next write finds a new thread', async (context) => {
  const path = await migrated(context);
  const news: (number | null)[] = [];
  const writer = new WriterThread({ path, retainedRevisions: 1000 }, (commit) => {
    news.push(commit?.revision ?? null);
  });
  assert.equal(await writer.send(insertion('a')), 1);
  // Somebody else's transaction holds the thread in the middle of its own until it is dead.
  const blocker = connectWriter(path);
  blocker.exec('BEGIN IMMEDIATE');
  const refused = assert.rejects(writer.send(insertion('b')), { name: StoreUnavailableError.name });
  setImmediate(() => {
    void writer.kill();
    blocker.close();
  });
  await refused;
  assert.deepEqual(news, [1, null]);
  assert.equal(await writer.send(insertion('c')), 2);
  await writer.close();
});

test('a writer thread that cannot open the database refuses each write and does not end the process', async (context) => {
  const path = await temporaryPath(context);
  await writeFile(path, 'not a database '.repeat(500));
  const writer = new WriterThread({ path, retainedRevisions: 1000 }, () => {});
  for (const id of ['a', 'b']) {
    await assert.rejects(writer.send(insertion(id)), (error) => {
      assert.ok(error instanceof StoreUnavailableError);
      assert.match(error.message, /not a database/);
      return true;
    });
  }
  await writer.close();
});

test('closing waits for every answer', async (context) => {
  const writer = new WriterThread({ path: await migrated(context), retainedRevisions: 1000 }, () => {});
  const answers = Array.from({ length: 50 }, (_, at) => writer.send(insertion(`a${at}`)));
  await writer.close();
  assert.deepEqual(
    await Promise.all(answers),
    Array.from({ length: 50 }, (_, at) => at + 1),
  );
});
