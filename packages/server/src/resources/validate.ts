/**
 * Strict validation of request bodies against the kinds' schemas (open points, decisions 5 and 6).
 * Invariant: validation knows no kind.
 */
import type { TObject } from '../core/type.ts';
import type { ErrorName } from '../errors/catalogue.ts';
import { Problem, type ProblemDetails } from '../errors/problem.ts';
import { type ProblemValues, Terms } from '../errors/values.ts';
import type { JsonObject, JsonValue } from '../store/store.ts';
import { givenSchema, isObject, type Keywords } from './keywords.ts';
import { pointerStep } from './pointer.ts';
import { isUnset, isZero } from './unset.ts';

const none: ReadonlyMap<string, string> = new Map();

/**
 * Returns the body with known fields only, and without fields that count as not given (see `isUnset`), in creates and
 * updates. An unknown field passes if its value is a zero one. A top-level field that repeats a path parameter passes
 * if the values are equal. Both are dropped. `pointer` is the JSON pointer of the value in the request.
 */
export function validate(
  schema: TObject,
  value: unknown,
  pathParameters: ReadonlyMap<string, string> = none,
  pointer = '',
): JsonObject {
  if (!isObject(value)) throw new Problem('bodyNotObject', { actual: nameOf(value) });
  return checkObject(schema as Keywords, value, pointer, pathParameters);
}

function checkObject(
  schema: Keywords,
  value: Readonly<Record<string, unknown>>,
  pointer: string,
  pathParameters: ReadonlyMap<string, string>,
): JsonObject {
  const properties = schema.properties ?? {};
  const entries: [string, JsonValue][] = [];
  for (const [name, given] of Object.entries(value)) {
    const at = `${pointer}/${pointerStep(name)}`;
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (property === undefined) {
      checkUnknownField(name, given, at, Object.keys(properties), pathParameters);
      continue;
    }
    if (!isUnset(property as Keywords, given)) entries.push([name, check(property as Keywords, given, at)]);
  }
  // Not an assignment per field: one to `__proto__` would set the prototype.
  const checked = Object.fromEntries(entries);
  for (const name of schema.required ?? []) {
    if (!Object.hasOwn(checked, name)) {
      missing((properties[name] ?? {}) as Keywords, `${pointer}/${pointerStep(name)}`);
    }
  }
  return checked;
}

function checkUnknownField(
  name: string,
  given: unknown,
  at: string,
  allowed: readonly string[],
  pathParameters: ReadonlyMap<string, string>,
): void {
  if (isZero(given)) return;
  const expected = pathParameters.get(name);
  if (expected === undefined) throw unknownField(at, allowed);
  if (given !== expected) throw new Problem('pathParameterMismatch', { field: at, expected }, { field: at });
}

/** `at`: JSON pointer of the field in the request. */
export function unknownField(at: string, allowed: readonly string[]): Problem {
  const fields = new Terms(at.slice(0, at.lastIndexOf('/')), allowed);
  return new Problem('fieldUnknown', { field: at, allowed: fields }, { field: at, allowed });
}

function check(field: Keywords, value: unknown, at: string): JsonValue {
  const schema = givenSchema(field);
  switch (schema.type) {
    case 'string':
      return checkText(schema, value, at);
    case 'integer':
      return checkInteger(schema, value, at);
    case 'number':
      return checkNumber(schema, value, at);
    case 'boolean':
      return typeof value === 'boolean' ? value : wrongType('true or false', value, at);
    case 'array':
      return checkList(schema, value, at);
    case 'object':
      return checkObjectOrMap(schema, value, at);
    default:
      throw new Error(`the schema at ${at} has no type that validation knows`);
  }
}

