import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { Type } from '../core/type.ts';
import { catalogue } from '../errors/catalogue.ts';
import { Problem } from '../errors/problem.ts';
import type { StoredKind } from './definition.ts';
import { isObject, type Keywords } from './keywords.ts';
import { resourceKinds } from './kinds/index.ts';
import { body, optional } from './schema.ts';
import { validate } from './validate.ts';

const schema = body({
  name: Type.String({ 'x-max-bytes': 4 }),
  size: optional(Type.Integer({ minimum: 1, maximum: 3 })),
  share: optional(Type.Number({ minimum: 0, maximum: 1 })),
  any: optional(Type.Number()),
  mode: optional(Type.Enum(['', 'on', 'off'], { type: 'string' })),
  inner: optional(
    body({ flag: optional(Type.Boolean()), list: optional(Type.Array(Type.Integer(), { maxItems: 2 })) }),
  ),
  map: optional(Type.Record(Type.String(), Type.String())),
  short: optional(Type.String({ maxLength: 2 })),
  some: optional(Type.Array(Type.String(), { minItems: 1, 'x-missing': 'ipPolicyMissing' })),
  few: optional(Type.Record(Type.String(), Type.String(), { minProperties: 1, maxProperties: 2 })),
});

function problem(value: unknown): Problem {
  try {
    validate(schema, value);
  } catch (error) {
    assert.ok(error instanceof Problem, String(error));
    assert.doesNotMatch(error.message, /\{\w+\}/);
    return error;
  }
  assert.fail('it was accepted');
}

describe('validation of bodies', () => {
  test('a body of the right shape comes back without its nulls', () => {
    const given = {
      name: 'a€',
      size: null,
      share: 0.5,
      mode: '',
      inner: { flag: null, list: [1, 2] },
      map: { '': 'x' },
    };
    assert.deepEqual(validate(schema, given), {
      name: 'a€',
      share: 0.5,
      mode: '',
      inner: { list: [1, 2] },
      map: { '': 'x' },
    });
  });

  test('each fault is named with the place where it is', () => {
    const cases: [unknown, string, string?][] = [
      [undefined, 'bodyNotObject'],
      [[], 'bodyNotObject'],
      [{}, 'fieldMissing', '/name'],
      [{ name: null }, 'fieldMissing', '/name'],
      [{ name: 1 }, 'valueInvalid', '/name'],
      [{ name: 'abcde' }, 'textTooLong', '/name'],
      [{ name: 'a€€' }, 'textTooLong', '/name'],
      [{ name: '', short: '🦊🦊🦊' }, 'textTooLong', '/short'],
      [{ name: 'a', size: 4 }, 'numberOutOfRange', '/size'],
      [{ name: 'a', size: 1.5 }, 'valueInvalid', '/size'],
      [{ name: 'a', size: '1' }, 'valueInvalid', '/size'],
      [{ name: 'a', share: 1.5 }, 'numberOutOfRange', '/share'],
      [{ name: 'a', share: -0.1 }, 'numberOutOfRange', '/share'],
      [{ name: 'a', share: '0.5' }, 'valueInvalid', '/share'],
      [{ name: 'a', share: true }, 'valueInvalid', '/share'],
      [{ name: 'a', any: JSON.parse('1e999') }, 'numberOutOfRange', '/any'],
      [{ name: 'a', mode: 'ON' }, 'valueNotAllowed', '/mode'],
      [{ name: 'a', mode: true }, 'valueInvalid', '/mode'],
      [{ name: 'a', inner: [] }, 'valueInvalid', '/inner'],
      [{ name: 'a', inner: { flag: 'true' } }, 'valueInvalid', '/inner/flag'],
      [{ name: 'a', inner: { list: {} } }, 'valueInvalid', '/inner/list'],
      [{ name: 'a', inner: { list: [1, 2, 3] } }, 'tooManyItems', '/inner/list'],
      [{ name: 'a', inner: { list: [1, null] } }, 'valueInvalid', '/inner/list/1'],
      [{ name: 'a', inner: { 'x/y~z': 1 } }, 'fieldUnknown', '/inner/x~1y~0z'],
      [{ name: 'a', map: { k: {} } }, 'valueInvalid', '/map/k'],
      [{ name: 'a', few: { a: '', b: '', c: '' } }, 'tooManyItems', '/few'],
      [JSON.parse('{"name":"a","__proto__":{"size":1}}'), 'fieldUnknown', '/__proto__'],
      [JSON.parse('{"name":"a","inner":{"__proto__":{"a":1}}}'), 'fieldUnknown', '/inner/__proto__'],
      [{ name: 'a', hasOwnProperty: 1 }, 'fieldUnknown', '/hasOwnProperty'],
    ];
    for (const [value, code, field] of cases) {
      const { code: actual, details } = problem(value);
      assert.deepEqual([actual, details.field], [code, field], JSON.stringify(value));
    }
    assert.deepEqual(problem({ name: 'a', x: 1 }).details.allowed, [
      'name',
      'size',
      'share',
      'any',
      'mode',
      'inner',
      'map',
      'short',
      'some',
      'few',
    ]);
  });

  test('a name as long as a novel does not come back whole', () => {
    assert.ok(problem({ ['x'.repeat(100_000)]: 1 }).message.length < 1000);
    assert.ok(problem({ name: 'a', mode: 'x'.repeat(100_000) }).message.length < 1000);
  });

  test('any JSON is a body or a problem, for every kind', () => {
    const stored = resourceKinds.filter((kind): kind is StoredKind => kind.source === 'stored');
    const schemas = stored.flatMap((kind) => [
      kind.create,
      kind.update,
      ...kind.modules.map((one) => one.write),
    ]);
    for (const one of schemas) {
      const field = fc.constantFrom(...Object.keys(one.properties), '__proto__', 'id');
      fc.assert(
        fc.property(fc.oneof(fc.jsonValue(), fc.dictionary(field, fc.jsonValue())), (value) => {
          try {
            const valid = validate(one, JSON.parse(JSON.stringify(value)));
            for (const name of Object.keys(valid)) assert.ok(Object.hasOwn(one.properties, name));
          } catch (error) {
            assert.ok(error instanceof Problem, String(error));
          }
        }),
        { numRuns: 50 },
      );
    }
  });
});

