/** The option --oauth-client: users log in with an application of the operator's. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Platform } from '../harness/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'oauth-client-'));
const name = 'shared.underpass.localhost';
let platform: Platform;

before(async () => {
  const file = join(folder, 'google.json');
  writeFileSync(file, '{"client_id": "of the operator", "client_secret": "s3cret"}');
  platform = await Platform.start({ args: ['--oauth-client', `google=${file}`] });
});
after(async () => {
  await platform.stop();
  rmSync(folder, { recursive: true });
});

async function create(path: string, body: object): Promise<string> {
  const { status, json } = await platform.api('POST', path, body);
  assert.equal(status, 201, JSON.stringify(json));
  return json.id as string;
}

test('visitors come back to one address, which hands them on to the name that they came for, with a sealed code', async () => {
  await create('/reserved_domains', { name });
  const backend_id = await create('/backends/http_response', { body: 'inside' });
  const edge = await create('/edges/https', { hostports: [`${name}:443`] });
  const routes = `/edges/https/${edge}/routes`;
  await create(routes, {
    ...{ match_type: 'path_prefix', match: '/', backend: { backend_id } },
    oauth: { provider: { google: {} } },
  });
  const other = await platform.api('POST', routes, {
    ...{ match_type: 'path_prefix', match: '/other' },
    oauth: { provider: { github: {} } },
  });
  assert.equal(other.json.error_code, 'ERR_SERVICE_60339');
  const { status, headers } = await platform.visit(name, { headers: { accept: 'text/html' } });
  assert.equal(status, 302);
  const login = new URL(String(headers.location));
  const shared = `https://idp.underpass.localhost:${platform.port}/oauth2/callback`;
  assert.equal(login.searchParams.get('client_id'), 'of the operator');
  assert.equal(login.searchParams.get('redirect_uri'), shared);
  const state = login.searchParams.get('state');
  const back = await platform.visit(`${shared}?code=a-code&state=${state}`);
  assert.equal(back.status, 302);
  const callback = new URL(String(back.headers.location));
  assert.equal(callback.origin + callback.pathname, `https://${name}:${platform.port}/underpass/callback`);
  assert.doesNotMatch(callback.href, /a-code/);
  const strange = await platform.visit(callback.href, { headers: { accept: 'text/html' } });
  assert.equal(strange.headers['underpass-error-code'], 'ERR_SERVICE_60691', 'another browser');
});

test('that address sends nobody anywhere else', async () => {
  const at = `https://idp.underpass.localhost:${platform.port}`;
  for (const [method, path, status] of [
    ['GET', '/oauth2/callback?code=c&state=made-up', 400],
    ['GET', '/oauth2/callback?code=c', 400],
    ['GET', '/oauth2/callback', 400],
    ['GET', '/?state=x', 404],
    ['POST', '/oauth2/callback?state=x', 405],
  ] as const) {
    const answer = await platform.visit(at + path, { method });
    assert.deepEqual([answer.status, answer.headers.location], [status, undefined], `${method} ${path}`);
  }
});
