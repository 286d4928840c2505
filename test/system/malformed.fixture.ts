/** Generators of what a client should not send, made of schemas and good bodies. */
import fc from 'fast-check';
import type { JsonValue } from '../../packages/server/src/store/store.ts';
import type { LooseJson as Schema } from '../harness/loose-json.ts';

/** Text that something on the way may take for something else. */
export const texts = fc.oneof(
  fc.constantFrom(
    ...[
      '',
      ' ',
      '\0',
      'a\0b',
      '\ud800',
      '\u202e',
      '💥'.repeat(70),
      'x'.repeat(5000),
      '%00',
      '../..',
      "' OR 1=1 --",
    ],
    ...[
      '*',
      '*.*',
      'bind:*',
      'bind:\0=a',
      '::1',
      '0.0.0.0/0',
      '::/0',
      'a.example.com:443',
      '{field}',
      '\r\nx: y',
    ],
    ...[
      'true',
      'null',
      '9999-12-31T23:59:59Z',
      '-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----',
    ],
    ...[
      'ssh-ed25519 AAAA',
      '<a/>',
      'toString',
      '__proto__',
      `ipp_${'0'.repeat(27)}`,
      `bkdhr_${'z'.repeat(27)}`,
      'bkdhr_\0',
      'ipp_\ud800',
      'ca_\0',
      'ed_\0',
      'usr_\0',
      '/\0',
      '/\ud800',
      '/a',
      'ip_policy_created.v0',
    ],
  ),
  fc.string({ unit: 'binary', maxLength: 30 }),
);
const numbers = fc.oneof(fc.integer(), fc.constantFrom(0, -1, 1e308, 2 ** 53, 0.5, 2 ** 31, 4_294_967_296));
const anything = fc.oneof(
  texts,
  numbers,
  fc.boolean(),
  fc.constant(null),
  fc.array(texts, { maxLength: 3 }),
  fc.dictionary(texts, texts, { maxKeys: 3 }),
);

/** Values of roughly the shape of a schema: now and then a part of it is something else. */
export function shaped(schema: Schema, schemas: Schema): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 8, arbitrary: exactly(schema, schemas) }, { weight: 1, arbitrary: anything });
}

function exactly(schema: Schema, schemas: Schema): fc.Arbitrary<unknown> {
  if (schema.$ref !== undefined) return exactly(schemas[schema.$ref.split('/').at(-1)], schemas);
  if (schema.anyOf !== undefined)
    return fc.oneof(...schema.anyOf.map((one: Schema) => exactly(one, schemas)));
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  switch (schema.type) {
    case 'object': {
      if (schema.properties === undefined)
        return fc.dictionary(texts, shaped(schema.additionalProperties ?? {}, schemas), { maxKeys: 4 });
      const fields = Object.entries(schema.properties).map(
        ([name, part]) => [name, shaped(part, schemas)] as const,
      );
      return fc.record(Object.fromEntries(fields), { requiredKeys: [] });
    }
    case 'array':
      return fc.array(shaped(schema.items, schemas), { maxLength: 4 });
    case 'string':
      return texts;
    case 'integer':
    case 'number':
      return numbers;
    case 'boolean':
      return fc.boolean();
    default:
      return anything;
  }
}

/** A good body in which one value, however deep, is something else. */
export function malformed(value: JsonValue): fc.Arbitrary<unknown> {
  if (value === null || typeof value !== 'object') return fc.oneof(texts, texts, anything);
  const entries = Object.entries(value);
  if (entries.length === 0) return anything;
  const choices = entries.map(([key, part]) =>
    malformed(part).map((other) =>
      Array.isArray(value) ? value.with(Number(key), other) : { ...value, [key]: other },
    ),
  );
  return fc.oneof(...choices);
}
