import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { startApi } from './api.fixture.ts';

type Loose = { readonly [key: string]: Loose };

async function served(t: Parameters<typeof startApi>[0]): Promise<Loose> {
  const { request } = await startApi(t);
  const answer = await request('GET', '/openapi.json', {
    authorization: undefined,
    'service-version': undefined,
  });
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('content-type'), 'application/json');
  return answer.json as unknown as Loose;
}

test('the document is served to anyone and is valid OpenAPI 3.1', async (t) => {
  const document = await served(t);
  const validator = new Validator();
  const result = await validator.validate(structuredClone(document) as Record<string, unknown>);
  assert.deepEqual(result.errors, undefined);
  assert.equal(result.valid, true);
  assert.equal(validator.version, '3.1');
});

test('every operation of every kind is in it, and nothing else', async (t) => {
  const { paths } = await served(t);
  const operations = Object.entries(paths!).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) =>
      method === 'parameters' ? [] : [`${method.toUpperCase()} ${path} ${String(operation.operationId)}`],
    ),
  );
  assert.deepEqual(operations, [
    'GET /kitchen/cooks cook_list',
    'POST /kitchen/cooks cook_create',
    'GET /kitchen/cooks/{id} cook_get',
    'PATCH /kitchen/cooks/{id} cook_update',
    'DELETE /kitchen/cooks/{id} cook_delete',
    'GET /kitchen/cooks/{id}/pan cook_pan_get',
    'PUT /kitchen/cooks/{id}/pan cook_pan_put',
    'DELETE /kitchen/cooks/{id}/pan cook_pan_delete',
    'GET /kitchen/cooks/{id}/oven cook_oven_get',
    'PUT /kitchen/cooks/{id}/oven cook_oven_put',
    'DELETE /kitchen/cooks/{id}/oven cook_oven_delete',
    'DELETE /kitchen/cooks/{id}/apron cook_apron_delete',
    'GET /dishes dish_list',
    'GET /dishes/{id} dish_get',
  ]);
});

test('schemas with a name stand once and are referred to', async (t) => {
  const { components } = await served(t);
  const schemas = components!.schemas!;
  assert.deepEqual(Object.keys(schemas).sort(), [
    'Cook',
    'CookCreate',
    'CookList',
    'CookUpdate',
    'Dish',
    'DishList',
    'Error',
    'Oven',
    'OvenMutate',
    'Pan',
    'Ref',
  ]);
  assert.deepEqual(schemas.Cook!.properties!.friend, {
    anyOf: [{ $ref: '#/components/schemas/Ref' }, { type: 'null' }],
  });
  assert.deepEqual(schemas.Cook!.properties!.labels, {
    type: 'object',
    additionalProperties: { type: 'string' },
  });
  assert.deepEqual(schemas.Oven!.properties!.dish, { $ref: '#/components/schemas/Ref' });
  assert.doesNotMatch(JSON.stringify(schemas), /\$id|x-error|x-missing/);
});

test('the version header, the bearer key and the errors are part of every operation', async (t) => {
  const { paths, components, security } = await served(t);
  assert.deepEqual(security, [{ bearer: [] }]);
  assert.equal(components!.parameters!.Version!.name, 'Service-Version');
  for (const item of Object.values(paths!)) {
    assert.ok(JSON.stringify(item.parameters).includes('#/components/parameters/Version'));
    for (const [method, operation] of Object.entries(item)) {
      if (method === 'parameters') continue;
      for (const status of ['400', '401', '403', '429', '500', '503'])
        assert.ok(operation.responses![status], status);
    }
  }
});
