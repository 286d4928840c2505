import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { type Revision, StoreUnavailableError, WriteOutcomeUnknownError } from '../store.ts';
import type { Batch } from './batch.ts';
import { connectReader, connectWriter } from './connect.ts';
import { migrate } from './migrations.ts';
import { Reader } from './reader.ts';
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

/** Reads the last revision over a connection of its own. */
function revisionsIn(context: TestContext, path: string): () => Revision {
  const database = connectReader(path);
  context.after(() => database.close());
  const reader = new Reader(database);
  return () => reader.state().revision;
}

function writerOn(context: TestContext, path: string): WriterThread {
  return new WriterThread({ path, retainedRevisions: 1000, files: [] }, () => {}, revisionsIn(context, path));
}

function insertion(id: string, body = '{}'): Batch {
  const operation = {
    op: 'insert',
    id,
    account: 'ac',
    kind: 'thing',
    parent: null,
    body,
    links: [],
    names: [],
  } as const;
  return { operations: [operation], lastId: id };
}

test('the death of the writer thread refuses what waits, is reported, and the next write finds a new thread', async (context) => {
  const path = await migrated(context);
  const news: (number | null)[] = [];
  const writer = new WriterThread(
    { path, retainedRevisions: 1000, files: [] },
    (commit) => news.push(commit?.revision ?? null),
    revisionsIn(context, path),
  );
  assert.equal(await writer.send(() => insertion('a')), 1);
  // Another transaction blocks the thread within its own until it is dead.
  const blocker = connectWriter(path);
  blocker.exec('BEGIN IMMEDIATE');
  const refused = assert.rejects(
    writer.send(() => insertion('b')),
    { name: StoreUnavailableError.name },
  );
  setImmediate(() => {
    void writer.kill();
    blocker.close();
  });
  await refused;
  assert.deepEqual(news, [1, null]);
  assert.equal(await writer.send(() => insertion('c')), 2);
  await writer.close();
});

test('a thread that dies after it wrote something and before it answered: it is not said that nothing was written', async (context) => {
  const path = await migrated(context);
  let revision = 0;
  const writer = new WriterThread(
    { path, retainedRevisions: 1000, files: [] },
    () => {},
    () => revision,
  );
  const blocker = connectWriter(path);
  blocker.exec('BEGIN IMMEDIATE');
  const open = assert.rejects(
    writer.send(() => insertion('a')),
    { name: WriteOutcomeUnknownError.name },
  );
  setImmediate(() => {
    revision = 1;
    void writer.kill();
    blocker.close();
  });
  await open;
  await writer.close();
});

test('killed in mid-write, again and again: what was refused is not there, what was answered is', async (context) => {
  const path = await migrated(context);
  const lastRevision = revisionsIn(context, path);
  const database = connectReader(path);
  context.after(() => database.close());
  const isThere = database.prepare('SELECT 1 FROM documents WHERE id = ?');
  const writer = new WriterThread({ path, retainedRevisions: 1000, files: [] }, () => {}, lastRevision);
  const count = { done: 0, refused: 0, unknown: 0 };
  /** So long that the commit itself writes the log back to the file. Other connections see it before. */
  const long = JSON.stringify({ text: 'x'.repeat(6 * 1024 * 1024) });
  for (let kill = 0; kill < 12; kill++) {
    // Ensures that the thread runs, because it cannot start while this thread is busy.
    const before = await writer.send(() => insertion(`first${kill}`));
    const ids = ['a', 'b', 'c'].map((letter) => `${letter}${kill}`);
    const late = kill % 3 === 0;
    const writes = ids.map((id) => writer.send(() => insertion(id, late ? long : '{}')));
    const outcomes = Promise.allSettled(writes);
    const killed = Promise.withResolvers<void>();
    setImmediate(() => {
      // This thread receives no outcome meanwhile.
      for (let looks = 0; late && looks < 1_000_000 && lastRevision() === before; looks++);
      killed.resolve(writer.kill());
    });
    await killed.promise;
    for (const [at, outcome] of (await outcomes).entries()) {
      const there = isThere.get(String(ids[at])) !== undefined;
      if (outcome.status === 'fulfilled') {
        count.done += 1;
        assert.ok(there, `${ids[at]} was answered and is gone`);
      } else if (outcome.reason instanceof StoreUnavailableError) {
        count.refused += 1;
        assert.ok(!there, `${ids[at]} was refused and is there`);
      } else {
        count.unknown += 1;
        assert.ok(outcome.reason instanceof WriteOutcomeUnknownError, String(outcome.reason));
      }
    }
  }
  context.diagnostic(JSON.stringify(count));
  await writer.close();
});

test('a writer thread that cannot open the database refuses each write and does not end the process', async (context) => {
  const path = await temporaryPath(context);
  await writeFile(path, 'not a database '.repeat(500));
  const writer = new WriterThread(
    { path, retainedRevisions: 1000, files: [] },
    () => {},
    () => 0,
  );
  for (const id of ['a', 'b']) {
    await assert.rejects(
      writer.send(() => insertion(id)),
      (error) => {
        assert.ok(error instanceof StoreUnavailableError);
        assert.match(error.message, /not a database/);
        return true;
      },
    );
  }
  await writer.close();
});

test('closing waits for every answer', async (context) => {
  const path = await migrated(context);
  const writer = writerOn(context, path);
  const answers = Array.from({ length: 50 }, (_, at) => writer.send(() => insertion(`a${at}`)));
  await writer.close();
  assert.deepEqual(
    await Promise.all(answers),
    Array.from({ length: 50 }, (_, at) => at + 1),
  );
});

test('a batch that cannot be built is refused by itself, and the others of its turn are written', async (context) => {
  const path = await migrated(context);
  const writer = writerOn(context, path);
  const fault = new Error('it cannot be built');
  const failing = (): Batch => {
    throw fault;
  };
  const answers = [failing, () => insertion('a'), failing, () => insertion('b')].map((build) =>
    writer.send(build).catch((error: unknown) => error),
  );
  assert.deepEqual(await Promise.all(answers), [fault, 1, fault, 2]);
  const last = writer.send(failing);
  const closed = writer.close();
  await assert.rejects(last, fault);
  await closed;
});

test('a batch that cannot be sent is refused by itself, and one that was sent before it gets its own answer', async (context) => {
  const path = await migrated(context);
  const writer = writerOn(context, path);
  assert.equal(await writer.send(() => insertion('a')), 1);
  // The batch is sent, but has no outcome before the other one is refused.
  const blocker = connectWriter(path);
  blocker.exec('BEGIN IMMEDIATE');
  const earlier = writer.send(() => insertion('b'));
  await turn();
  const noText = (() => {}) as unknown as string;
  await assert.rejects(
    writer.send(() => insertion('c', noText)),
    StoreUnavailableError,
  );
  blocker.close();
  assert.equal(await earlier, 2);
  await writer.close();
});
