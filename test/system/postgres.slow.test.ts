/**
 * Two daemons on one database.
 * Invariant: a resource that was deleted through one is not served by the other.
 */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openPostgresStore } from '../../packages/server/src/store/postgres/store.ts';
import {
  type Answer,
  curl,
  curlMissing,
  eventually,
  freePorts,
  Platform,
  Postgres,
  Process,
  postgresMissing,
  shareMasterKey,
} from '../harness/index.ts';

// Daemons that share a database share the key that seals what is in it.
shareMasterKey();

const DAEMON = fileURLToPath(import.meta.resolve('../../packages/server/bin/underpassd.js'));

for (const [what, database, exit, message] of [
  [
    'a server that is not there',
    'postgres://u:pa55word@127.0.0.1:1/documents',
    1,
    /cannot be reached.*--database/,
  ],
  [
    'a URL that is none',
    'postgres://u:pa55/word@h/documents',
    2,
    /--database postgres:\/\/\*\*\*@h\/documents: must be/,
  ],
] as const) {
  test(`${what}: a clear error without the password, and exit ${exit}`, async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'underpass-database-'));
    const daemon = Process.node(DAEMON, ['--data-dir', dataDir], { env: { UNDERPASS_DATABASE: database } });
    assert.equal((await daemon.exited).code, exit);
    rmSync(dataDir, { recursive: true });
    assert.match(daemon.output, message);
    assert.doesNotMatch(daemon.output, /pa55|\n\s+at /);
  });
}

