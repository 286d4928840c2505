/** The OpenAPI document of a small invented API, with one example of each form that the generator knows. */
import type { Schema } from '../../packages/ui/src/form/openapi.ts';
import type { Document, Operation } from './document.ts';

/** A small API with one of everything that the generator knows. */
export const sampleDocument: Document = {
  paths: {
    '/widgets': {
      get: {
        ...operation('widget_list', 'Widgets', { result: 'WidgetList' }),
        parameters: [{ $ref: '#/components/parameters/Filter' }],
      },
      post: operation('widget_create', 'Widgets', { body: 'WidgetCreate', result: 'Widget', status: 201 }),
    },
    '/widgets/{id}': {
      parameters: [{ name: 'id', in: 'path', description: 'The id of the widget.' }],
      get: operation('widget_get', 'Widgets', { result: 'Widget' }),
      delete: operation('widget_delete', 'Widgets', { status: 204 }),
    },
    '/widgets/{id}/front_cover': {
      put: operation('widget_front_cover_put', 'Widgets', { body: 'Cover', result: 'Cover' }),
    },
    '/widgets/{id}/wake_up': { post: operation('widget_wake_up', 'Widgets', { status: 204 }) },
    '/widgets/{widget_id}/parts': { get: operation('widget_parts_list', 'Widgets', { result: 'PartList' }) },
    '/widgets/{widget_id}/parts/{type}': {
      patch: operation('widget_parts_update', 'Widgets', { body: 'PartUpdate', result: 'Part' }),
    },
    '/widgets/{widget_id}/gadgets': {
      post: operation('gadget_create', 'Gadgets of a widget', {
        body: 'GadgetCreate',
        result: 'Gadget',
        status: 201,
      }),
    },
    '/widgets/{widget_id}/gadgets/{id}': {
      get: operation('gadget_get', 'Gadgets of a widget', { result: 'Gadget' }),
    },
  },
  components: {
    schemas: {
      Widget: object({ id: { type: 'string' } }, ['id']),
      WidgetList: object(
        {
          widgets: { type: 'array', items: { $ref: '#/components/schemas/Widget' } },
          next_page_uri: { type: ['string', 'null'] },
        },
        ['widgets', 'next_page_uri'],
      ),
      WidgetCreate: object({
        name: { anyOf: [{ type: 'string' }, { type: 'null' }], description: 'A text for people.' },
        age: { type: 'integer' },
        shift: { anyOf: [{ enum: ['day', 'night'], type: 'string' }, { type: 'null' }] },
        tags: { type: 'array', items: { type: 'string' } },
        labels: { anyOf: [{ type: 'object', additionalProperties: { type: 'string' } }, { type: 'null' }] },
        cover: { anyOf: [{ $ref: '#/components/schemas/Cover' }, { type: 'null' }] },
        parts: { type: 'array', items: { $ref: '#/components/schemas/Part' } },
      }),
      Cover: object({ enabled: { type: 'boolean' } }),
      Part: object({ type: { type: 'string' } }, ['type']),
      PartList: object({ parts: { type: 'array', items: { $ref: '#/components/schemas/Part' } } }, ['parts']),
      PartUpdate: { type: 'object', properties: {}, additionalProperties: false },
      Gadget: object({ id: { type: 'string' } }, ['id']),
      GadgetCreate: object({ name: { type: 'string' } }, ['name']),
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
