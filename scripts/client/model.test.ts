/**
 * Tests the generator's model of an OpenAPI document.
 * Invariant: a form that the generator does not know is refused.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plural } from '../../packages/ui/src/form/operation-names.ts';
import { resourcesOf } from './model.ts';
import { camel, pascal } from './names.ts';
import { sampleDocument } from './sample-document.fixture.ts';

test('resources and verbs are named by the operation ids', () => {
  const named = resourcesOf(sampleDocument).map(({ name, verbs }) => [name, verbs.map((verb) => verb.name)]);
  assert.deepEqual(named, [
    ['widgets', ['list', 'create', 'get', 'delete', 'put_front_cover', 'wake_up']],
    ['widget_parts', ['list', 'update']],
    ['gadgets', ['create', 'get']],
  ]);
});

test('a verb knows its path, its parameters with their descriptions, its bodies', () => {
  const [widgets, parts] = resourcesOf(sampleDocument);
  assert.deepEqual(widgets?.verbs[2], {
    name: 'get',
    summary: 'Do: widget_get',
    method: 'GET',
    path: '/widgets/{id}',
    parameters: [{ name: 'id', description: 'The id of the widget.' }],
    query: [],
    body: null,
    result: 'Widget',
    list: null,
  });
  assert.deepEqual(
    parts?.verbs[1]?.parameters.map(({ name }) => name),
    ['widget_id', 'type'],
  );
  assert.equal(widgets?.verbs[3]?.result, null);
  assert.equal(widgets?.verbs[1]?.body, 'WidgetCreate');
});

test('operations that belong to no kind keep the name of their topic', () => {
  const get = {
    operationId: 'weather_series_get',
    summary: 'Get the weather',
    tags: ['Weather'],
    parameters: [
      { name: 'limit', in: 'query', schema: { type: 'integer' } },
      { name: 'by', in: 'query', required: true, description: 'Place.', schema: { type: 'string' } },
    ],
    responses: {},
  };
  const topics = { weather: { tag: 'Weather' } };
  const [weather] = resourcesOf({ ...sampleDocument, paths: { '/weather': { get } }, 'x-topics': topics });
  assert.equal(weather?.name, 'weather');
  assert.equal(weather?.verbs[0]?.name, 'get_series');
  assert.deepEqual(weather?.verbs[0]?.query, [
    { name: 'by', required: true, schema: { type: 'string', description: 'Place.' } },
  ]);
});

test('a list knows its field, its items, and whether it has pages', () => {
  const [widgets, parts] = resourcesOf(sampleDocument);
  assert.deepEqual(widgets?.verbs[0]?.list, {
    key: 'widgets',
    item: 'Widget',
    isPaged: true,
    isSelected: true,
  });
  assert.deepEqual(parts?.verbs[0]?.list, { key: 'parts', item: 'Part', isPaged: false, isSelected: false });
});

test('an operation id that is not of its resource stops the generator', () => {
  const { get } = sampleDocument.paths['/widgets/{id}'] ?? {};
  assert.ok(get);
  const paths = { ...sampleDocument.paths, '/widgets/{id}': { get: { ...get, operationId: 'tool_get' } } };
  assert.throws(() => resourcesOf({ ...sampleDocument, paths }), /tool_get does not begin with/);
});

test('two operations that would have the same method stop the generator', () => {
  const { get } = sampleDocument.paths['/widgets/{id}'] ?? {};
  assert.ok(get);
  const paths = { ...sampleDocument.paths, '/widgets/{id}/get': { post: get } };
  assert.throws(() => resourcesOf({ ...sampleDocument, paths }), /two things would be called get of widgets/);
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
