/** Tests of users who only read, and of `GET /me`. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Platform } from '../harness/index.ts';
import { documentOf } from './account.fixture.ts';

let platform: Platform;
let viewer: { readonly id: string };
let key: { readonly id: string; readonly token: string };

before(async () => {
  platform = await Platform.shared();
  ({ json: viewer } = await platform.api('POST', '/users', {
    name: 'Vi',
    email: 'vi@example.com',
    role: 'viewer',
  }));
  ({ json: key } = await platform.api('POST', '/api_keys', { owner_id: viewer.id }));
});
after(() => platform.stop());

const asViewer = () => ({ authorization: `Bearer ${key.token}` });

test('the API refuses a viewer every operation of the document that is no read', async () => {
  const { json, operations } = await documentOf(platform);
  const { paths } = json as { paths: Record<string, Record<string, Record<string, unknown>>> };
  const isOpen = (path: string, method: string) =>
    paths[path]?.[method.toLowerCase()]?.['x-for-viewers'] === true;
  const changes = operations.filter(({ method, path }) => method !== 'GET' && !isOpen(path, method));
  assert.ok(changes.length > 100);
  for (const { method, path } of changes) {
    const target = path.replace(/\{\w+\}/g, 'x');
    const body = method === 'DELETE' ? undefined : {};
    const { status, json } = await platform.api(method, target, body, asViewer());
    assert.deepEqual([status, json.error_code], [403, 'ERR_SERVICE_60950'], `${method} ${path}`);
  }
  const { status } = await platform.api('GET', '/edges/https', undefined, asViewer());
  assert.equal(status, 200);
});

test('a role applies to keys that exist already, from the next request on', async () => {
  const make = (name: string) => platform.api('POST', '/ip_policies', { description: name }, asViewer());
  assert.equal((await make('no')).status, 403);
  assert.equal((await platform.api('PATCH', `/users/${viewer.id}`, { role: 'member' })).status, 200);
  const made = await make('yes');
  assert.equal(made.status, 201);
  assert.equal((await platform.api('PATCH', `/users/${viewer.id}`, { role: 'viewer' })).json.role, 'viewer');
  const removed = await platform.api('DELETE', `/ip_policies/${made.json.id}`, undefined, asViewer());
  assert.equal(removed.status, 403);
  await platform.api('DELETE', `/ip_policies/${made.json.id}`);
});

test('the caller is shown with its role, its key and what is left of its limit', async () => {
  const { json } = await platform.api('GET', '/me', undefined, asViewer());
  assert.equal(json.role, 'viewer');
  assert.deepEqual([json.user.id, json.user.name, json.user.email], [viewer.id, 'Vi', 'vi@example.com']);
  assert.equal(json.api_key.id, key.id);
  assert.equal(json.account.id, platform.bootstrap.account_id);
  assert.deepEqual([json.session, json.address], [null, '127.0.0.1']);
  assert.match(json.version, /^\d+\.\d+\.\d+/);
  assert.equal(json.rate_limit.scope, 'account');
});