describe('two daemons on one PostgreSQL database', { skip: postgresMissing }, () => {
  let server: Postgres;
  let url: string;
  let first: Platform;
  let second: Platform;
  let owner: Platform;

  before(async () => {
    server = await Postgres.start();
    url = await server.database();
    const start = () => Platform.start({ args: ['--database', url] });
    [first, second] = await Promise.all([start(), start()]);
    owner = existsSync(join(first.dataDir, 'bootstrap.json')) ? first : second;
  });
  after(async () => {
    await Promise.all([first?.stop(), second?.stop()]);
    await server?.stop();
  });

  /** A call through either daemon with the key that the first start of all made. */
  async function api(through: Platform, method: string, path: string, body?: unknown): Promise<Answer> {
    const headers = { authorization: `Bearer ${owner.bootstrap.api_key}`, 'service-version': '2' };
    return await through.client.request(new URL(path, `https://api.underpass.localhost:${through.port}`), {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  async function created(through: Platform, path: string, body: unknown): Promise<{ id: string }> {
    const answer = await api(through, 'POST', path, body);
    assert.equal(answer.status, 201, answer.text);
    return answer.json as { id: string };
  }

  test('started together on nothing, they make one account and one authority', async () => {
    const other = owner === first ? second : first;
    assert.ok(!existsSync(join(other.dataDir, 'bootstrap.json')));
    assert.ok(!existsSync(join(other.dataDir, 'bootstrap.json.draft')));
    assert.equal(first.ca, second.ca);
  });

  test('an edge made through one serves at the other, changes there, and is gone there', async () => {
    await created(first, '/reserved_domains', { name: 'shared' });
    const backend = await created(first, '/backends/http_response', { body: 'one', status_code: 200 });
    const edge = await created(second, '/edges/tls', {
      hostports: ['shared.underpass.localhost:443'],
      backend: { backend_id: backend.id },
      tls_termination: { terminate_at: 'edge' },
    });
    const visit = (at: Platform) => at.visit('shared.underpass.localhost');
    for (const at of [second, first]) {
      await eventually(async () => assert.equal((await visit(at)).text, 'one'));
    }
    const patched = await api(second, 'PATCH', `/backends/http_response/${backend.id}`, { body: 'two' });
    assert.equal(patched.status, 200, patched.text);
    await eventually(async () => assert.equal((await visit(first)).text, 'two'));
    assert.equal((await api(first, 'DELETE', `/edges/tls/${edge.id}`)).status, 204);
    await eventually(async () => {
      // A kept-alive connection gets a response, a new one is refused.
      const answer = await visit(second).catch(() => null);
      assert.notEqual(answer?.status, 200);
    });
  });

  test('an IP restriction made through one refuses callers at the other, and ends there', {
    skip: curlMissing,
  }, async () => {
    const refused = async (at: Platform) => {
      const url = `https://api.underpass.localhost:${at.port}/ip_policies`;
      const key = ['-H', `Authorization: Bearer ${owner.bootstrap.api_key}`, '-H', 'Service-Version: 2'];
      const { stdout } = await curl(owner, ['--interface', '127.0.0.2', ...key, url]);
      return stdout.includes('"ERR_SERVICE_220"');
    };
    const policy = await created(first, '/ip_policies', {});
    const rule = { ip_policy_id: policy.id, action: 'allow', cidr: '127.0.0.1/32' };
    await created(first, '/ip_policy_rules', rule);
    const restricted = { type: 'api', enforced: true, ip_policy_ids: [policy.id] };
    const { id } = await created(second, '/ip_restrictions', restricted);
    assert.ok(await refused(second), 'at once where it was made');
    await eventually(async () => assert.ok(await refused(first)));
    assert.equal((await api(first, 'DELETE', `/ip_restrictions/${id}`)).status, 204);
    await eventually(async () => assert.ok(!(await refused(second))));
  });

  test('each logs that there is another one, until that one has gone; a command is none', async () => {
    for (const at of [first, second]) await at.daemon.line(/"another daemon uses this database"/);
    const third = await Platform.start({ args: ['--database', url] });
    await first.daemon.line(/2 other daemons use this database/);
    await third.stop();
    await eventually(() => {
      const last = first.daemon.lines.filter((line) => /use(s)? this database/.test(line)).at(-1);
      assert.match(last ?? '', /another daemon uses/);
    });
    const readyz = await fetch(`http://127.0.0.1:${first.adminPort}/readyz`);
    const { ready, warnings } = (await readyz.json()) as { ready: boolean; warnings: readonly object[] };
    assert.deepEqual([ready, warnings], [true, []]);
    const alone = await server.database();
    const one = await Platform.start({ args: ['--database', alone] });
    const store = await openPostgresStore({ url: alone });
    await store.lastId();
    await eventually(async () => {
      const rows = await server.query(alone, "SELECT FROM pg_stat_activity WHERE query LIKE '%pg_locks%'");
      assert.ok(rows.length > 0, 'it has looked');
    });
    assert.doesNotMatch(one.daemon.output, /another daemon/);
    await store.close();
    await one.stop();
  });

  test('beside a daemon with --alone no other one starts, and it starts beside no other one', async () => {
    const database = await server.database();
    const refused = async (args: readonly string[], message: RegExp) => {
      const dataDir = mkdtempSync(join(tmpdir(), 'underpass-alone-'));
      const [port] = await freePorts(1);
      const place = ['--listen', `127.0.0.1:${port}`, '--data-dir', dataDir, '--database', database];
      const daemon = Process.node(DAEMON, ['serve', '--domain', 'underpass.localhost', ...place, ...args]);
      assert.equal((await daemon.exited).code, 1);
      assert.match(daemon.output, message);
      rmSync(dataDir, { recursive: true });
    };
    const alone = await Platform.start({ args: ['--database', database, '--alone'] });
    await refused([], /a daemon with --alone uses the database/);
    await refused(['--alone'], /another daemon uses the database, and --alone states/);
    await alone.restart();
    await alone.stop();
    const common = await Platform.start({ args: ['--database', database] });
    await refused(['--alone'], /Stop the other daemon, or start this one without --alone/);
    await common.stop();
  });

  test('what a newer daemon has written in a format of its own is as it was for an older one, which goes on with all else', async () => {
    const edge = async (name: string) => {
      await created(first, '/reserved_domains', { name });
      const { id } = await created(first, '/backends/http_response', { body: name, status_code: 200 });
      await created(first, '/edges/tls', {
        hostports: [`${name}.underpass.localhost:443`],
        backend: { backend_id: id },
        tls_termination: { terminate_at: 'edge' },
      });
      return id;
    };
    const backend = await edge('known');
    // As a newer daemon writes.
    await server.query(
      url,
      `BEGIN;
       UPDATE underpass.state SET revision = revision + 1;
       UPDATE underpass.documents d SET format = 1000, body = '{"unheard":"of"}', revision = s.revision
         FROM underpass.state s WHERE d.id = '${backend}';
       INSERT INTO underpass.changes SELECT d.revision, d.id, d.account, d.kind, false FROM underpass.documents d WHERE d.id = '${backend}';
       SELECT pg_notify('underpass', 'newer');
       COMMIT;`,
    );
    for (const at of [first, second]) {
      const refused = await api(at, 'PATCH', `/backends/http_response/${backend}`, { description: 'x' });
      assert.deepEqual([refused.status, refused.json.error_code], [503, 'ERR_SERVICE_60050']);
    }
    await edge('later');
    assert.equal((await first.visit('later.underpass.localhost')).text, 'later');
    await eventually(async () => {
      for (const name of ['known', 'later'])
        assert.equal((await second.visit(`${name}.underpass.localhost`)).text, name);
    });
    assert.match(first.daemon.output, new RegExp(`the document ${backend} has format 1000`));
  });

  test('while the database is away the API says so and the daemons live; then they go on', async () => {
    await server.halt();
    const away = await api(first, 'GET', '/reserved_domains');
    assert.equal(away.status, 503, away.text);
    await server.resume();
    const domain = await created(first, '/reserved_domains', { name: 'afterwards' });
    const there = await api(second, 'GET', `/reserved_domains/${domain.id}`);
    assert.equal(there.status, 200, there.text);
  });

  test('the password is in no line of output', () => {
    const { password } = new URL(url);
    for (const { daemon } of [first, second]) assert.ok(!daemon.output.includes(password));
  });
});
