import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from '../type.ts';
import { fieldsOf } from './fields.ts';
import { type FilterFault, isFilterFault, MOST_BYTES, MOST_TERMS } from './filter.ts';
import { matches } from './match.ts';
import { parseFilter } from './parse.ts';

const Policy = Type.Object({ id: Type.String(), uri: Type.String() });

const fields = fieldsOf(
  Type.Object({
    id: Type.String(),
    created_at: Type.String({ format: 'date-time' }),
    description: Type.String(),
    status: Type.Enum(['online', 'offline']),
    code: Type.Integer(),
    hostports: Type.Array(Type.String()),
    labels: Type.Record(Type.String(), Type.String()),
    guard: Type.Union([
      Type.Object({ enabled: Type.Boolean(), ip_policies: Type.Array(Policy) }),
      Type.Null(),
    ]),
    secret: Type.String({ writeOnly: true }),
  }),
);

const shop = {
  id: 'edghts_2',
  created_at: '2026-03-01T10:00:00Z',
  description: 'The Shop',
  status: 'online',
  code: 502,
  hostports: ['shop.example.com:443', 'www.example.com:443'],
  labels: { app: 'web', 'kubernetes.io/name': 'shop' },
  guard: {
    enabled: true,
    ip_policies: [
      { id: 'ipp_1', uri: 'u' },
      { id: 'ipp_2', uri: 'u' },
    ],
  },
  secret: 'x',
};

function isMatched(text: string, value: object = shop): boolean {
  const filter = parseFilter(text, fields);
  if (isFilterFault(filter)) assert.fail(`${text}: ${JSON.stringify(filter)}`);
  return matches(filter, value);
}

test('a filter selects by text, number, time, choice, truth, map and list', () => {
  const holding = [
    'id = edghts_2',
    'id = "edghts_2"',
    'id != edghts_1',
    'id > edghts_1 and id <= edghts_2',
    'description contains shop',
    'description starts_with "the s"',
    'status = online',
    'status != offline',
    'status contains ON',
    'code >= 500 and code < 600',
    'code = 502.0 and code > -1',
    'created_at >= 2026-03-01',
    'created_at = 2026-03-01T11:00:00+01:00',
    'created_at < "2026-03-01T10:00:01z"',
    'hostports = www.example.com:443',
    'hostports starts_with shop.',
    'labels.app = web',
    'labels."kubernetes.io/name" = shop',
    'labels.other = null',
    'guard.enabled = true',
    'guard.ip_policies.id = ipp_2',
    'guard != null',
    '  id=edghts_2\tand\ncode!=1 ',
  ];
  for (const text of holding) assert.equal(isMatched(text), true, text);
  const failing = [
    'id = edghts_1',
    'id = EDGHTS_2',
    'id contains x',
    'code > 502',
    'created_at < 2026-03-01',
    'status = offline',
    'hostports != www.example.com:443',
    'labels.app = null',
    'labels.constructor != null',
    'guard.ip_policies.id != ipp_1',
    'guard.enabled = false',
    'guard = null',
    'id = edghts_2 and code = 1',
  ];
  for (const text of failing) assert.equal(isMatched(text), false, text);
});

test('a field without a value equals null only, and is less or greater than nothing', () => {
  const empty = { id: 'a', created_at: '', hostports: [], guard: null };
  for (const text of [
    'guard = null',
    'hostports = null',
    'code = null',
    'code != 5',
    'guard.enabled != true',
  ])
    assert.equal(isMatched(text, empty), true, text);
  for (const text of [
    'hostports contains ""',
    'code < 5',
    'code >= 0',
    'created_at < 2030-01-01',
    'guard != null',
  ])
    assert.equal(isMatched(text, empty), false, text);
});

function faultOf(text: string): FilterFault {
  const filter = parseFilter(text, fields);
  if (isFilterFault(filter)) return filter;
  assert.fail(`${text} is a filter`);
}

test('a fault names its position and what is possible', () => {
  const at = (text: string) => {
    const fault = faultOf(text);
    return [fault.fault, 'position' in fault ? fault.position : null];
  };
  const cases: readonly (readonly [string, string, number])[] = [
    ['', 'syntax', 1],
    ['  ', 'syntax', 3],
    ['id', 'syntax', 3],
    ['id =', 'syntax', 5],
    ['id == a', 'syntax', 5],
    ['id = a b', 'syntax', 8],
    ['id = a or id = b', 'syntax', 8],
    ['id = a and', 'syntax', 11],
    ['id = and', 'syntax', 6],
    ['id like a', 'syntax', 4],
    ['"id = a', 'syntax', 1],
    ['id = "a', 'syntax', 6],
    ['id = "\\x"', 'syntax', 6],
    ['id = "\\ud800"', 'syntax', 6],
    ["id = 'a'", 'syntax', 6],
    ['(id = a)', 'syntax', 1],
    ['id. = a', 'syntax', 4],
    ['description = "😀" and nothing = 1', 'field', 23],
    ['secret = x', 'field', 1],
    ['__proto__ = x', 'field', 1],
    ['id.length = 1', 'field', 4],
    ['guard.other = 1', 'field', 7],
    ['code contains 5', 'operator', 6],
    ['status > online', 'operator', 8],
    ['guard > 1', 'operator', 7],
    ['status = away', 'value', 10],
    ['code = many', 'value', 8],
    ['code = 0x10', 'value', 8],
    ['code > null', 'value', 8],
    ['created_at > 2026-02-30', 'value', 14],
    ['guard = {}', 'value', 9],
    ['guard.enabled = yes', 'value', 17],
  ];
  for (const [text, fault, position] of cases) assert.deepEqual(at(text), [fault, position], text);
  assert.deepEqual(faultOf('guard.other = 1'), {
    fault: 'field',
    position: 7,
    field: 'guard.other',
    allowed: ['enabled', 'ip_policies'],
  });
});

test('bytes and terms of a filter are limited', () => {
  const terms = (count: number) => Array<string>(count).fill('code = 1').join(' and ');
  assert.equal(isFilterFault(parseFilter(terms(MOST_TERMS), fields)), false);
  assert.deepEqual(faultOf(terms(MOST_TERMS + 1)), { fault: 'terms', limit: MOST_TERMS });
  const text = (bytes: number) => `id = ${'ä'.repeat((bytes - 5) / 2)}`;
  assert.equal(isFilterFault(parseFilter(text(MOST_BYTES + 1).slice(0, -1), fields)), false);
  assert.deepEqual(faultOf(text(MOST_BYTES + 1)), {
    fault: 'bytes',
    actual: MOST_BYTES + 1,
    limit: MOST_BYTES,
  });
});
