/**
 * Adds annotations to the document's fields, so that a form can be made from it: JSON Schema's own, and marks of this
 * project (`x-multiline`, `x-immutable`, `x-refers-to`). Pure.
 * Invariant: the shape of a field never changes here.
 */
import { isDeepStrictEqual } from 'node:util';
import type { JsonMap } from './openapi-json.ts';

/** They are about the field as a whole, also where its value may be null. */
const ABOUT_FIELDS: ReadonlySet<string> = new Set([
  'description',
  'default',
  'examples',
  'writeOnly',
  'x-multiline',
  'x-immutable',
  'x-refers-to',
]);

/** Moves annotations of a nullable value to the field, because they belong to the field and not to one of its two shapes. */
export function annotatedOutside(schema: JsonMap): JsonMap {
  const { anyOf } = schema;
  const [value, none] = Array.isArray(anyOf) && anyOf.length === 2 ? anyOf : [];
  if (!isMap(value) || !isDeepStrictEqual(none, { type: 'null' })) return schema;
  const moved = Object.entries(value).filter(([key]) => ABOUT_FIELDS.has(key) && !(key in schema));
  const kept = Object.entries(value).filter(([key]) => !ABOUT_FIELDS.has(key));
  if (moved.length === 0) return schema;
  return { ...schema, ...Object.fromEntries(moved), anyOf: [Object.fromEntries(kept), { type: 'null' }] };
}

/** Writes a map from any text as `additionalProperties`, which generators of clients understand better than a pattern. */
export function openMap(schema: JsonMap): JsonMap {
  const { patternProperties, ...rest } = schema;
  if (!isMap(patternProperties)) return schema;
  const entries = Object.entries(patternProperties);
  const [pattern, value] = entries[0] ?? [];
  if (entries.length !== 1 || pattern !== '^.*$' || value === undefined) return schema;
  return { ...rest, additionalProperties: value };
}

/** Marks fields of a creation that no update has: they cannot be changed. */
export function forCreate(schema: JsonMap, update: JsonMap): JsonMap {
  const changeable = fieldsOf(update);
  return mapFields(schema, (field, name) => (name in changeable ? field : { ...field, 'x-immutable': true }));
}

/** Removes defaults from an update: absent fields stay. */
export function forUpdate(schema: JsonMap): JsonMap {
  return mapFields(schema, ({ default: _, ...field }) => field);
}

/**
 * Copies the description of each field from the requests, where it is written once. Fields without a request are
 * read-only: the service sets them.
 */
export function forRead(schema: JsonMap, requests: readonly JsonMap[]): JsonMap {
  const written = Object.assign({}, ...requests.map(fieldsOf)) as Record<string, JsonMap>;
  return mapFields(schema, (field, name) => {
    const { description } = written[name] ?? {};
    if (!(name in written)) return { ...field, readOnly: true };
    return description === undefined || 'description' in field ? field : { ...field, description };
  });
}

export function isMap(value: unknown): value is JsonMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function fieldsOf({ properties }: JsonMap): Readonly<Record<string, JsonMap>> {
  return (properties ?? {}) as Record<string, JsonMap>;
}

function mapFields(schema: JsonMap, change: (field: JsonMap, name: string) => JsonMap): JsonMap {
  if (schema.properties === undefined) return schema;
  const fields = Object.entries(fieldsOf(schema)).map(
    ([name, field]) => [name, change(field, name)] as const,
  );
  return { ...schema, properties: Object.fromEntries(fields) };
}
