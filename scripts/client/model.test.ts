import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kitchen } from './kitchen.fixture.ts';
import { resourcesOf } from './model.ts';
import { camel, pascal, plural } from './names.ts';

test('resources and verbs are named by the operation ids', () => {
  const named = resourcesOf(kitchen).map(({ name, verbs }) => [name, verbs.map((verb) => verb.name)]);
  assert.deepEqual(named, [
    ['cooks', ['list', 'create', 'get', 'delete', 'put_bread_oven', 'wake_up']],
    ['cook_knives', ['list', 'update']],
    ['dishes', ['create', 'get']],
  ]);
});

test('a verb knows its path, its parameters with their descriptions, its bodies', () => {
  const [cooks, knives] = resourcesOf(kitchen);
  assert.deepEqual(cooks?.verbs[2], {
    name: 'get',
    summary: 'Do: cook_get',
    method: 'GET',
    path: '/cooks/{id}',
    parameters: [{ name: 'id', description: 'Which cook.' }],
    body: null,
    result: 'Cook',
    list: null,
  });
  assert.deepEqual(
    knives?.verbs[1]?.parameters.map(({ name }) => name),
    ['cook_id', 'type'],
  );
  assert.equal(cooks?.verbs[3]?.result, null);
  assert.equal(cooks?.verbs[1]?.body, 'CookCreate');
});

test('a list knows its field, its items, and whether it has pages', () => {
  const [cooks, knives] = resourcesOf(kitchen);
  assert.deepEqual(cooks?.verbs[0]?.list, { key: 'cooks', item: 'Cook', isPaged: true });
  assert.deepEqual(knives?.verbs[0]?.list, { key: 'knives', item: 'Knife', isPaged: false });
});

test('an operation id that is not of its resource stops the generator', () => {
  const { get } = kitchen.paths['/cooks/{id}'] ?? {};
  assert.ok(get);
  const paths = { ...kitchen.paths, '/cooks/{id}': { get: { ...get, operationId: 'chef_get' } } };
  assert.throws(() => resourcesOf({ ...kitchen, paths }), /chef_get does not begin with/);
});

test('two operations that would have the same method stop the generator', () => {
  const { get } = kitchen.paths['/cooks/{id}'] ?? {};
  assert.ok(get);
  const paths = { ...kitchen.paths, '/cooks/{id}/get': { post: get } };
  assert.throws(() => resourcesOf({ ...kitchen, paths }), /two things would be called get of cooks/);
});

test('names are spelt in the ways of the language', () => {
  assert.deepEqual(['tls_edge', 'x_509_key'].map(camel), ['tlsEdge', 'x509Key']);
  assert.equal(pascal('ip_policy_rules'), 'IpPolicyRules');
  assert.deepEqual(['ip_policy', 'api_key', 'address', 'reserved_addr', 'tls_edge'].map(plural), [
    'ip_policies',
    'api_keys',
    'addresses',
    'reserved_addrs',
    'tls_edges',
  ]);
});
