/** A daemon whose database is behind PgBouncer with its defaults. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import {
  eventually,
  freePorts,
  PgBouncer,
  Platform,
  Postgres,
  Process,
  pgbouncerMissing,
  postgresMissing,
  shareMasterKey,
} from '../harness/index.ts';

shareMasterKey();

const DAEMON = fileURLToPath(import.meta.resolve('../../packages/server/bin/underpassd.js'));

describe('PgBouncer', { skip: postgresMissing || pgbouncerMissing }, () => {
  let server: Postgres;
  before(async () => {
    server = await Postgres.shared();
  });
  after(() => server.stop());

  test('session pooling with its defaults: two daemons serve, hear of each other, and fit into its sessions', async (context) => {
    const database = await server.database();
    const pooler = await PgBouncer.start(database);
    const daemons: Platform[] = [];
    context.after(async () => {
      await Promise.all(daemons.map((daemon) => daemon.stop()));
      await pooler.stop();
    });
    const start = () => Platform.start({ args: ['--database', pooler.url] });
    const first = await start();
    daemons.push(first);
    const second = await start();
    daemons.push(second);
    const api = (at: Platform, method: string, path: string, body?: object) =>
      at.client.request(new URL(path, `https://api.underpass.localhost:${at.port}`), {
        method,
        headers: {
          authorization: `Bearer ${first.bootstrap.api_key}`,
          'service-version': '2',
          'content-type': 'application/json',
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    const create = async (path: string, body: object): Promise<string> => {
      const { status, json, text } = await api(first, 'POST', path, body);
      assert.equal(status, 201, text);
      return json.id;
    };
    // They see each other through it, too.
    for (const { daemon } of daemons) await daemon.line(/another daemon uses this database/);
    await create('/reserved_domains', { name: 'pooled' });
    const backend = await create('/backends/http_response', { body: 'pooled', status_code: 200 });
    await create('/edges/tls', {
      hostports: ['pooled.underpass.localhost:443'],
      backend: { backend_id: backend },
      tls_termination: { terminate_at: 'edge' },
    });
    for (const daemon of daemons)
      await eventually(async () =>
        assert.equal((await daemon.visit('pooled.underpass.localhost')).text, 'pooled'),
      );
    // Many at once, so that both have all the connections that they may have.
    const lists = await Promise.all(
      Array.from({ length: 60 }, (_, at) => api(at % 2 === 0 ? first : second, 'GET', '/reserved_domains')),
    );
    assert.deepEqual(new Set(lists.map(({ status }) => status)), new Set([200]));
    const name = new URL(database).pathname.slice(1);
    const [row] = await server.query(
      server.url(),
      `SELECT count(*) AS count FROM pg_stat_activity WHERE datname = '${name}'`,
    );
    assert.ok(Number(row?.count) <= 12, String(row?.count));
    for (const { daemon } of daemons) assert.doesNotMatch(daemon.output, /"level":50|Warning/);
  });

  for (const mode of ['transaction', 'statement'])
    test(`${mode} pooling is refused at the start, by its name and with the remedy`, async (context) => {
      const pooler = await PgBouncer.start(await server.database(), `pool_mode = ${mode}`);
      const output = await refused(context, pooler.url);
      await pooler.stop();
      assert.match(output, /behind a pooler that shares sessions .*pool_mode = session/s);
    });

  test('a database that the pooler does not have is refused, and "start again" is no advice', async (context) => {
    const pooler = await PgBouncer.start(await server.database());
    const output = await refused(context, pooler.url.replace(/\/test_\w+/, '/nowhere'));
    await pooler.stop();
    assert.match(output, /nowhere\\?" .*(refuses the connection|does not exist|cannot be reached)/);
    assert.doesNotMatch(output, /start again/);
  });

  async function refused(context: TestContext, url: string): Promise<string> {
    const dataDir = mkdtempSync(join(tmpdir(), 'underpass-pgbouncer-'));
    context.after(() => rmSync(dataDir, { recursive: true }));
    const [port] = await freePorts(1);
    const daemon = Process.node(DAEMON, ['serve', '--listen', `127.0.0.1:${port}`, '--data-dir', dataDir], {
      env: { UNDERPASS_DATABASE: url },
    });
    assert.equal((await daemon.exited).code, 1, daemon.output);
    assert.doesNotMatch(daemon.output, /\n\s+at |correct-horse/);
    return daemon.output;
  }
});
