/**
 * Strict JSON Schema checks for responses.
 * Invariant: fields that a schema does not name are errors.
 */
import assert from 'node:assert/strict';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Raises AssertionError, with `what` as the subject, for a value that the schema does not describe. */
export type Check = (value: unknown, what: string) => void;

/** A schema in which every object has the fields that it names and no other; maps, which name none, stay open. */
export function closed(schema: object): object {
  return close(JSON.parse(JSON.stringify(schema)) as Json) as object;
}

function close(value: Json): Json {
  if (Array.isArray(value)) return value.map(close);
  if (value === null || typeof value !== 'object') return value;
  const { $id: _name, ...rest } = value as Record<string, Json>;
  const parts = Object.entries(rest).map(([key, part]) => [key, close(part)] as const);
  const named = rest.type === 'object' && rest.properties !== undefined;
  return { ...Object.fromEntries(parts), ...(named ? { additionalProperties: false } : {}) };
}

export function checkOf(schema: object): Check {
  return checksIn(schema)('');
}

/** The checks of a document with many schemas, by JSON pointer. Keywords of the project's own are let be. */
export function checksIn(document: object): (at: string) => Check {
  const validator = validatorsIn(document);
  return (at) => {
    const validate = validator(at);
    return (value, what) => fail(validate(value), value, what);
  };
}

/**
 * The same for requests that were accepted: a zero value that the schema refuses is what a generated client sends for "not given"
 * (open points, decision 5).
 */
export function acceptedChecksIn(document: object): (at: string) => Check {
  const validator = validatorsIn(document);
  return (at) => {
    const validate = validator(at);
    return (value, what) => {
      const given: Json = JSON.parse(JSON.stringify(value));
      let faults = validate(given);
      while (faults.some((fault) => removeZero(given, fault))) faults = validate(given);
      fail(faults, value, what);
    };
  };
}

function validatorsIn(document: object): (at: string) => (value: unknown) => readonly ErrorObject[] {
  const ajv = new Ajv2020({
    ...{ strict: false, allErrors: true, validateSchema: false, validateFormats: false },
    // Most checks are used a few times: to optimise one takes longer than it saves.
    code: { optimize: false },
  });
  ajv.addSchema(document, 'document');
  return (at) => {
    const validate = ajv.getSchema(`document#${at}`);
    assert.ok(validate, `there is no schema at ${at}`);
    return (value) => (validate(value) ? [] : (validate.errors ?? []));
  };
}

function fail(faults: readonly ErrorObject[], value: unknown, what: string): void {
  if (faults.length === 0) return;
  const said = faults.map(({ instancePath, message }) => `data${instancePath} ${message}`).join(', ');
  assert.fail(`${what}: ${said} in ${JSON.stringify(value)}`);
}

/** Returns true if it took off what the fault is about, because that is a field with the zero value of a type. */
function removeZero(root: Json, { instancePath, keyword, params }: ErrorObject): boolean {
  const unknown = keyword === 'additionalProperties' ? [String(params.additionalProperty)] : [];
  const steps = [...instancePath.split('/').slice(1).map(unescaped), ...unknown];
  const name = steps.pop();
  let parent = root;
  for (const step of steps) parent = (parent as Record<string, Json>)[step] ?? null;
  if (name === undefined || parent === null || typeof parent !== 'object' || Array.isArray(parent))
    return false;
  const fields = parent as Record<string, Json>;
  if (
    !Object.hasOwn(fields, name) ||
    !['null', '""', '0', 'false', '[]', '{}'].includes(JSON.stringify(fields[name]))
  )
    return false;
  delete fields[name];
  return true;
}

function unescaped(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}
