import assert from 'node:assert/strict';
import { test } from 'node:test';
import TypeBox from 'typebox';
import { Type } from './type.ts';

/** Builds the same schemas with both. The results do not depend on the order or number of calls. */
function schemas(make: typeof Type): Readonly<Record<string, object>> {
  const more = { description: 'said of it', default: null };
  const text = make.String({ maxLength: 3 });
  return {
    text,
    integer: make.Integer(more),
    number: make.Number(more),
    boolean: make.Boolean(more),
    null: make.Null(more),
    choice: make.Enum(['a', 'b'], { type: 'string', ...more }),
    list: make.Array(text, { maxItems: 2, ...more }),
    union: make.Union([text, make.Null()], more),
    map: make.Record(make.String(), text, more),
    object: make.Object({ needed: text, other: make.Optional(text) }, { additionalProperties: false }),
    'object that needs nothing': make.Object({ other: make.Optional(text) }),
    'object of nothing': make.Object({}),
  };
}

test('schemas are those that TypeBox makes, to the order of their keywords', () => {
  const expected = schemas(TypeBox);
  for (const [name, schema] of Object.entries(schemas(Type)))
    assert.equal(JSON.stringify(schema), JSON.stringify(expected[name]), name);
});

test('a schema is not changed by being optional elsewhere', () => {
  const text = Type.String();
  Type.Optional(text);
  assert.deepEqual(Type.Object({ text }), { type: 'object', required: ['text'], properties: { text } });
});
