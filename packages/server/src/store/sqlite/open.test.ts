import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, type TestContext, test } from 'node:test';
import { create } from '../conformance/harness.fixture.ts';
import { type OpenFailure, StoreOpenError } from '../open-error.ts';
import { migrations, versionOf } from './migrations.ts';
import { prepare } from './open.ts';
import { openSqliteStore } from './store.ts';

async function temporaryPath(context: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'underpass-open-'));
  context.after(() => rm(directory, { recursive: true, force: true }));
  return join(directory, 'underpass.db');
}

/** Creates a closed database with some documents. */
async function fill(path: string): Promise<void> {
  const store = await openSqliteStore({ path });
  for (let at = 0; at < 50; at++) await create(store, { body: { text: 'x'.repeat(1000), at } });
  await store.close();
}

/** Expects the same refusal twice, because a refusal must release everything. Returns its message. */
async function refusal(path: string, reason: OpenFailure): Promise<string> {
  let message = '';
  for (let attempt = 0; attempt < 2; attempt++) {
    await assert.rejects(openSqliteStore({ path }), (error) => {
      assert.ok(error instanceof StoreOpenError, String(error));
      assert.equal(error.reason, reason, error.message);
      assert.ok(error.message.includes(path), error.message);
      message = error.message;
      return true;
    });
  }
  return message;
}

async function mode(path: string): Promise<number> {
  return (await stat(path)).mode & 0o777;
}

describe('opening the database', () => {
  test('makes directories and files that are for their owner only', async (context) => {
    const path = join(await temporaryPath(context), 'below', 'underpass.db');
    const store = await openSqliteStore({ path });
    await create(store);
    for (const file of [path, `${path}-wal`, `${path}.lock`]) {
      assert.equal(await mode(file), 0o600, file);
    }
    await store.close();
  });

  test('takes rights away from others that they have by mistake', async (context) => {
    const path = await temporaryPath(context);
    await fill(path);
    await chmod(path, 0o644);
    await (await openSqliteStore({ path })).close();
    assert.equal(await mode(path), 0o600);
  });

  test('is refused while another process has it open', async (context) => {
    const path = await temporaryPath(context);
    const store = await openSqliteStore({ path });
    await refusal(path, 'locked');
    await create(store);
    await store.close();
    await (await openSqliteStore({ path })).close();
  });

  test('is refused where nothing can be written', async (context) => {
    const path = await temporaryPath(context);
    await mkdir(path);
    await refusal(path, 'not-writable');
    await writeFile(join(path, 'a-file'), '');
    await refusal(join(path, 'a-file', 'underpass.db'), 'not-writable');
  });

  test('is refused, and not waited for, where no file or folder ever comes about', async (context) => {
    const path = await temporaryPath(context);
    execFileSync('mkfifo', [path]);
    await refusal(path, 'not-writable');
    await refusal('/proc/nobody/underpass.db', 'not-writable');
  });

  test('is refused when the file is not a database, and the file is left as it was', async (context) => {
    const path = await temporaryPath(context);
    for (const content of [
      Buffer.from('not a database '.repeat(500)),
      Buffer.from('short'),
      Buffer.alloc(8192),
    ]) {
      await writeFile(path, content);
      await refusal(path, 'damaged');
      assert.deepEqual(await readFile(path), content);
    }
  });

  test('is refused when a part of the file is missing or overwritten', async (context) => {
    const path = await temporaryPath(context);
    await fill(path);
    const whole = await readFile(path);
    await truncate(path, Math.floor(whole.length / 2));
    await refusal(path, 'damaged');
    const overwritten = Buffer.from(whole);
    overwritten.fill(0xa5, 4096 * 3, 4096 * 6);
    await writeFile(path, overwritten);
    await refusal(path, 'damaged');
    await writeFile(path, whole);
    await (await openSqliteStore({ path })).close();
  });

  test("is refused when it is another program's database, and the file is left as it was", async (context) => {
    const path = await temporaryPath(context);
    const other = new DatabaseSync(path);
    other.exec('CREATE TABLE recipes (name TEXT)');
    other.close();
    const content = await readFile(path);
    assert.match(await refusal(path, 'damaged'), /another program/);
    assert.deepEqual(await readFile(path), content);
  });

  test('is refused when a newer version wrote it, naming both versions', async (context) => {
    const path = await temporaryPath(context);
    await fill(path);
    const newer = new DatabaseSync(path);
    newer.exec('PRAGMA user_version = 99');
    newer.close();
    assert.match(
      await refusal(path, 'newer-version'),
      new RegExp(`version 99;.*versions up to ${migrations.length}`),
    );
  });
});

