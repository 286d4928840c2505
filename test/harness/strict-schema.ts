/**
 * JSON Schema read as strictly as it can be, for answers: what a schema does not name may not be there.
 * In: a schema, as a library or the OpenAPI document has it. Out: checks that say what differs, and where. What may change here: how strict.
 */
import assert from 'node:assert/strict';
import { Ajv2020 } from 'ajv/dist/2020.js';

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
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false, validateFormats: false });
  ajv.addSchema(document, 'document');
  return (at) => {
    const validate = ajv.getSchema(`document#${at}`);
    assert.ok(validate, `there is no schema at ${at}`);
    return (value, what) => {
      if (validate(value)) return;
      assert.fail(`${what}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(value)}`);
    };
  };
}
