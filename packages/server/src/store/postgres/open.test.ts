import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Client } from 'pg';
import { eventually, freePorts, Postgres, postgresMissing } from '../../../../../test/harness/index.ts';
import { create } from '../conformance/harness.fixture.ts';
import { parseDatabase } from '../databases/database.ts';
import { type OpenFailure, StoreOpenError } from '../open-error.ts';
import { migrations } from './migrations.ts';
import { prepare } from './open.ts';
import { parseSettings } from './settings.ts';
import { openPostgresStore } from './store.ts';

const SECRET = 'pa55-never-shown';

async function refusal(url: string, reason: OpenFailure): Promise<string> {
  let message = '';
  await assert.rejects(openPostgresStore({ url }), (error) => {
    assert.ok(error instanceof StoreOpenError, String(error));
    assert.equal(error.reason, reason, error.message);
    message = error.message;
    return true;
  });
  assert.ok(!message.includes(SECRET), message);
  return message;
}

test('what is not a database is not taken for one', () => {
  for (const url of ['postgres://u:p@h:5432/d', 'postgresql://h/d', 'postgres://u@/d?host=/run']) {
    assert.deepEqual(parseDatabase(url, '/data'), { kind: 'postgres', url });
  }
  assert.deepEqual(parseDatabase('sqlite', '/data'), { kind: 'sqlite', path: '/data/underpass.db' });
  assert.deepEqual(parseDatabase('sqlite:/tmp', '/data'), { kind: 'sqlite', path: '/tmp/underpass.db' });
  assert.deepEqual(parseDatabase('sqlite:/nowhere/a.db', '/data'), { kind: 'sqlite', path: '/nowhere/a.db' });
  for (const text of [
    '',
    'sqlite:',
    'SQLITE',
    'mysql://h/d',
    'postgres:/h',
    'postgres://u:p/w@h/d',
    'postgres://u:5/w@h/d',
    ...['0', '301', '1.5', 'never', ''].map((seconds) => `postgres://h/d?connect_timeout=${seconds}`),
  ])
    assert.equal(parseDatabase(text, '/data'), null, text);
});

test('how long a connection may take is what the URL says', () => {
  for (const [url, ms] of [
    ['postgres://h/d', 5_000],
    ['postgres://h/d?sslmode=disable&connect_timeout=30', 30_000],
  ] as const) {
    assert.equal(parseSettings(url).connectTimeoutMs, ms);
  }
});

test('without a server the error has the address', async () => {
  const [port] = (await freePorts(1)) as [number];
  const url = `postgres://somebody:${SECRET}@127.0.0.1:${port}/documents`;
  assert.match(
    await refusal(url, 'unreachable'),
    new RegExp(`"documents" at 127.0.0.1:${port} cannot be reached.*ECONNREFUSED`),
  );
});

