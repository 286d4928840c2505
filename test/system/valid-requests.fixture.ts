/**
 * Requests that the document admits.
 * Invariant: every value is valid by its schema.
 */
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import type { LooseJson as Schema } from '../harness/loose-json.ts';

/** Plain texts, and further texts of people. */
const plain = fc.string({ unit: fc.constantFrom(...'abcXYZ019 -_.,:;!?/@#%&=+*äß✓\n'), maxLength: 20 });
const times = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((date) => `${date.toISOString().slice(0, 19)}Z`);
/** Spelling in patterns. A few of these letters stand for all. */
const BEYOND_ASCII = '[^\\x00-\\x7f]';
const expressions = fc.constantFrom('curl', '^Mozilla/5\\.0', '(?i)bot', '[a-z]{2,8}/\\d+', '');

export class ValidRequests {
  readonly #document: Schema;
  /** An id of each kind that there is, by the kind's name. */
  readonly #ids: ReadonlyMap<string, string>;
  readonly #ajv = new Ajv2020({ strict: false, validateSchema: false, validateFormats: false });

  constructor(document: object, ids: ReadonlyMap<string, string>) {
    this.#document = document;
    this.#ids = ids;
    this.#ajv.addSchema(document, 'document');
  }

  /** Bodies that a component of the document describes; null where there is none, because an id of something is missing. */
  bodies($ref: string): fc.Arbitrary<unknown> {
    const validate = this.#ajv.getSchema(`document${$ref}`);
    if (validate === undefined) throw new Error(`there is no schema ${$ref}`);
    return this.#value({ $ref }, 0).filter((body) => validate(body) as boolean);
  }

  #value(schema: Schema, depth: number): fc.Arbitrary<unknown> {
    if (schema.$ref !== undefined)
      return this.#value(this.#document.components.schemas[schema.$ref.split('/').at(-1)], depth);
    if (schema.anyOf !== undefined) return this.#optional(schema, depth);
    if (schema['x-refers-to'] !== undefined) return this.#id(schema);
    if (schema.const !== undefined) return fc.constant(schema.const);
    if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
    switch (schema.type) {
      case 'object':
        return this.#object(schema, depth);
      case 'array':
        return this.#array(schema, depth);
      case 'string':
        return text(schema);
      case 'integer':
        return fc.integer({ min: schema.minimum, max: schema.maximum });
      case 'number':
        return fc.double({ min: schema.minimum, max: schema.maximum, noNaN: true });
      case 'boolean':
        return fc.boolean();
      case 'null':
        return fc.constant(null);
      default:
        throw new Error(`no value of ${JSON.stringify(schema)}`);
    }
  }

  /** A field that may be null carries its annotations outside. */
  #optional({ anyOf, ...annotations }: Schema, depth: number): fc.Arbitrary<unknown> {
    const options = anyOf.map((one: Schema) => ({
      weight: one.type === 'null' ? 1 : 4,
      arbitrary: this.#value(one.type === 'null' ? one : { ...annotations, ...one }, depth),
    }));
    return fc.oneof(...options);
  }

  #id(schema: Schema): fc.Arbitrary<string> {
    const ids = schema['x-refers-to'].flatMap((kind: string) => this.#ids.get(kind) ?? []);
    return fc.constantFrom(...ids, ...(new RegExp(schema.pattern).test('') ? [''] : []));
  }

  #array({ items, minItems = 0, maxItems = 3, uniqueItems }: Schema, depth: number): fc.Arbitrary<unknown> {
    const bounds = { minLength: minItems, maxLength: Math.min(3, maxItems) };
    const item = this.#value(items, depth + 1);
    return uniqueItems
      ? fc.uniqueArray(item, { ...bounds, selector: (value) => JSON.stringify(value) })
      : fc.array(item, bounds);
  }

  #object(schema: Schema, depth: number): fc.Arbitrary<unknown> {
    const { properties, additionalProperties, propertyNames, minProperties = 0, oneOf } = schema;
    if (properties === undefined) {
      const keys = this.#value(propertyNames ?? { type: 'string' }, depth + 1) as fc.Arbitrary<string>;
      const bounds = { minKeys: minProperties, maxKeys: Math.max(minProperties, 3), noNullPrototype: true };
      return fc.dictionary(keys, this.#value(additionalProperties ?? {}, depth + 1), bounds);
    }
    // Chooses one of several fields first, because random choices would nearly never fit.
    const choices: string[] = oneOf?.map((one: Schema) => one.required[0]) ?? [];
    if (choices.length === 0) return this.#fields(schema, schema.required ?? [], depth);
    return fc.oneof(
      ...choices.map((chosen) => {
        const others = Object.entries(properties).filter(
          ([name]) => name === chosen || !choices.includes(name),
        );
        const only = { ...schema, properties: Object.fromEntries(others) };
        return this.#fields(only, [...(schema.required ?? []), chosen], depth);
      }),
    );
  }

  /** Few optional fields at a time: together they soon require what one alone does not. */
  #fields({ properties }: Schema, required: readonly string[], depth: number): fc.Arbitrary<unknown> {
    const fields = Object.entries(properties).map(([name, part]) => {
      const value = this.#value(part, depth + 1);
      return [
        name,
        required.includes(name)
          ? value.filter((given) => given !== null)
          : fc.option(value, { nil: undefined, freq: 2 }),
      ] as const;
    });
    return fc.record(Object.fromEntries(fields), { noNullPrototype: true });
  }
}

function text(schema: Schema): fc.Arbitrary<string> {
  const { examples, format, pattern, minLength = 0, maxLength = 20 } = schema;
  // A key or a document: of those nothing but an example is right.
  if (examples !== undefined) return fc.constantFrom(...examples);
  if (format === 'date-time') return times;
  if (format === 're2') return expressions;
  const matching =
    pattern === undefined || pattern === '\\S'
      ? plain.map((value) => value.slice(0, maxLength))
      : fc.stringMatching(new RegExp(pattern.replaceAll(BEYOND_ASCII, '[äéß]')), { size: 'xsmall' });
  return matching.filter(
    (value) =>
      value.length >= minLength &&
      value.length <= (schema.maxLength ?? Number.POSITIVE_INFINITY) &&
      (pattern === undefined || new RegExp(pattern, 'u').test(value)),
  );
}
