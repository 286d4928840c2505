/**
 * Fields of a request that count as not given: generated clients send the zero value of a field's type for "not
 * given" (open points, decision 5).
 * Invariant: a zero value that the field accepts, because it clears or turns off, is given. Invariant: a module that
 * is an object is given, whatever it contains.
 */
import { givenSchema, isObject, type Keywords } from './keywords.ts';

/** Returns true if a value is the zero of any type: what an unknown field may have. */
export function isZero(value: unknown): boolean {
  if (value === null || value === '' || value === 0 || value === false) return true;
  if (Array.isArray(value)) return value.length === 0;
  return isObject(value) && Object.keys(value).length === 0;
}

/** Returns true if a known field is not given: it is null, or the zero of its type where the field refuses that. */
export function isUnset(field: Keywords, value: unknown): boolean {
  if (value === null) return true;
  // Any other value counts as given. This test is first because nearly all values pass it.
  if (!isZero(value) && !isObject(value)) return false;
  if (field['x-module']) return false;
  const schema = givenSchema(field);
  return isZeroOf(schema, value) && refusesZero(schema);
}

function isZeroOf(schema: Keywords, value: unknown): boolean {
  switch (schema.type ?? 'string') {
    case 'integer':
    case 'number':
      return value === 0;
    case 'boolean':
      return value === false;
    case 'array':
      return Array.isArray(value) && value.length === 0;
    case 'object':
      return isObject(value) && isEmpty(schema, value);
    default:
      return value === '';
  }
}

/** An object is as good as `{}` when nothing in it is given; whatever key a map has is given. */
function isEmpty(schema: Keywords, value: Readonly<Record<string, unknown>>): boolean {
  const entries = Object.entries(value);
  const { properties = {}, patternProperties } = schema;
  if (patternProperties !== undefined) return entries.length === 0;
  return entries.every(([name, given]) =>
    Object.hasOwn(properties, name) ? isUnset(properties[name] as Keywords, given) : isZero(given),
  );
}

const refusals = new WeakMap<Keywords, boolean>();

function refusesZero(schema: Keywords): boolean {
  const known = refusals.get(schema);
  if (known !== undefined) return known;
  const refuses = judgeZero(schema);
  refusals.set(schema, refuses);
  return refuses;
}

/** Judges by the schema alone. If a rule behind it refuses the zero value, the schema has one of these keywords. */
function judgeZero(schema: Keywords): boolean {
  const { type = 'string', required = [], minimum = 0, maximum = 0 } = schema;
  switch (type) {
    case 'integer':
    case 'number':
      return minimum > 0 || maximum < 0 || schema.enum?.includes(0) === false;
    case 'boolean':
    case 'null':
      return false;
    case 'array':
      return (schema.minItems ?? 0) > 0;
    case 'object':
      return required.length > 0 || (schema.minProperties ?? 0) > 0;
    case 'string':
      if (schema.enum !== undefined) return !schema.enum.includes('');
      return (schema.minLength ?? 0) > 0 || (schema.pattern !== undefined && !matchesEmpty(schema.pattern));
  }
}

function matchesEmpty(pattern: string): boolean {
  return new RegExp(pattern, 'u').test('');
}