describe('opening a PostgreSQL database', { skip: postgresMissing }, () => {
  let server: Postgres;
  before(async () => {
    server = await Postgres.shared();
  });
  after(() => server.stop());

  test('a wrong password, or none: says so without saying it', async () => {
    assert.match(await refusal(server.url('postgres', SECRET), 'access-denied'), /password/);
    assert.match(await refusal(server.url('postgres', ''), 'access-denied'), /requires a password/);
  });

  test('a database that is not there: names it', async () => {
    assert.match(await refusal(server.url('nowhere'), 'no-such-database'), /"nowhere".*createdb/);
  });

  test('a user who may not set it up: says which right is missing, and leaves nothing', async () => {
    const url = await server.database();
    await server.query(url, `CREATE ROLE guest LOGIN PASSWORD '${SECRET}'`);
    const guest = url.replace(/\/\/.*@/, `//guest:${SECRET}@`);
    assert.match(await refusal(guest, 'not-writable'), /right to create the schema/);
    assert.deepEqual(await server.query(url, "SELECT 1 FROM pg_namespace WHERE nspname = 'underpass'"), []);
  });

  test('a user who may read and not write, and a database that takes no writes, are refused at the start', async () => {
    const url = await server.database();
    await (await openPostgresStore({ url })).close();
    await server.query(
      url,
      `CREATE ROLE reader LOGIN PASSWORD '${SECRET}'; GRANT USAGE ON SCHEMA underpass TO reader;
       GRANT SELECT ON ALL TABLES IN SCHEMA underpass TO reader`,
    );
    const reader = url.replace(/\/\/.*@/, `//reader:${SECRET}@`);
    assert.match(await refusal(reader, 'not-writable'), /lacks rights for this user: .*INSERT/);
    await server.query(url, 'GRANT ALL ON ALL TABLES IN SCHEMA underpass TO reader');
    assert.match(await refusal(reader, 'not-writable'), /USAGE on all sequences/);
    await server.query(url, 'GRANT USAGE ON ALL SEQUENCES IN SCHEMA underpass TO reader');
    const store = await openPostgresStore({ url: reader });
    await create(store);
    await store.close();
    const name = new URL(url).pathname.slice(1);
    await server.query(url, `REVOKE TEMPORARY ON DATABASE ${name} FROM PUBLIC`);
    assert.match(await refusal(reader, 'not-writable'), /TEMPORARY on the database/);
    await server.query(url, `ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    assert.match(await refusal(url, 'not-writable'), /default_transaction_read_only is on/);
    await server.query(server.url(), `ALTER DATABASE ${name} RESET default_transaction_read_only`);
    await server.query(url, 'DROP OWNED BY reader; DROP ROLE reader');
  });

  test('a newer version: names both versions and changes nothing', async () => {
    const url = await server.database();
    await (await openPostgresStore({ url })).close();
    await server.query(url, 'UPDATE underpass.schema_version SET version = 99, oldest = 98');
    assert.match(
      await refusal(url, 'newer-version'),
      new RegExp(`version 99, which programs since version 98 can use;.*versions up to ${migrations.length}`),
    );
  });

  test('many that start at once set it up once, and all serve', async () => {
    const url = await server.database();
    const stores = await Promise.all(Array.from({ length: 12 }, () => openPostgresStore({ url })));
    const made = await Promise.all(stores.map((store) => create(store)));
    assert.equal(new Set(made.map(({ revision }) => revision)).size, 12);
    assert.equal((await server.query(url, 'SELECT 1 FROM underpass.state')).length, 1);
    await Promise.all(stores.map((store) => store.close()));
  });

  const next = [...migrations, 'ALTER TABLE underpass.documents ADD COLUMN colour TEXT'];

  test('an older database is brought up to date once, and keeps its documents', async () => {
    const url = await server.database();
    const store = await openPostgresStore({ url });
    const document = await create(store);
    await store.close();
    await Promise.all(Array.from({ length: 8 }, () => prepare(url, next)));
    const [row] = await server.query(url, 'SELECT id, colour FROM underpass.documents');
    assert.deepEqual({ ...row }, { id: document.id, colour: null });
    // The step adds only, so the former program can start again.
    const again = await openPostgresStore({ url });
    await create(again);
    await again.close();
    await prepare(url, [...next, 'ALTER TABLE underpass.documents DROP COLUMN colour'], next.length);
    assert.match(await refusal(url, 'newer-version'), new RegExp(`since version ${next.length} can use`));
  });

  test('a step waits for transactions of daemons, which fail neither by it nor behind it', async (context) => {
    const url = await server.database();
    const store = await openPostgresStore({ url });
    context.after(() => store.close());
    const holder = new Client(url);
    await holder.connect();
    context.after(() => holder.end());
    // In the order of claims. The step needs both tables in the other order.
    await holder.query('BEGIN; SELECT FROM underpass.bound_names FOR UPDATE');
    const step = `ALTER TABLE underpass.tunnels ADD COLUMN colour TEXT;
      ALTER TABLE underpass.bound_names ADD COLUMN colour TEXT`;
    let isDone = false;
    const migrated = prepare(url, [...migrations, step]).then(() => (isDone = true));
    const waiting = `SELECT FROM pg_locks l JOIN pg_database d ON d.oid = l.database
      WHERE NOT l.granted AND l.mode = 'AccessExclusiveLock' AND d.datname = current_database()`;
    await eventually(async () => assert.equal((await server.query(url, waiting)).length, 1));
    await create(store);
    await holder.query('SELECT FROM underpass.tunnels FOR UPDATE');
    assert.equal(isDone, false);
    await holder.query('COMMIT');
    await migrated;
    await create(store);
  });

  test('a step that a running daemon could not go on with is refused, and names the daemon', async () => {
    const url = await server.database();
    await prepare(url);
    const facts = JSON.stringify({ name: 'edge', version: '1.2.3', schema: migrations.length });
    await server.query(url, `INSERT INTO underpass.nodes (incarnation, facts) VALUES (1, '${facts}')`);
    await prepare(url, next, migrations.length);
    const step = [...next, 'ALTER TABLE underpass.documents DROP COLUMN parent'];
    await assert.rejects(prepare(url, step, next.length), (error) => {
      assert.ok(error instanceof StoreOpenError);
      assert.equal(error.reason, 'older-daemons');
      assert.match(error.message, /the daemon edge of version 1.2.3 .* or stop it/);
      return true;
    });
    assert.equal((await server.query(url, 'SELECT parent FROM underpass.documents')).length, 0);
    await server.query(url, 'UPDATE underpass.nodes SET dead = now()');
    await prepare(url, step, next.length);
  });

  test('reserved domains of an older database are found by what they are below of', async () => {
    const url = await server.database();
    await prepare(url, migrations.slice(0, 3));
    await server.query(
      url,
      "INSERT INTO underpass.documents VALUES ('rd_1', 'ac_1', 'reserved_domain', NULL, '{}', 1, 1)",
    );
    for (const name of ['*.a.example.com', 'b.example.com', 'other.example'])
      await server.query(url, `INSERT INTO underpass.names VALUES ('domain', '${name}', 'rd_1')`);
    const store = await openPostgresStore({ url });
    const found = await store.names({ kind: 'reversed_domain', prefix: 'moc.elpmaxe.', limit: 10 });
    assert.deepEqual(
      found.map(({ value }) => value),
      ['moc.elpmaxe.a.*', 'moc.elpmaxe.b'],
    );
    await store.close();
  });

  test('queued events of an older database are in the queue of their destination, and so are those of older daemons', async () => {
    const url = await server.database();
    await prepare(url, migrations.slice(0, 4));
    const insert = (id: string, kind: string, parent: string) =>
      server.query(
        url,
        `INSERT INTO underpass.documents VALUES ('${id}', 'ac_1', '${kind}', ${parent}, '{"id":"${id}"}', 1, 1)`,
      );
    await insert('ed_1', 'event_destination', 'NULL');
    for (const id of ['evq_2', 'evq_1']) await insert(id, 'queued_event', "'ed_1'");
    const store = await openPostgresStore({ url });
    await insert('evq_3', 'queued_event', "'ed_1'");
    await store.write(() => [{ op: 'enqueue', account: 'ac_1', parent: 'ed_1', text: '{"id":"new"}' }]);
    const query = { account: 'ac_1', parent: 'ed_1', limit: 10 };
    assert.deepEqual(
      (await store.queue(query)).map(({ body }) => body.id),
      ['evq_1', 'evq_2', 'evq_3', 'new'],
    );
    assert.equal(await store.get('evq_3'), null);
    await server.query(url, "DELETE FROM underpass.documents WHERE id = 'ed_1'");
    assert.deepEqual(await store.queue(query), []);
    await store.close();
  });

  test('a step that fails leaves the database as it was', async () => {
    const url = await server.database();
    await (await openPostgresStore({ url })).close();
    await assert.rejects(prepare(url, [...next, 'INSERT INTO nowhere VALUES (1)']), StoreOpenError);
    const store = await openPostgresStore({ url });
    await create(store);
    await store.close();
  });
});
