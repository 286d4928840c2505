/**
 * Keys of the monitoring service, verified at a local site.
 * Invariant: only keys that the service rejects are refused.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeChain } from '../../packages/server/src/pki/certificates.fixture.ts';
import { type Answer, eventually, Platform } from '../harness/index.ts';

const SITE = 'intake.example';
const HOST = `http-intake.logs.${SITE}`;

/** Makes a process connect to this port instead of the site's, which tests cannot use. */
function redirection(port: number): string {
  const code = `
    import dns from 'node:dns/promises';
    import { syncBuiltinESMExports } from 'node:module';
    import { Socket } from 'node:net';
    const { lookup } = dns;
    dns.lookup = async (name, ...more) =>
      name === '${HOST}' ? [{ address: '127.0.0.1', family: 4 }] : lookup(name, ...more);
    syncBuiltinESMExports();
    const { connect } = Socket.prototype;
    Socket.prototype.connect = function (...given) {
      const [options] = Array.isArray(given[0]) ? given[0] : given;
      if (options.port === 443) options.port = ${port};
      return connect.apply(this, given);
    };`;
  return `--import=data:text/javascript,${encodeURIComponent(code)}`;
}

test('only a key that the service rejects is refused, when it is given', async (t) => {
  const chain = makeChain(HOST);
  const asked: (string | undefined)[] = [];
  let status: number | null = 403;
  const certificate = { key: chain.key, cert: chain.leaf + chain.intermediate };
  const server = createServer(certificate, (request, answer) => {
    asked.push(String(request.headers['dd-api-key']));
    if (status === null) request.socket.destroy();
    else answer.writeHead(status, { location: 'https://127.0.0.1/' }).end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const folder = mkdtempSync(join(tmpdir(), 'underpass-site-'));
  const root = join(folder, 'root.pem');
  writeFileSync(root, chain.root);
  Object.assign(process.env, {
    NODE_EXTRA_CA_CERTS: root,
    NODE_OPTIONS: redirection((server.address() as AddressInfo).port),
  });
  const platform = await Platform.start({ sites: true, args: ['--allow-private', '127.0.0.0/8'] });
  t.after(async () => {
    await platform.stop();
    server.close();
    server.closeAllConnections();
    rmSync(folder, { recursive: true });
  });
  const destinations = '/event_destinations';
  const target = (api_key: string) => ({ target: { monitoring: { api_key, site: SITE } } });
  const create = () => platform.api('POST', destinations, { format: 'json', ...target('a-key') });

  /**
   * Repeats until the site has responded in time: a key whose site is too slow is not refused, and its destination is
   * removed again.
   */
  const isRefused = (ask: () => Promise<Answer>) =>
    eventually(async () => {
      const { json } = await ask();
      if (json.error_code === undefined) await platform.api('DELETE', `${destinations}/${json.id}`);
      assert.equal(json.error_code, 'ERR_SERVICE_5132');
      assert.equal(json.details.field, '/target/monitoring/api_key');
    });

  for (const rejected of [401, 403]) {
    status = rejected;
    await isRefused(create);
  }
  assert.deepEqual((await platform.api('GET', destinations)).json.event_destinations, []);
  for (const other of [202, 302, 400, 429, 500, null]) {
    status = other;
    assert.equal((await create()).status, 201, String(other));
  }
  const update = (id: string, body: object) => platform.api('PATCH', `${destinations}/${id}`, body);
  let id = '';
  await isRefused(async () => {
    status = 202;
    id = (await create()).json.id;
    status = 403;
    return await update(id, target('another-key'));
  });
  assert.equal((await update(id, { description: 'kept' })).status, 200, 'a key that stays is not tried');
  assert.deepEqual([...new Set(asked)], ['a-key', 'another-key']);
});
