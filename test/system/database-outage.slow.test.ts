/** API, visitors and agents while the database is unreachable. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { CuttingProxy } from '../../packages/server/src/store/postgres/cutting-proxy.fixture.ts';
import {
  eventually,
  freePorts,
  Platform,
  Postgres,
  Process,
  postgresMissing,
  startUpstream,
  type Upstream,
  until,
} from '../harness/index.ts';

const DAEMON = fileURLToPath(import.meta.resolve('../../packages/server/bin/underpassd.js'));
const AGENT = fileURLToPath(import.meta.resolve('../../packages/agent/bin/underpass.js'));

describe('a daemon whose PostgreSQL goes away', { skip: postgresMissing }, () => {
  let server: Postgres;
  let proxy: CuttingProxy;
  let daemon: Platform;
  let upstream: Upstream;

  before(async () => {
    server = await Postgres.start();
    proxy = await CuttingProxy.start(await server.database());
    upstream = await startUpstream((_, response) => response.end('served'));
    daemon = await Platform.start({ args: ['--database', proxy.url, '--alone'] });
  });
  after(async () => {
    await daemon?.stop();
    await upstream?.stop();
    await proxy?.stop();
    await server?.stop();
  });

  test('the database goes away in the first write of a first start: that is said, and the next start goes on', async (context) => {
    const fresh = await CuttingProxy.start(await server.database());
    const dataDir = mkdtempSync(join(tmpdir(), 'underpass-outage-'));
    context.after(async () => {
      await fresh.stop();
      rmSync(dataDir, { recursive: true });
    });
    const [port] = await freePorts(1);
    const flags = ['--listen', `127.0.0.1:${port}`, '--data-dir', dataDir, '--database', fresh.url];
    const start = () => Process.node(DAEMON, ['serve', '--domain', 'underpass.localhost', ...flags]);
    const cut = fresh.cutNext('after-commit').then(() => fresh.refuse());
    const first = start();
    await cut;
    assert.equal((await first.exited).code, 1);
    assert.match(first.output, /the database went away during the start .*: start again/);
    assert.doesNotMatch(first.output, /\n\s+at /);

    fresh.isRefusing = false;
    const second = start();
    await second.line(/^ready /);
    await second.stop();
  });

  test('the connection is cut after COMMIT: a condition of its own, and nothing that makes clients repeat it', async () => {
    const cut = proxy.cutNext('after-commit').then(() => proxy.refuse());
    const answer = await daemon.api('POST', '/reserved_domains', { name: 'written' });
    await cut;
    assert.equal(answer.status, 500, answer.text);
    assert.equal(answer.json.error_code, 'ERR_SERVICE_60040');
    assert.equal(answer.headers['retry-after'], undefined);
    assert.match(answer.json.msg, /not known whether/);

    const notBegun = await daemon.api('POST', '/reserved_domains', { name: 'refused' });
    assert.equal(notBegun.json.error_code, 'ERR_SERVICE_60011', notBegun.text);
    assert.match(notBegun.json.msg, /nothing was changed/);

    proxy.isRefusing = false;
    await eventually(async () => {
      const { json } = await daemon.api('GET', '/reserved_domains');
      const names = json.reserved_domains.map(({ domain }: { domain: string }) => domain);
      assert.deepEqual(names, ['written.underpass.localhost']);
    });
  });

  test('the server is stopped: agents come in, take names and serve; one whose credential is not known waits and is not refused', async () => {
    const created = await daemon.api('POST', '/credentials', { acl: ['bind:known.underpass.localhost'] });
    assert.equal(created.status, 201, created.text);
    await server.halt();
    const away = await daemon.api('GET', '/credentials');
    assert.equal(away.json.error_code, 'ERR_SERVICE_60011', away.text);

    const port = String(upstream.port);
    const known = ['--authtoken', created.json.token, '--domain', 'known.underpass.localhost'];
    const agents = [await daemon.agent(['http', port]), await daemon.agent(['http', port, ...known])];
    for (const { url } of agents) assert.equal((await daemon.visit(url)).text, 'served');

    const unknown = `${created.json.token.slice(0, -1)}${created.json.token.endsWith('x') ? 'y' : 'x'}`;
    const { connect_addr, ca_file } = daemon.bootstrap;
    const flags = ['--server', connect_addr, '--ca', ca_file, '--json', '--authtoken', unknown];
    const asked = Process.node(AGENT, ['http', port, ...flags]);
    await server.resume();
    await asked.line(/ERR_SERVICE_107/);
    assert.doesNotMatch(asked.output, /ERR_SERVICE_60011/);
    for (const { url } of agents) assert.equal((await daemon.visit(url)).text, 'served');
  });

  test('an outage is two lines of the log, however many ask and follow meanwhile', async () => {
    const before = daemon.daemon.lines.length;
    const warnings = (): string[] =>
      daemon.daemon.lines
        .slice(before)
        .filter((line) => line.startsWith('{') && (JSON.parse(line) as { level: number }).level >= 40);
    await server.halt();
    for (let n = 0; n < 20; n += 1) {
      const [read, write] = await Promise.all([
        daemon.api('GET', '/credentials'),
        daemon.api('POST', '/reserved_domains', { name: `away${n}` }),
      ]);
      assert.deepEqual([read.status, write.status], [503, 503]);
    }
    const away = warnings();
    assert.equal(away.length, 1, away.join('\n'));
    assert.match(away[0] ?? '', /the store is away/);
    await server.resume();
    await until(() => warnings().length > 1);
    assert.equal((await daemon.api('GET', '/credentials')).status, 200);
    assert.match(warnings()[1] ?? '', /"failures":\d+.*the store is back/);
    assert.equal(warnings().length, 2);
  });
});
