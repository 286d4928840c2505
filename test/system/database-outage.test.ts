/** What API, visitors and agents meet while the database is away. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { CuttingProxy } from '../../packages/server/src/store/postgres/cutting-proxy.fixture.ts';
import { eventually, Platform, Postgres, postgresMissing } from '../harness/index.ts';

describe('a daemon whose PostgreSQL goes away', { skip: postgresMissing, timeout: 110_000 }, () => {
  let server: Postgres;
  let proxy: CuttingProxy;
  let daemon: Platform;

  before(async () => {
    server = await Postgres.start();
    proxy = await CuttingProxy.start(await server.database());
    daemon = await Platform.start({ args: ['--database', proxy.url] });
  });
  after(async () => {
    await daemon?.stop();
    await proxy?.stop();
    await server?.stop();
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
});