/** Returns the values that `validate` gives with the errors of a schema. */
function givenAt({
  type,
  enum: choices,
  maxItems,
  maxProperties,
}: Keywords): Record<'x-error' | 'x-missing', string[]> {
  const isNumber = type === 'integer' || type === 'number';
  const count = maxItems ?? maxProperties;
  const outside = isNumber ? ['value', 'minimum', 'maximum'] : ['limit', 'actual'];
  return {
    'x-error': ['field', ...(choices === undefined ? outside : ['value', 'allowed'])],
    'x-missing': ['field', 'actual', ...(count === undefined ? [] : ['limit'])],
  };
}

function* schemasIn(schema: unknown, path: string): Generator<readonly [string, Keywords]> {
  if (Array.isArray(schema)) for (const [at, one] of schema.entries()) yield* schemasIn(one, `${path}/${at}`);
  if (!isObject(schema)) return;
  yield [path, schema];
  for (const [name, one] of Object.entries(schema)) yield* schemasIn(one, `${path}/${name}`);
}

test('the conditions that schemas name are raised with all that their messages have placeholders for', () => {
  let named = 0;
  for (const kind of resourceKinds) {
    const writes = [
      kind.create,
      kind.update,
      kind.elements?.create,
      ...kind.modules.map(({ write }) => write),
    ];
    for (const [path, keywords] of schemasIn(writes, kind.name)) {
      for (const keyword of ['x-error', 'x-missing'] as const) {
        const name = keywords[keyword];
        if (name === undefined || keywords.anyOf !== undefined) continue;
        named += 1;
        const placeholders = Array.from(catalogue[name].message.matchAll(/\{(\w+)\}/g), ([, one]) => one!);
        const left = placeholders.filter((one) => !givenAt(keywords)[keyword].includes(one));
        assert.deepEqual(left, [], `${path} ${keyword} ${name}`);
      }
    }
  }
  assert.ok(named > 100, String(named));
});
