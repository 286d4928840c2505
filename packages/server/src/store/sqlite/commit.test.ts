import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import type { Batch } from './batch.ts';
import { GroupCommit } from './commit.ts';
import { connectWriter } from './connect.ts';
import { migrate } from './migrations.ts';

async function database(context: TestContext): Promise<DatabaseSync> {
  const directory = await mkdtemp(join(tmpdir(), 'underpass-commit-'));
  const opened = connectWriter(join(directory, 'underpass.db'));
  context.after(async () => {
    opened.close();
    await rm(directory, { recursive: true, force: true });
  });
  migrate(opened);
  return opened;
}

/** A value that no column accepts, and no type permits. */
const unstorable = null as unknown as string;

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

function contents(opened: DatabaseSync) {
  return {
    documents: opened
      .prepare('SELECT id FROM documents ORDER BY id')
      .all()
      .map((row) => row.id),
    changes: opened
      .prepare('SELECT id FROM changes ORDER BY id')
      .all()
      .map((row) => row.id),
    state: { ...opened.prepare('SELECT revision, last_id FROM state').get() },
  };
}

test('a full disk refuses what does not fit, keeps what was there, and takes writes again once there is room', async (context) => {
  const opened = await database(context);
  const group = new GroupCommit(opened, 1000);
  group.commit([insertion('a')]);
  const { page_count: pages } = opened.prepare('PRAGMA page_count').get() ?? {};
  opened.exec(`PRAGMA max_page_count = ${Number(pages) + 2}`);
  const large = JSON.stringify({ text: 'x'.repeat(100_000) });
  const full = { full: 'database or disk is full' };
  assert.deepEqual(group.commit([insertion('b', large)]).outcomes, [full]);
  const mixed = group.commit([insertion('c', large), insertion('d'), insertion('e', large)]);
  assert.deepEqual(mixed.outcomes, [full, { revision: 2 }, full]);
  assert.equal(mixed.revision, 2);
  assert.deepEqual(contents(opened), {
    documents: ['a', 'd'],
    changes: ['a', 'd'],
    state: { revision: 2, last_id: 'd' },
  });
  opened.exec('PRAGMA max_page_count = 100000');
  assert.deepEqual(group.commit([insertion('f', large)]).outcomes, [{ revision: 3 }]);
});

test('a batch that the database cannot take does not take its neighbours with it', async (context) => {
  const opened = await database(context);
  const group = new GroupCommit(opened, 1000);
  const poisoned = insertion('b', unstorable);
  const { outcomes } = group.commit([insertion('a'), poisoned, insertion('c')]);
  assert.deepEqual([outcomes[0], outcomes[2]], [{ revision: 1 }, { revision: 2 }]);
  assert.ok(outcomes[1] !== undefined && 'unavailable' in outcomes[1]);
  assert.deepEqual(contents(opened), {
    documents: ['a', 'c'],
    changes: ['a', 'c'],
    state: { revision: 2, last_id: 'c' },
  });
});

test('a queue of a document that the database did not take is known to nobody', async (context) => {
  const opened = await database(context);
  const group = new GroupCommit(opened, 1000);
  const entry = (text: string) => ({ op: 'enqueue', account: 'ac', parent: 'a', text }) as const;
  const poisoned = [...insertion('a').operations, entry('{}'), entry(unstorable)];
  const [unavailable] = group.commit([{ operations: poisoned, lastId: 'a' }]).outcomes;
  assert.ok(unavailable !== undefined && 'unavailable' in unavailable);
  const missing = { conflict: { reason: 'parent-missing', id: 'a' } };
  assert.deepEqual(group.commit([{ operations: [entry('{}')], lastId: 'b' }]).outcomes, [missing]);
  assert.equal(opened.prepare('SELECT count(*) AS count FROM queue').get()?.count, 0);
});

test('a group of refused batches alone leaves no trace', async (context) => {
  const opened = await database(context);
  const group = new GroupCommit(opened, 1000);
  group.commit([insertion('a')]);
  const before = contents(opened);
  const { outcomes } = group.commit([insertion('a'), insertion('a')]);
  const stale = { conflict: { reason: 'stale', id: 'a' } };
  assert.deepEqual(outcomes, [stale, stale]);
  assert.deepEqual(contents(opened), before);
});

test('the change log keeps at least its bound, and not much more', async (context) => {
  const opened = await database(context);
  const group = new GroupCommit(opened, 10);
  for (let at = 0; at < 100; at++) {
    group.commit([insertion(`a${at}`), insertion(`b${at}`)]);
    const { kept } = opened.prepare('SELECT count(*) AS kept FROM changes').get() ?? {};
    assert.ok(Number(kept) >= Math.min(10, at) && Number(kept) <= 22, `${kept} changes are kept`);
  }
});
