import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { Postgres, postgresMissing } from '../../../../../test/harness/index.ts';
import { suffixOf } from '../../core/id.ts';
import {
  binding,
  create,
  deletion,
  hostname,
  insertion,
  mention,
  refusal,
  replacement,
} from '../conformance/harness.fixture.ts';
import type { Database } from '../databases/database.ts';
import { openStore } from '../databases/open.ts';
import { openSource, openTarget } from '../databases/open-copy.ts';
import { StoreOpenError } from '../open-error.ts';
import type { Store } from '../store.ts';
import { CopyError, copy, type Progress } from './copy.ts';
import { NOT_COPIED, type Row, TABLES, type Table } from './tables.ts';

const directory = mkdtempSync(join(tmpdir(), 'underpass-copy-'));
after(() => rmSync(directory, { recursive: true, force: true }));

let files = 0;
const newFile = (): Database => ({ kind: 'sqlite', path: join(directory, `${++files}`, 'underpass.db') });

/** Writes documents of every shape: with parents, links, names, replaced, deleted, with unusual text. */
async function fill(store: Store, documents = 250): Promise<void> {
  const target = await create(store, { body: { text: 'naïve — 日本 \0 \ud800 "\\', half: '{a,"b"},NULL' } });
  const parent = await create(store, { names: [hostname("it's"), hostname('{"a",NULL}')] });
  await create(store, { parent: parent.id, links: [binding(target.id), mention('rd_gone', 'a\\b')] });
  const replaced = await create(store, { account: 'ac_2', kind: 'other' });
  await store.write(() => [replacement(replaced, { body: { again: '' }, names: [hostname('')] })]);
  await store.write((newId) =>
    Array.from({ length: documents }, (_, at) => ({
      op: 'insert',
      id: newId('th'),
      account: 'ac_1',
      kind: 'thing',
      parent: null,
      body: { at },
      links: [],
      names: [],
    })),
  );
  await store.write((newId) => [
    { op: 'insert', id: newId('zz'), account: 'a', kind: 'k', parent: null, body: {}, links: [], names: [] },
  ]);
  const text = JSON.stringify({ text: '\ud800' });
  const noted = { op: 'note', account: 'ac_1', at: 5, needsDocument: false, text } as const;
  await store.write(() => [
    { ...noted, kind: 'change', key: 'chg_1' },
    { ...noted, kind: 'use', key: target.id },
  ]);
  const block = { account: target.id, key: 'edge/ä\\', node: '1.2', step: 60, body: '1+/=' };
  await store.write(() => [{ op: 'keep_series', rows: [0, 2 ** 40].map((start) => ({ ...block, start })) }]);
  await store.write(() => [
    { op: 'enqueue', account: 'ac_1', parent: parent.id, text },
    { op: 'enqueue', account: 'ac_1', parent: target.id, text },
  ]);
  const [entry] = await store.queue({ account: 'ac_1', parent: parent.id, limit: 1 });
  await store.write(() => [{ op: 'dequeue', positions: [entry!.position] }]);
  const newest = await create(store);
  await store.write(() => [{ op: 'enqueue', account: 'ac_1', parent: newest.id, text }]);
  await store.write(() => [deletion(newest)]);
}

async function filled(database: Database, documents?: number): Promise<Database> {
  const store = await openStore(database);
  await fill(store, documents);
  await store.close();
  return database;
}

async function rowsOf(database: Database): Promise<ReadonlyMap<string, readonly Row[]>> {
  const source = await openSource(database);
  const all = new Map<string, readonly Row[]>();
  for (const table of TABLES) {
    const rows: Row[] = [];
    for await (const batch of source.rows(table)) rows.push(...batch);
    all.set(table.name, rows);
  }
  await source.close();
  return all;
}

