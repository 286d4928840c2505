/**
 * Tests the type of each form of schema.
 * Invariant: no schema becomes `any`.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Schema } from '../../packages/ui/src/form/openapi.ts';
import { typeOf, writeTypes } from './types.ts';

const CASES: readonly (readonly [Schema, string])[] = [
  [{ type: 'integer', minimum: 1 } as Schema, 'number'],
  [{ type: ['string', 'null'] }, 'string | null'],
  [{ anyOf: [{ type: 'boolean' }, { type: 'null' }] }, 'boolean | null'],
  [{ enum: ['allow', 'deny'], type: 'string' }, '"allow" | "deny"'],
  [{ const: '2', type: 'string' }, '"2"'],
  [{ $ref: '#/components/schemas/Ref' }, 'Ref'],
  [{ $ref: '#/components/schemas/Error' }, 'ErrorBody'],
  [{ type: 'array', items: { type: 'string' } }, 'readonly string[]'],
  [{ type: 'array', items: { type: ['string', 'null'] } }, 'readonly (string | null)[]'],
  [{ type: 'array', items: { type: 'array', items: { type: 'string' } } }, 'readonly (readonly string[])[]'],
  [{ type: 'object', additionalProperties: { type: 'string' } }, 'Readonly<Record<string, string>>'],
  [{ type: 'object', properties: {}, additionalProperties: false }, 'Readonly<Record<string, never>>'],
  [{ type: 'object' }, 'Readonly<Record<string, unknown>>'],
  [{}, 'unknown'],
  [
    { type: 'object', properties: { a: { type: 'string' }, 'b-c': { type: 'null' } }, required: ['a'] },
    '{\nreadonly a: string;\nreadonly "b-c"?: null;\n}',
  ],
  [
    {
      type: 'object',
      properties: { a: { type: 'string', description: 'It ends */ here.' } },
      additionalProperties: { type: 'string' },
    },
    '{\n/** It ends * / here. */\nreadonly a?: string;\nreadonly [key: string]: string | undefined;\n}',
  ],
];

test('every shape of schema has its exact type', () => {
  for (const [schema, type] of CASES) assert.equal(typeOf(schema), type);
});

test('what is not understood is refused, and no type is guessed', () => {
  assert.throws(() => typeOf({ type: 'tuple' }), /schema type tuple/);
  assert.throws(() => typeOf({ contains: {} } as Schema), /keyword contains/);
  assert.throws(() => typeOf({ $ref: 'other.json' }), /leads to no schema/);
});

test('a named schema is an interface when it has fields, else an alias', () => {
  const schemas = {
    A: { type: 'object', properties: { a: { type: 'string' } } },
    B: { type: ['string', 'null'] },
  };
  assert.equal(
    writeTypes({ paths: {}, components: { schemas } }),
    'export interface A {\nreadonly a?: string;\n}\n\nexport type B = string | null;',
  );
});
