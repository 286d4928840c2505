import type { Document, Operation, Schema } from './document.ts';

/** A small API with one of everything that the generator knows. */
export const kitchen: Document = {
  paths: {
    '/cooks': {
      get: operation('cook_list', 'Cooks', { result: 'CookList' }),
      post: operation('cook_create', 'Cooks', { body: 'CookCreate', result: 'Cook', status: 201 }),
    },
    '/cooks/{id}': {
      parameters: [{ name: 'id', in: 'path', description: 'Which cook.' }],
      get: operation('cook_get', 'Cooks', { result: 'Cook' }),
      delete: operation('cook_delete', 'Cooks', { status: 204 }),
    },
    '/cooks/{id}/bread_oven': {
      put: operation('cook_bread_oven_put', 'Cooks', { body: 'Oven', result: 'Oven' }),
    },
    '/cooks/{id}/wake_up': { post: operation('cook_wake_up', 'Cooks', { status: 204 }) },
    '/cooks/{cook_id}/knives': { get: operation('cook_knives_list', 'Cooks', { result: 'KnifeList' }) },
    '/cooks/{cook_id}/knives/{type}': {
      patch: operation('cook_knives_update', 'Cooks', { body: 'KnifeUpdate', result: 'Knife' }),
    },
    '/cooks/{cook_id}/dishes': {
      post: operation('dish_create', 'Dishes of a cook', { body: 'DishCreate', result: 'Dish', status: 201 }),
    },
    '/cooks/{cook_id}/dishes/{id}': { get: operation('dish_get', 'Dishes of a cook', { result: 'Dish' }) },
  },
  components: {
    schemas: {
      Cook: object({ id: { type: 'string' } }, ['id']),
      CookList: object(
        {
          cooks: { type: 'array', items: { $ref: '#/components/schemas/Cook' } },
          next_page_uri: { type: ['string', 'null'] },
        },
        ['cooks', 'next_page_uri'],
      ),
      CookCreate: object({
        name: { anyOf: [{ type: 'string' }, { type: 'null' }], description: 'For people.' },
        age: { type: 'integer' },
        shift: { anyOf: [{ enum: ['day', 'night'], type: 'string' }, { type: 'null' }] },
        tags: { type: 'array', items: { type: 'string' } },
        labels: { anyOf: [{ type: 'object', additionalProperties: { type: 'string' } }, { type: 'null' }] },
        oven: { anyOf: [{ $ref: '#/components/schemas/Oven' }, { type: 'null' }] },
        knives: { type: 'array', items: { $ref: '#/components/schemas/Knife' } },
      }),
      Oven: object({ enabled: { type: 'boolean' } }),
      Knife: object({ type: { type: 'string' } }, ['type']),
      KnifeList: object({ knives: { type: 'array', items: { $ref: '#/components/schemas/Knife' } } }, [
        'knives',
      ]),
      KnifeUpdate: { type: 'object', properties: {}, additionalProperties: false },
      Dish: object({ id: { type: 'string' } }, ['id']),
      DishCreate: object({ name: { type: 'string' } }, ['name']),
    },
  },
};

function object(properties: Readonly<Record<string, Schema>>, required: readonly string[] = []): Schema {
  return { type: 'object', properties, required };
}

function operation(
  operationId: string,
  tag: string,
  {
    body,
    result,
    status = 200,
  }: { readonly body?: string; readonly result?: string; readonly status?: number },
): Operation {
  const content = (name: string) => ({
    'application/json': { schema: { $ref: `#/components/schemas/${name}` } },
  });
  return {
    operationId,
    summary: `Do: ${operationId}`,
    tags: [tag],
    ...(body === undefined ? {} : { requestBody: { content: content(body) } }),
    responses: { [status]: result === undefined ? {} : { content: content(result) }, 400: {} },
  };
}