describe('an older database', () => {
  const next = [...migrations, 'ALTER TABLE documents ADD COLUMN colour TEXT'];
  const version = migrations.length;

  test('is copied before it is migrated, and keeps its documents', async (context) => {
    const path = await temporaryPath(context);
    await fill(path);
    (await prepare(path, next)).close();
    const backup = `${path}.backup-v${version}`;
    assert.equal(await mode(backup), 0o600);
    const count = (file: string) => {
      const database = new DatabaseSync(file);
      const columns = database.prepare('SELECT * FROM documents').all();
      const found = versionOf(database);
      database.close();
      return { version: found, documents: columns.length, colour: 'colour' in (columns[0] ?? {}) };
    };
    assert.deepEqual(count(path), { version: version + 1, documents: 50, colour: true });
    assert.deepEqual(count(backup), { version, documents: 50, colour: false });
    await rm(path);
    const restored = await openSqliteStore({ path: backup });
    assert.equal((await restored.snapshot(['thing'])).documents.length, 50);
    await restored.close();
  });

  test('finds its reserved domains by what they are below of', async (context) => {
    const path = await temporaryPath(context);
    (await prepare(path, migrations.slice(0, 2))).close();
    const older = new DatabaseSync(path);
    older.exec("INSERT INTO documents VALUES ('rd_1', 'ac_1', 'reserved_domain', NULL, '{}', 1, 1)");
    for (const name of ['*.a.example.com', 'b.example.com', 'other.example'])
      older.prepare("INSERT INTO names VALUES ('domain', ?, 'rd_1')").run(name);
    older.close();
    const store = await openSqliteStore({ path });
    const found = await store.names({ kind: 'reversed_domain', prefix: 'moc.elpmaxe.', limit: 10 });
    assert.deepEqual(
      found.map(({ value }) => value),
      ['moc.elpmaxe.a.*', 'moc.elpmaxe.b'],
    );
    await store.close();
  });

  test('has its queued events in the queue of their destination, in their order', async (context) => {
    const path = await temporaryPath(context);
    (await prepare(path, migrations.slice(0, 3))).close();
    const older = new DatabaseSync(path);
    const insert = older.prepare('INSERT INTO documents VALUES (?, ?, ?, ?, ?, 1, 1)');
    insert.run('ed_1', 'ac_1', 'event_destination', null, '{}');
    for (const id of ['evq_2', 'evq_1', 'evq_3'])
      insert.run(id, 'ac_1', 'queued_event', 'ed_1', JSON.stringify({ id }));
    older.close();
    const store = await openSqliteStore({ path });
    await store.write(() => [{ op: 'enqueue', account: 'ac_1', parent: 'ed_1', text: '{"id":"new"}' }]);
    const queued = await store.queue({ account: 'ac_1', parent: 'ed_1', limit: 10 });
    assert.deepEqual(
      queued.map(({ body }) => body.id),
      ['evq_1', 'evq_2', 'evq_3', 'new'],
    );
    assert.equal(await store.get('evq_1'), null);
    await store.close();
  });

  test('has what waits in its queues, and what is to be cleared', async (context) => {
    const path = await temporaryPath(context);
    (await prepare(path, migrations.slice(0, 5))).close();
    const older = new DatabaseSync(path);
    const insert = older.prepare('INSERT INTO documents VALUES (?, ?, ?, NULL, ?, 1, 1)');
    for (const id of ['ed_1', 'ed_2', 'ed_gone']) insert.run(id, 'ac_1', 'event_destination', '{}');
    const enqueue = older.prepare('INSERT INTO queue VALUES (?, ?, ?, ?)');
    const waiting = ['ed_1', 'ed_gone', 'ed_2', 'ed_1', 'ed_gone'];
    for (const [at, id] of waiting.entries()) enqueue.run(at + 11, 'ac_1', id, JSON.stringify({ at }));
    older.exec("UPDATE state SET queued = 20; DELETE FROM documents WHERE id = 'ed_gone'");
    older.close();
    const store = await openSqliteStore({ path });
    await store.write(() => [{ op: 'enqueue', account: 'ac_1', parent: 'ed_1', text: '{"at":9}' }]);
    const account = { account: 'ac_1', limit: 10 };
    const read = async (parent: string) =>
      (await store.queue({ ...account, parent })).map(({ position, body }) => [position, body.at]);
    assert.deepEqual(await read('ed_1'), [
      [11, 0],
      [14, 3],
      [21, 9],
    ]);
    assert.deepEqual(await read('ed_2'), [[13, 2]]);
    assert.deepEqual(await read('ed_gone'), []);
    assert.equal(await store.countQueued(account), 6);
    assert.equal(await store.hasDeletedQueues(), true);
    await store.write(() => [{ op: 'clear', most: 10 }]);
    assert.equal(await store.hasDeletedQueues(), false);
    assert.equal(await store.countQueued(account), 4);
    await store.close();
  });

  test('stays what it was when a step of the migration fails', async (context) => {
    const path = await temporaryPath(context);
    await fill(path);
    const failing = [...next, 'INSERT INTO nowhere VALUES (1)'];
    await assert.rejects(prepare(path, failing), StoreOpenError);
    const store = await openSqliteStore({ path });
    assert.equal((await store.snapshot(['thing'])).documents.length, 50);
    await store.close();
  });

  test('of an unfinished first start is completed', async (context) => {
    const path = await temporaryPath(context);
    await writeFile(path, '');
    const store = await openSqliteStore({ path });
    await create(store);
    await store.close();
  });
});
