/** HTTP response backends: a fixed answer (specification, section 2.2). */
import { Type } from '../../core/type.ts';
import type { HttpResponseBackendDocument } from '../../documents/index.ts';
import type { StoredKind } from '../definition.ts';
import { patterns } from '../patterns.ts';
import { maxResponseHeaders, parseResponseHeaders } from '../response-headers.ts';
import { body, common, describedWrite, type Input, multiline, nullable, optional, text } from '../schema.ts';

const bodyLimit = 65_536;

const write = body(
  {
    ...describedWrite('backendDescriptionTooLong', 'backendMetadataTooLong'),
    body: optional(
      multiline(text(bodyLimit, 'responseBodyTooLong', 'The content that is answered.', { default: '' })),
    ),
    headers: optional(
      Type.Record(Type.String(), Type.String({ pattern: patterns.headerValue, description: 'A value.' }), {
        propertyNames: { type: 'string', pattern: patterns.headerName },
        maxProperties: maxResponseHeaders,
        'x-error': 'responseHeaderCount',
        description:
          'Headers that are answered. Not possible: those that frame the message or belong to the connection.',
      }),
    ),
    status_code: optional(
      Type.Integer({
        minimum: 200,
        maximum: 599,
        'x-error': 'responseStatusInvalid',
        default: 200,
        description: 'The status that is answered.',
      }),
    ),
  },
  {
    examples: [
      {
        description: 'Says hello',
        body: 'hello from the edge\n',
        headers: { 'content-type': 'text/plain' },
        status_code: 200,
      },
    ],
  },
);

type Fields = Input<typeof write>;

export const httpResponseBackend: StoredKind<HttpResponseBackendDocument, Fields, Fields> = {
  source: 'stored',
  name: 'http_response_backend',
  eventStem: null,
  prefix: 'bkdhr',
  path: '/backends/http_response',
  listKey: 'backends',
  schemaName: 'HTTPResponseBackend',
  summary: 'HTTP response backends',
  description: 'A fixed answer: a body, headers and a status, served by the edge itself.',
  group: 'Backends',
  one: 'an HTTP response backend',
  operations: ['create', 'list', 'get', 'update', 'delete'],
  create: write,
  update: write,
  read: Type.Object({
    ...common,
    body: Type.String(),
    headers: nullable(
      Type.Record(Type.String(), Type.String(), {
        description: 'Names in lower case; null when there are none.',
      }),
    ),
    status_code: Type.Integer(),
  }),
  modules: [],
  references: [],
  inUse: 'backendInUse',

  parse(input, { settings }) {
    return {
      body: {
        description: input.description ?? '',
        metadata: input.metadata ?? '',
        body: input.body ?? '',
        headers: parseResponseHeaders(input.headers ?? {}, settings),
        status_code: input.status_code ?? 200,
      },
    };
  },

  merge({ body: current }, { headers, ...patch }, { settings }) {
    return {
      body: {
        ...current,
        ...patch,
        ...(headers === undefined ? {} : { headers: parseResponseHeaders(headers, settings) }),
      },
    };
  },

  show({ body: { body: content, headers, status_code } }) {
    return { body: content, headers: Object.keys(headers).length === 0 ? null : headers, status_code };
  },
};
