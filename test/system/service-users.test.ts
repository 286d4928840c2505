/**
 * Service users, the newer name of bot users, for older and newer clients.
 * Invariant: both names show the same users.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Platform, startUpstream, type Upstream } from '../harness/index.ts';

let platform: Platform;
let upstream: Upstream;

before(async () => {
  platform = await Platform.shared();
  upstream = await startUpstream((_request, response) => response.end('ok'));
});
after(async () => {
  await platform.stop();
  await upstream.stop();
});

test('a service user runs an agent until it is made inactive as a bot user', async () => {
  const made = await platform.api('POST', '/service_users', { name: 'edge of the pier' });
  assert.equal(made.status, 201, made.text);
  const service = made.json;
  assert.match(service.id, /^service_[0-9A-Za-z]{27}$/);
  const bot = service.id.replace('service_', 'bot_');
  const own = { owner_id: service.id };
  const { json: key } = await platform.api('POST', '/api_keys', own);
  const { json: credential } = await platform.api('POST', '/credentials', own);
  assert.deepEqual([key.owner_id, credential.owner_id], [service.id, service.id]);
  const asService = { authorization: `Bearer ${key.token}` };
  const { process, url } = await platform.agent([
    'http',
    String(upstream.port),
    '--authtoken',
    credential.token,
  ]);
  assert.equal((await platform.visit(url)).text, 'ok');
  const refused = await platform.api('POST', '/service_users', { name: 'another' }, asService);
  assert.deepEqual([refused.status, refused.json.error_code], [403, 'ERR_SERVICE_4111']);

  const { json: stopped } = await platform.api('PATCH', `/bot_users/${bot}`, { active: false });
  assert.deepEqual([stopped.id, stopped.active], [bot, false]);
  const { status, json } = await platform.api('GET', '/tunnels', undefined, asService);
  assert.deepEqual([status, json.error_code], [403, 'ERR_SERVICE_60140']);
  assert.equal((await process.exited).code, 1);

  const inUse = await platform.api('DELETE', new URL(service.uri).pathname);
  assert.deepEqual([inUse.status, inUse.json.error_code], [409, 'ERR_SERVICE_60615']);
  for (const owned of [
    `/api_keys/${key.id}`,
    `/credentials/${credential.id}`,
    `/service_users/${service.id}`,
  ])
    assert.equal((await platform.api('DELETE', owned)).status, 204, owned);
  assert.equal((await platform.api('GET', `/bot_users/${bot}`)).status, 404);
});

test('the list of service users is that of bot users, page by page at its own path', async () => {
  const { json: first } = await platform.api('POST', '/bot_users', { name: 'first' });
  const { json: second } = await platform.api('POST', '/service_users', { name: 'second' });
  const { json: page } = await platform.api('GET', '/service_users?limit=1');
  const uri = `${platform.bootstrap.base_url}/service_users`;
  assert.deepEqual(page, {
    service_users: [second],
    uri,
    next_page_uri: `${uri}?before_id=${second.id}&limit=1`,
  });
  const { pathname, search } = new URL(page.next_page_uri);
  const next = await platform.api('GET', `${pathname}${search}`);
  assert.deepEqual(
    next.json.service_users.map(({ name }: { readonly name: string }) => name),
    ['first'],
  );
  const { json: bots } = await platform.api('GET', '/bot_users');
  assert.deepEqual(bots.bot_users[1], first);

  for (const path of [`/service_users/${first.id}`, `/service_users?before_id=${first.id}`]) {
    const wrong = await platform.api('GET', path);
    assert.deepEqual([wrong.status, wrong.json.error_code], [400, 'ERR_SERVICE_227'], path);
  }
});