async function copyAll(from: Database, to: Database, progress: Progress = () => {}) {
  const source = await openSource(from);
  try {
    const target = await openTarget(to, '--to');
    try {
      return await copy(source, target, progress);
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

const ways: (readonly [string, () => Promise<Database>])[] = [['SQLite', async () => newFile()]];
let server: Postgres;
if (postgresMissing === false) {
  before(async () => {
    server = await Postgres.shared();
  });
  after(() => server.stop());
  ways.push(['PostgreSQL', async () => ({ kind: 'postgres', url: await server.database() })]);
}

for (const [source, from] of ways) {
  for (const [target, to] of ways) {
    test(`from ${source} to ${target}: every row arrives, and the store goes on where it was`, async () => {
      const original = await filled(await from());
      const before = await rowsOf(original);
      const place = await to();
      const { counts } = await copyAll(original, place);
      assert.deepEqual(await rowsOf(place), before);
      assert.deepEqual(await rowsOf(original), before, 'the source is as it was');
      for (const [table, rows] of before) assert.equal(counts.get(table), rows.length);
      assert.equal(counts.get('documents'), 255);
      assert.equal(counts.get('queue'), 2);
      assert.equal(counts.get('deleted_queues'), 1);

      const store = await openStore(place);
      const { revision, documents } = await store.snapshot(['thing', 'other']);
      const last = String(before.get('state')?.[0]?.[2]);
      const next = await create(store);
      assert.equal(next.revision, revision + 1);
      assert.ok(suffixOf(next.id) > last, 'ids go on above the greatest that was ever given');
      await store.write(() => [{ op: 'enqueue', account: 'ac_1', parent: next.id, text: '{}' }]);
      const [entry] = await store.queue({ account: 'ac_1', parent: next.id, limit: 1 });
      assert.equal(entry?.position, 4, 'positions go on as well');
      const { reason } = await refusal(
        store.write((newId) => [insertion(newId('th'), { names: [hostname("it's")] })]),
      );
      assert.equal(reason, 'name-taken');
      const parent = documents.find(({ id }) => documents.some((one) => one.parent === id));
      assert.ok(parent);
      await store.close();
    });

    test(`from ${source} to ${target}: a target that is not empty is refused and stays as it is`, async () => {
      const original = await filled(await from(), 1);
      const place = await filled(await to(), 2);
      const before = await rowsOf(place);
      await assert.rejects(copyAll(original, place), (error) => {
        assert.ok(error instanceof CopyError);
        return /is not empty: .*--to/.test(error.message);
      });
      assert.deepEqual(await rowsOf(place), before);
    });

    test(`from ${source} to ${target}: a copy that fails leaves the target empty, and the next one succeeds`, async () => {
      const original = await filled(await from());
      const place = await to();
      for (const step of ['copied', 'compared']) {
        const failure = new Error('the operator changed his mind');
        const copying = copyAll(original, place, (now, table, rows) => {
          if (now === step && table === 'changes' && rows > 0) throw failure;
        });
        await assert.rejects(copying, failure);
        if (place.kind === 'sqlite')
          assert.deepEqual(readdirSync(dirname(place.path)), ['underpass.db.lock']);
      }
      const store = await openStore(place);
      const { revision, documents } = await store.snapshot(['thing', 'other']);
      assert.deepEqual({ revision, documents }, { revision: 0, documents: [] });
      await store.close();
      await copyAll(original, place);
      assert.deepEqual(await rowsOf(place), await rowsOf(original));
    });
  }

  test(`${source}: a source that is in use, or a target, is refused`, async () => {
    const used = await filled(await from(), 1);
    const store = await openStore(used);
    assert.equal((await store.snapshot(['nothing'])).documents.length, 0);
    const free = newFile();
    const refused = (error: unknown) =>
      (error instanceof StoreOpenError || error instanceof CopyError) && /in use/.test(error.message);
    await assert.rejects(copyAll(used, free), refused);
    await assert.rejects(copyAll(await filled(newFile(), 1), used), refused);
    await store.close();
    await copyAll(used, free);
  });

  test(`${source}: a source that is not there, or of an older version, is refused`, async () => {
    const nowhere = await from();
    await assert.rejects(copyAll(nowhere, newFile()), CopyError);
    if (nowhere.kind === 'sqlite') assert.ok(!existsSync(nowhere.path));
    const old = await filled(nowhere, 1);
    if (old.kind === 'sqlite') {
      const database = new DatabaseSync(old.path);
      database.exec('PRAGMA user_version = 0');
      database.close();
    } else {
      await server.query(old.url, 'UPDATE underpass.schema_version SET version = 1');
    }
    await assert.rejects(copyAll(old, newFile()), (error) => {
      assert.ok(error instanceof CopyError);
      return /version [01]/.test(error.message);
    });
  });
}

test('what an unfinished copy left of a file is thrown away by the next', async () => {
  const original = await filled(newFile(), 1);
  const place = newFile() as Database & { kind: 'sqlite' };
  await (await openTarget(place, '--to')).close();
  writeFileSync(`${place.path}.copying`, 'half of something');
  writeFileSync(`${place.path}.copying-journal`, 'half of something');
  await copyAll(original, place);
  assert.deepEqual(await rowsOf(place), await rowsOf(original));
  assert.deepEqual(readdirSync(dirname(place.path)).sort(), ['underpass.db', 'underpass.db.lock']);
});

test('every table of the schema is copied, or known not to be', async () => {
  // SQLite stores entries in tables of its own, and shows them as `queue`.
  const known = new Set([...TABLES.map(({ name }) => name), ...NOT_COPIED, 'queues', 'entries']);
  const check = (table: string, columns: readonly string[]) => {
    assert.ok(known.has(table), `what about the table ${table}?`);
    const copied = TABLES.find(({ name }) => name === table);
    if (copied !== undefined) assert.deepEqual(Object.keys(copied.columns).sort(), [...columns].sort());
  };
  const { path } = (await filled(newFile(), 1)) as Database & { kind: 'sqlite' };
  const database = new DatabaseSync(path);
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')").all();
  for (const { name } of tables) {
    const columns = database.prepare('SELECT name FROM pragma_table_info(?)').all(String(name));
    check(
      String(name),
      columns.map((column) => String(column.name)),
    );
  }
  database.close();
});

describe('PostgreSQL alone', { skip: postgresMissing }, () => {
  test('every table of the schema is copied, or known not to be', async () => {
    const url = await server.database();
    await (await openStore({ kind: 'postgres', url })).close();
    const rows = await server.query(
      url,
      "SELECT table_name, array_agg(column_name::text) AS columns FROM information_schema.columns WHERE table_schema = 'underpass' GROUP BY table_name",
    );
    const names = rows.map(({ table_name }) => String(table_name));
    assert.deepEqual(names.sort(), [...TABLES.map(({ name }) => name), ...NOT_COPIED].sort());
    for (const { table_name, columns } of rows) {
      const copied = TABLES.find(({ name }) => name === table_name);
      if (copied !== undefined)
        assert.deepEqual(Object.keys(copied.columns).sort(), (columns as string[]).sort());
    }
  });

  test('a source that is written to during the copy: nothing is kept', async () => {
    const original = await filled({ kind: 'postgres', url: await server.database() }, 1);
    const place = newFile();
    const source = await openSource(original);
    const target = await openTarget(place, '--to');
    const disturbed = {
      ...source,
      async *rows(table: Table) {
        if (original.kind === 'postgres')
          await server.query(original.url, 'UPDATE underpass.state SET revision = revision + 1');
        yield* source.rows(table);
      },
    };
    await assert.rejects(
      copy(disturbed, target, () => {}),
      /was written to while it was copied/,
    );
    await target.close();
    await source.close();
    assert.ok(place.kind === 'sqlite' && !existsSync(place.path));
  });

  test('what PostgreSQL cannot hold is refused by name, and leaves nothing', async () => {
    const file = newFile();
    const store = await openStore(file);
    await create(store, { names: [hostname('a\0b')] });
    await store.close();
    const place: Database = { kind: 'postgres', url: await server.database() };
    await assert.rejects(copyAll(file, place), (error) => {
      assert.ok(error instanceof CopyError);
      return /does not take the names/.test(error.message);
    });
    await copyAll(await filled(newFile(), 1), place);
  });
});

test('round trip SQLite to PostgreSQL to SQLite: the same rows', { skip: postgresMissing }, async () => {
  const original = await filled(newFile());
  const between: Database = { kind: 'postgres', url: await server.database() };
  const end = newFile();
  const there = await copyAll(original, between);
  const back = await copyAll(between, end);
  assert.deepEqual(await rowsOf(end), await rowsOf(original));
  assert.equal(back.digest, there.digest);
});