function checkText(schema: Keywords, value: unknown, at: string): string {
  if (typeof value !== 'string') return wrongType('a string', value, at);
  checkEnum(schema, value, at);
  // A limit in bytes is also written as one in characters, for clients that know no other.
  const bytes = schema['x-max-bytes'];
  const limit = bytes ?? schema.maxLength;
  if (limit === undefined) return value;
  const actual = bytes === undefined ? codePoints(value) : Buffer.byteLength(value);
  if (actual > limit) outside(schema, 'textTooLong', { field: at, limit, actual }, { field: at, limit });
  return value;
}

function codePoints(text: string): number {
  return Array.from(text).length;
}

function checkEnum(schema: Keywords, value: string | number, at: string): void {
  const { enum: allowed } = schema;
  if (allowed === undefined || allowed.includes(value)) return;
  const shown = allowed.filter((one) => one !== '').map(String);
  outside(
    schema,
    'valueNotAllowed',
    { field: at, value: new Terms(at, [String(value)]), allowed: new Terms(at, shown) },
    { field: at, allowed: shown },
  );
}

function checkInteger(schema: Keywords, value: unknown, at: string): number {
  if (typeof value !== 'number' || !Number.isInteger(value)) return wrongType('a whole number', value, at);
  checkEnum(schema, value, at);
  return checkRange(schema, value, at);
}

function checkNumber(schema: Keywords, value: unknown, at: string): number {
  if (typeof value !== 'number') return wrongType('a number', value, at);
  return checkRange(schema, value, at);
}

/** A number that JSON can write but no double can hold arrives as infinite, and is outside every range. */
function checkRange(schema: Keywords, value: number, at: string): number {
  const { minimum = -Infinity, maximum = Infinity } = schema;
  if (value < minimum || value > maximum || !Number.isFinite(value)) {
    outside(schema, 'numberOutOfRange', { field: at, value, minimum, maximum }, { field: at });
  }
  return value;
}

function checkList(schema: Keywords, value: unknown, at: string): readonly JsonValue[] {
  if (!Array.isArray(value)) return wrongType('a list', value, at);
  checkCount(schema, value.length, { least: schema.minItems, most: schema.maxItems }, at);
  return value.map((item, index) => check(schema.items as Keywords, item, `${at}/${index}`));
}

function checkObjectOrMap(schema: Keywords, value: unknown, at: string): JsonObject {
  if (!isObject(value)) return wrongType('an object', value, at);
  if (schema.patternProperties === undefined) return checkObject(schema, value, at, none);
  const [item] = Object.values(schema.patternProperties);
  const entries = Object.entries(value);
  checkCount(schema, entries.length, { least: schema.minProperties, most: schema.maxProperties }, at);
  return Object.fromEntries(
    entries.map(([key, entry]) => [key, check(item as Keywords, entry, `${at}/${pointerStep(key)}`)]),
  );
}

/** Checks the number of elements of a list or a map. */
function checkCount(
  schema: Keywords,
  actual: number,
  { least = 0, most = Infinity }: { readonly least: number | undefined; readonly most: number | undefined },
  at: string,
): void {
  if (actual < least) missing(schema, at);
  if (actual > most) {
    outside(schema, 'tooManyItems', { field: at, limit: most, actual }, { field: at, limit: most });
  }
}

/** Raises the problem of a required field that is missing or empty. */
function missing(schema: Keywords, field: string): never {
  const { 'x-missing': error = 'fieldMissing', maxItems, maxProperties } = schema;
  const limit = maxItems ?? maxProperties;
  const bound = limit === undefined ? {} : { limit };
  throw Problem.named(error, { field, actual: 0, ...bound }, { field, ...bound });
}

function outside(
  schema: Keywords,
  fallback: ErrorName,
  values: ProblemValues,
  details: ProblemDetails,
): never {
  throw Problem.named(schema['x-error'] ?? fallback, values, details);
}

function wrongType(expected: string, value: unknown, field: string): never {
  throw new Problem(
    'valueInvalid',
    { field, reason: `it must be ${expected}, but is ${nameOf(value)}` },
    { field },
  );
}

function nameOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  return typeof value === 'boolean' ? 'true or false' : `a ${typeof value}`;
}
