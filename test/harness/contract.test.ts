/** Tests the check of responses: it finds what differs from the document, and accepts everything else. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ApiExchange, Contract } from './contract.ts';

const text = { type: 'string' };
const thing = {
  type: 'object',
  required: ['id', 'part'],
  properties: { id: text, part: { $ref: '#/components/schemas/Part' } },
};
const json = (name: string) => ({ 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } });
const error = (headers?: object) => ({
  description: '',
  ...(headers && { headers }),
  content: json('Error'),
});
const contract = new Contract({
  servers: [{ url: 'https://api.example.com' }],
  paths: {
    '/things': {
      get: {
        parameters: [{ $ref: '#/components/parameters/Limit' }],
        responses: { 200: { content: json('Thing') }, 429: { $ref: '#/components/responses/Error429' } },
      },
    },
    '/shelves/{shelf_id}/things/{id}': {
      patch: {
        requestBody: { content: json('ThingUpdate') },
        responses: { 200: { content: json('Thing') } },
      },
      delete: { responses: { 204: { description: 'Done.' } } },
    },
  },
  components: {
    parameters: { Limit: { name: 'limit', in: 'query' } },
    responses: {
      Error404: error(),
      Error405: error({ Allow: {} }),
      Error429: error({ 'Retry-After': {} }),
    },
    schemas: {
      Part: {
        anyOf: [
          { type: 'object', required: ['size'], properties: { size: { type: 'integer' } } },
          { type: 'null' },
        ],
      },
      Thing: thing,
      ThingUpdate: { type: 'object', properties: { note: text }, additionalProperties: false },
      Error: {
        type: 'object',
        required: ['error_code', 'status_code', 'msg', 'details'],
        properties: {
          error_code: text,
          status_code: { type: 'integer' },
          msg: text,
          details: {
            type: 'object',
            required: ['operation_id'],
            properties: { operation_id: text },
            additionalProperties: text,
          },
        },
      },
    },
  },
});

const id = `t_${'0'.repeat(27)}`;
const whole = { id, part: { size: 1 } };
const problem = (status: number, details: object = {}) => ({
  error_code: 'E_1',
  status_code: status,
  msg: 'No.',
  details: { operation_id: 'op_1', ...details },
});

interface Given {
  readonly method?: string;
  readonly sent?: unknown;
  readonly status?: number;
  readonly headers?: ApiExchange['headers'];
  readonly answer?: unknown;
}

function check(
  path: string,
  { method = 'GET', sent = null, status = 200, headers = {}, answer }: Given,
): void {
  const url = new URL(path, 'https://api.example.com');
  const type = answer === undefined ? undefined : 'application/json';
  contract.check({
    method,
    url,
    sent: sent === null ? null : JSON.stringify(sent),
    status,
    headers: { 'content-type': type, 'underpass-operation-id': 'op_1', ...headers },
    text: answer === undefined ? '' : JSON.stringify(answer),
  });
}

const item = '/shelves/s_1/things/t_1';
const fine: readonly (readonly [string, string, Given])[] = [
  ['a result', '/things?limit=1', { answer: whole }],
  ['a null where one may be', '/things', { answer: { id, part: null } }],
  ['nothing for a 204', item, { method: 'DELETE', status: 204 }],
  [
    'a body that repeats its path',
    item,
    { method: 'PATCH', sent: { shelf_id: 's_1', id: 't_1', note: '' }, answer: whole },
  ],
  [
    'zero values of unknown and known fields',
    item,
    { method: 'PATCH', sent: { note: '', size: 0, parts: {}, more: [] }, answer: whole },
  ],
  [
    'an error with its header',
    '/things',
    { status: 429, headers: { 'retry-after': '1' }, answer: problem(429) },
  ],
  [
    'a method that a path does not have',
    item,
    { method: 'PUT', status: 405, headers: { allow: 'PATCH' }, answer: problem(405) },
  ],
  ['a path that is not there', '/nothing', { status: 404, answer: problem(404) }],
];
const broken: readonly (readonly [string, string, Given, RegExp])[] = [
  [
    'a field that the document does not have',
    '/things',
    { answer: { ...whole, more: 1 } },
    /additional properties/,
  ],
  ['one inside a field', '/things', { answer: { id, part: { size: 1, more: 1 } } }, /additional properties/],
  ['a field left out', '/things', { answer: { id } }, /must have required property 'part'/],
  ['a field of another type', '/things', { answer: { id: 1, part: null } }, /must be string/],
  ['a status that is not documented', '/things', { status: 202, answer: whole }, /does not have this status/],
  [
    'that a method is not there which is',
    '/things',
    { status: 405, headers: { allow: 'POST' }, answer: problem(405) },
    /does not have this status/,
  ],
  ['a body for a 204', item, { method: 'DELETE', status: 204, answer: {} }, /has no body/],
  [
    'another content type',
    '/things',
    { headers: { 'content-type': 'text/plain' }, answer: whole },
    /content type/,
  ],
  ['an error without its header', '/things', { status: 429, answer: problem(429) }, /Retry-After is missing/],
  [
    'a detail of an error that is not documented',
    '/nothing',
    { status: 404, answer: problem(404, { path: '/' }) },
    /additional properties/,
  ],
  ['an error with another status', '/nothing', { status: 404, answer: problem(400) }, /404/],
  ['a result of an operation that is not there', '/nothing', { answer: whole }, /does not have this status/],
  ['a query parameter that was accepted', '/things?all=1', { answer: whole }, /accepted \?all/],
  [
    'a field of a body that was accepted',
    item,
    { method: 'PATCH', sent: { size: 1 }, answer: whole },
    /accepted: .*additional/,
  ],
  [
    'a zero value of a field that takes it, with one that it does not take',
    item,
    { method: 'PATCH', sent: { note: 0, size: 1 }, answer: whole },
    /accepted: .*additional/,
  ],
  [
    'a path repeated wrongly and accepted',
    item,
    { method: 'PATCH', sent: { id: 't_2' }, answer: whole },
    /accepted: .*additional/,
  ],
];

for (const [what, path, given] of fine) test(`goes through: ${what}`, () => check(path, given));
for (const [what, path, given, message] of broken) {
  test(`is found: ${what}`, () => assert.throws(() => check(path, given), { message }));
}
