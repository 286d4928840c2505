/**
 * Names the objects inside the schemas of the OpenAPI document, because generators of clients number nameless ones (`Creds1` to `Creds48`).
 *
 * Invariant: the document admits and describes the same as before.
 */
import { isDeepStrictEqual } from 'node:util';
import { isMap } from './openapi-annotations.ts';
import { type Json, type JsonMap, reference } from './openapi-json.ts';

const PREFIX = '#/components/schemas/';
/** Suffix of the schema of a request. The rest is the name of the schema of the response. */
const WRITES = /(?:Create|Update|Mutate)$/;
/** Values, not schemas. */
const VALUES: ReadonlySet<string> = new Set(['default', 'examples', 'enum', 'const']);

/** The position of a nested object. */
interface Place {
  /** The schema that holds it, and the fields that lead to it. */
  readonly owner: string;
  readonly fields: readonly string[];
  /** The schema at this position in the response; undefined if there is none. */
  readonly read: Json | undefined;
}

/** Moves each nested object of `schemas` into a schema of its own there. Equal ones share one. */
export function nameNested(schemas: JsonMap): void {
  const naming = new Naming(schemas);
  for (const [owner, schema] of Object.entries({ ...schemas })) {
    const read = schemas[owner.replace(WRITES, '')];
    schemas[owner] = naming.parts(schema as JsonMap, { owner, fields: [], read });
  }
}

class Naming {
  readonly #schemas: JsonMap;

  constructor(schemas: JsonMap) {
    this.#schemas = schemas;
  }

  parts(schema: JsonMap, place: Place): JsonMap {
    const entries = Object.entries(schema).map(([key, part]): [string, Json] => {
      if (VALUES.has(key)) return [key, part];
      return [
        key,
        key === 'properties' && isMap(part) ? this.#fields(part, place) : this.#value(part, place),
      ];
    });
    return Object.fromEntries(entries);
  }

  #fields(properties: JsonMap, { owner, fields, read }: Place): JsonMap {
    const known = this.#propertiesOf(read);
    const named = Object.entries(properties).map(([name, field]): [string, Json] => [
      name,
      this.#value(field, { owner, fields: [...fields, name], read: known[name] }),
    ]);
    return Object.fromEntries(named);
  }

  #value(value: Json, place: Place): Json {
    if (Array.isArray(value)) return value.map((item) => this.#value(item, place));
    if (!isMap(value)) return value;
    const parts = this.parts(value, place);
    if (parts.type !== 'object' || !isMap(parts.properties) || place.fields.length === 0) return parts;
    const { description, ...shape } = parts;
    return { ...this.#add(shape, place), ...(description === undefined ? {} : { description }) };
  }

  #add(shape: JsonMap, { owner, fields, read }: Place): JsonMap {
    const root = owner.replace(WRITES, '');
    const suffix = owner.slice(root.length);
    const base = this.#nameOf(read) ?? root + fields.map(inPascal).join('');
    const names = suffix === '' ? [base] : [base, `${base}Mutate`, `${base}${suffix}`];
    const equal = names.find((name) => this.#isEqual(name, shape));
    // The schema of reads has the name without a suffix, also if it comes later.
    const name = equal ?? (suffix === '' ? base : names.slice(1).find((one) => !(one in this.#schemas)));
    if (name === undefined || (equal === undefined && name in this.#schemas))
      throw new Error(`no name is left for what ${owner} has at ${fields.join('/')}`);
    this.#schemas[name] = equal === undefined ? shape : this.#schemas[name]!;
    return reference(name);
  }

  #isEqual(name: string, shape: JsonMap): boolean {
    const { description: _, ...standing } = (this.#schemas[name] ?? {}) as JsonMap;
    return isDeepStrictEqual(standing, shape);
  }

  /** The name of the schema that a value refers to, itself, as one that may be null, or as an item of a list. */
  #nameOf(value: Json | undefined): string | undefined {
    if (!isMap(value)) return undefined;
    const { $ref, anyOf, items } = value;
    if (typeof $ref === 'string') return $ref.startsWith(PREFIX) ? $ref.slice(PREFIX.length) : undefined;
    if (Array.isArray(anyOf)) return anyOf.map((one) => this.#nameOf(one)).find(Boolean);
    return this.#nameOf(items);
  }

  #propertiesOf(value: Json | undefined): JsonMap {
    const name = this.#nameOf(value);
    const schema = name === undefined ? value : this.#schemas[name];
    return isMap(schema) && isMap(schema.properties) ? schema.properties : {};
  }
}

/** `delivery_stream` as `DeliveryStream`. */
function inPascal(field: string): string {
  return field.replace(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
