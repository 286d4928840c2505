/** Requests as clients made by generators send them: every field that they know, unset ones with the zero value of their type. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { samples } from '../../packages/server/src/resources/samples/index.fixture.ts';
import type { JsonObject, JsonValue } from '../../packages/server/src/store/store.ts';
import { Platform } from '../harness/index.ts';
import type { LooseJson as Schema } from '../harness/loose-json.ts';
import { Account, type ApiDocument, documentOf } from './account.fixture.ts';
import { configurations } from './module-configurations.fixture.ts';

let platform: Platform;
let document: ApiDocument;
let account: Account;
before(async () => {
  platform = await Platform.shared();
  document = await documentOf(platform);
  account = new Account(document.operations, platform.bootstrap.api_key, platform);
});
after(() => platform.stop());

function resolved(schema: Schema): Schema {
  const { $ref, anyOf } = schema;
  if ($ref !== undefined) return resolved(document.schemas[$ref.split('/').at(-1)]);
  return anyOf === undefined ? schema : resolved(anyOf.find(({ type }: Schema) => type !== 'null'));
}

/** Returns the value of a generated client for an unset field: objects are null. */
function unset(schema: Schema): JsonValue {
  const { type, additionalProperties } = resolved(schema);
  if (type === 'object') return typeof additionalProperties === 'object' ? {} : null;
  return { string: '', integer: 0, number: 0, boolean: false, array: [] }[type as string] ?? null;
}

function unsetFields(operation: string): JsonObject {
  const { body } = document.operations.find(({ id }) => id === operation)!;
  const { properties } = resolved(body);
  const fields = Object.entries<Schema>(properties).map(([name, schema]): [string, JsonValue] => [
    name,
    unset(schema),
  ]);
  return { ...Object.fromEntries(fields), a_later_field: '', another: [], a_third: null };
}

for (const { kind, parent, body } of samples) {
  test(`${kind} is made and changed by a client that sends every field`, async () => {
    const above = await parent?.(account);
    const plain = await body(account);
    const made = await account.create(kind, { ...unsetFields(`${kind}_create`), id: '', ...plain }, above);
    const path = `${account.path(kind, above)}/${made.id}`;
    assert.deepEqual(
      (await account.call('GET', path)).json,
      'token' in made ? { ...made, token: null } : made,
    );
    const description = 'description' in made ? { description: 'changed' } : { name: 'changed' };
    const changed = await account.call('PATCH', path, { ...unsetFields(`${kind}_update`), ...description });
    assert.equal(changed.status, 200, changed.text);
    assert.equal(changed.json.description ?? changed.json.name, 'changed');
  });
}

test('modules are put as published clients wrap them, and lists are paged as they spell it', async () => {
  const modules = await configurations(account);
  const edge = await account.make('https_edge');
  const edge_id = edge.path.split('/').at(-1)!;
  const routes = `${edge.path}/routes`;
  const route = (await account.call('POST', routes, { edge_id, match_type: 'path_prefix', match: '/' })).json;
  const put = await account.call('PUT', `${routes}/${route.id}/backend`, {
    edge_id,
    id: route.id,
    module: { enabled: true, ...modules.backend },
  });
  assert.equal(put.status, 200, put.text);
  assert.equal(put.json.backend.id, modules.backend?.backend_id);

  const ids = [await account.make('ip_policy'), await account.make('ip_policy')].map(({ id }) => id);
  const page = await account.call('GET', `/ip_policies?limit=1&beforeId=${ids[1]}`);
  assert.deepEqual(
    page.json.ip_policies.map(({ id }: { id: string }) => id),
    [ids[0]],
  );
});

test('the sources of a subscription are listed newest first, and in parts when that is asked for', async () => {
  const types = ['ip_policy_created.v0', 'ip_policy_updated.v0', 'ip_policy_deleted.v0'];
  const { id } = await account.create('event_subscription', { sources: types.map((type) => ({ type })) });
  const path = `/event_subscriptions/${id}/sources`;
  const listed = async (query: string) => {
    const { json } = await account.call('GET', `${path}${query}`);
    assert.deepEqual(Object.keys(json), ['sources', 'uri']);
    return json.sources.map(({ type }: { type: string }) => type);
  };
  assert.deepEqual(await listed(''), types.toReversed());
  assert.deepEqual(await listed('?limit=1'), types.slice(2));
  assert.deepEqual(await listed(`?limit=1&before_id=${types[2]}`), [types[1]]);
  assert.deepEqual(await listed(`?beforeId=${types[1]}`), [types[0]]);
  const nowhere = await account.call('GET', `${path}?before_id=tcp_address_created.v0`);
  assert.deepEqual([nowhere.status, nowhere.json.details.field], [404, 'before_id']);
});

test('a key does as either half of Basic credentials', async () => {
  const { api_key } = platform.bootstrap;
  for (const halves of [`${api_key}:`, `:${api_key}`, `api:${api_key}`]) {
    const authorization = `Basic ${Buffer.from(halves).toString('base64')}`;
    assert.equal((await platform.api('GET', '/tunnels', undefined, { authorization })).status, 200);
  }
  const nobody = `Basic ${Buffer.from('api:nothing').toString('base64')}`;
  const refused = await platform.api('GET', '/tunnels', undefined, { authorization: nobody });
  assert.deepEqual([refused.status, refused.json.error_code], [401, 'ERR_SERVICE_202']);
});

test('a time that is none has a code of its own', async () => {
  const { id } = await account.make('ssh_certificate_authority');
  const { public_key } = (await account.call('GET', `/ssh_certificate_authorities/${id}`)).json;
  const body = { ssh_certificate_authority_id: id, public_key, valid_after: 'tomorrow' };
  const refused = await account.call('POST', '/ssh_host_certificates', body);
  assert.deepEqual([refused.status, refused.json.error_code], [400, 'ERR_SERVICE_241']);
});
