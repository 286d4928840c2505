/** Lists the errors that each operation can return. */

import { canRequireState, type Endpoint } from './endpoints.ts';
import { type JsonMap, jsonContent, reference } from './openapi-json.ts';

/** Errors of an operation, with their headers. */
const OF_OPERATIONS: readonly (readonly [status: number, description: string, header?: string])[] = [
  [400, 'The request is malformed or invalid.'],
  [401, 'The API key is missing or not valid.', 'WWW-Authenticate'],
  [403, 'The API key does not permit this.'],
  [404, 'There is no such resource.'],
  [409, 'The state of another resource is in the way.'],
  [412, 'The resource is in no state that If-Match admits.'],
  [413, 'The body is too large.'],
  [415, 'The body is not JSON, or is encoded.'],
  [
    429,
    'Too many requests. The Retry-After header has the time until the next one can be admitted.',
    'Retry-After',
  ],
  [500, 'Something went wrong inside the service, or it is not known whether a change was done.'],
  [503, 'The store, or the agent of the request, cannot respond at the moment.', 'Retry-After'],
];

/** Errors that a request can get before its operation is known. */
const OF_REQUESTS: typeof OF_OPERATIONS = [
  [405, 'The path does not have this method. The Allow header lists its methods.', 'Allow'],
  [408, 'The request did not arrive completely in time.'],
  [421, 'The Host header is not the name that the TLS connection was made for.'],
  [431, 'The request line and headers are too large.'],
];

export const ANYTIME = `Beside what an operation names, any request can be answered with ${OF_REQUESTS.map(
  ([status]) => status,
).join(', ')}: see components/responses.`;

export const ERROR_SCHEMA: JsonMap = {
  type: 'object',
  required: ['error_code', 'status_code', 'msg', 'details'],
  properties: {
    error_code: { type: 'string', description: 'Distinct for every condition.' },
    status_code: { type: 'integer', description: 'The HTTP status.' },
    msg: { type: 'string', description: 'The fault, the value and the remedy.' },
    details: {
      type: 'object',
      description: 'Details of the condition.',
      required: ['operation_id'],
      properties: {
        operation_id: { type: 'string', description: 'Names this request in the log of the service.' },
        field: { type: 'string', description: 'JSON pointer into the body, or the name of a parameter.' },
        allowed: { type: 'string', description: 'Accepted values, separated by commas.' },
        limit: { type: 'string', description: 'The bound that was passed, in digits.' },
        used_by: {
          type: 'string',
          description: 'Ids of the resources that are in the way, separated by commas.',
        },
      },
      additionalProperties: { type: 'string' },
    },
  },
};

/** Every answer that is an error, as `components.responses`. */
export function errorComponents(): JsonMap {
  const all = [...OF_OPERATIONS, ...OF_REQUESTS];
  return Object.fromEntries(
    all.map(([status, description, header]) => [
      `Error${status}`,
      { description, ...headers(header), content: jsonContent(reference('Error')) },
    ]),
  );
}

function headers(name: string | undefined): JsonMap {
  return name === undefined ? {} : { headers: { [name]: { required: true, schema: { type: 'string' } } } };
}

/** The errors that an operation can answer with. */
export function errorResponses(endpoint: Endpoint): JsonMap {
  const absent = new Set<number>();
  if (endpoint.verb === 'list') absent.add(404);
  if (!canRequireState(endpoint)) absent.add(412);
  if (endpoint.body !== 'json') absent.add(413).add(415);
  if (endpoint.body === 'none' && endpoint.status !== 204) absent.add(409);
  const present = OF_OPERATIONS.filter(([status]) => !absent.has(status));
  return Object.fromEntries(
    present.map(([status]) => [status, { $ref: `#/components/responses/Error${status}` }]),
  );
}
