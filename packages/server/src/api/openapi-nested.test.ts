/** Tests of the names of objects inside schemas. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resourceSurfaces } from '../resources/kinds/index.ts';
import { openApiDocument } from './openapi.ts';
import { isMap } from './openapi-annotations.ts';
import type { Json, JsonMap } from './openapi-json.ts';
import { nameNested } from './openapi-nested.ts';

const ref = (name: string): JsonMap => ({ $ref: `#/components/schemas/${name}` });
const object = (properties: JsonMap, more: JsonMap = {}): JsonMap => ({
  type: 'object',
  properties,
  ...more,
});
const text: JsonMap = { type: 'string' };

test('equal objects share a name, by what is read at their place', () => {
  const key = object({ id: text, secret: text });
  const schemas: JsonMap = {
    Key: object({ id: text }),
    Target: object({ key: ref('Key'), size: object({ height: text }), empty: { type: 'object' } }),
    TargetCreate: object({
      key: { anyOf: [key, { type: 'null' }], description: 'A key.' },
      other_key: { ...key, description: 'Another.', default: { properties: 1 } },
      list: { type: 'array', items: key },
    }),
    TargetUpdate: object({ key: object({ secret: text }), list: { type: 'array', items: key } }),
  };
  nameNested(schemas);
  assert.deepEqual(Object.keys(schemas).sort(), [
    ...['Key', 'KeyMutate', 'KeyUpdate', 'Target', 'TargetCreate'],
    ...['TargetListMutate', 'TargetOtherKeyMutate', 'TargetSize', 'TargetUpdate'],
  ]);
  const { key: created, other_key, list } = (schemas.TargetCreate as JsonMap).properties as JsonMap;
  assert.deepEqual(created, { anyOf: [ref('KeyMutate'), { type: 'null' }], description: 'A key.' });
  assert.deepEqual(other_key, { ...ref('TargetOtherKeyMutate'), description: 'Another.' });
  assert.deepEqual(list, { type: 'array', items: ref('TargetListMutate') });
  assert.deepEqual(schemas.KeyUpdate, object({ secret: text }));
});

test('no object of the document is without a name', () => {
  const settings = { baseUrl: 'https://api.example.com', versionHeaders: ['Service-Version'] };
  const { components } = openApiDocument(resourceSurfaces, settings) as { components: JsonMap };
  const nameless: string[] = [];
  const look = (value: Json, path: string): void => {
    if (Array.isArray(value)) for (const one of value) look(one, path);
    if (!isMap(value)) return;
    if (value.type === 'object' && isMap(value.properties) && path.includes('/')) nameless.push(path);
    for (const [key, part] of Object.entries(value))
      if (!['default', 'examples'].includes(key)) look(part, `${path}/${key}`);
  };
  const { schemas } = components as { schemas: JsonMap };
  for (const [name, schema] of Object.entries(schemas)) look(schema, name);
  assert.deepEqual(nameless, []);
  for (const name of Object.keys(schemas)) assert.doesNotMatch(name, /[a-z]\d+$/);
  for (const name of ['EventTargetMutate', 'CloudCredentialsMutate', 'EndpointOAuthProviderMutate'])
    assert.ok(name in schemas, name);
});
