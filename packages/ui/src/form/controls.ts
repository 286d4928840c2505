/**
 * The control of each value of a schema, and the way from a value to its text and back.
 * Invariant: a value without a change comes back as it was.
 */
import type { Json, Schema } from './openapi.ts';
import type { Reference } from './reference.ts';

export type Control =
  | { readonly type: 'text' | 'multiline' | 'number' | 'boolean' | 'json' }
  | { readonly type: 'choice'; readonly values: readonly Json[] }
  | { readonly type: 'id'; readonly kinds: readonly string[] }
  | { readonly type: 'list'; readonly item: Field }
  | { readonly type: 'map'; readonly key: Field; readonly value: Field }
  | { readonly type: 'group'; readonly fields: readonly Field[]; readonly isOneOf: boolean };

/** A value with a name, as a form shows it. */
export interface Field {
  readonly name: string;
  readonly control: Control;
  readonly description: string;
  readonly isRequired: boolean;
  readonly isImmutable: boolean;
  /** True for a secret, which the API shows once or never. */
  readonly isSecret: boolean;
  /** The value that the API assumes if it is absent; undefined for none. */
  readonly standard: Json | undefined;
  /** An example; '' for none. */
  readonly example: string;
  /** Bytes that a text may have; undefined for no limit. */
  readonly maxBytes: number | undefined;
}

/** The fields of an object, in the order of the document. */
export function fieldsOf(reference: Reference, schema: Schema): readonly Field[] {
  const { schema: object } = reference.given(schema);
  const required = new Set([...(object.required ?? []), ...requiredBy(object)]);
  return Object.entries(object.properties ?? {}).map(([name, value]) =>
    fieldOf(reference, name, value, required.has(name)),
  );
}

/** Fields that must have a value although null is allowed: all parts of `allOf` require one. */
function requiredBy({ allOf = [] }: Schema): readonly string[] {
  return allOf.flatMap((part) => (part.if === undefined ? (part.required ?? []) : []));
}

export function fieldOf(reference: Reference, name: string, schema: Schema, isRequired: boolean): Field {
  const { schema: value } = reference.given(schema);
  const example = schema.examples?.[0] ?? value.examples?.[0];
  return {
    ...{ name, isRequired, control: controlOf(reference, schema, value) },
    description: schema.description ?? value.description ?? '',
    isImmutable: schema['x-immutable'] === true || value['x-immutable'] === true,
    isSecret: schema.writeOnly === true || value.writeOnly === true,
    standard: schema.default ?? value.default,
    example: typeof example === 'string' || typeof example === 'number' ? String(example) : '',
    maxBytes: value['x-max-bytes'],
  };
}

function controlOf(reference: Reference, schema: Schema, value: Schema): Control {
  const kinds = schema['x-refers-to'] ?? value['x-refers-to'];
  if (kinds !== undefined) return { type: 'id', kinds };
  if (value.enum !== undefined) return { type: 'choice', values: value.enum };
  if (value.items !== undefined) return { type: 'list', item: fieldOf(reference, '', value.items, true) };
  if (value.properties !== undefined) {
    const isOneOf = (value.oneOf ?? []).some(({ required }) => required !== undefined);
    return { type: 'group', fields: fieldsOf(reference, value), isOneOf };
  }
  if (typeof value.additionalProperties === 'object') return mapOf(reference, value);
  switch (value.type) {
    case 'boolean':
      return { type: 'boolean' };
    case 'integer':
    case 'number':
      return { type: 'number' };
    case 'string':
      return { type: (schema['x-multiline'] ?? value['x-multiline']) === true ? 'multiline' : 'text' };
    default:
      return { type: 'json' };
  }
}

function mapOf(
  reference: Reference,
  { propertyNames = { type: 'string' }, additionalProperties }: Schema,
): Control {
  const values = typeof additionalProperties === 'object' ? additionalProperties : {};
  const key = fieldOf(reference, '', propertyNames, true);
  return { type: 'map', key, value: fieldOf(reference, '', values, true) };
}

/** The text of a value in its control. */
export function textOf({ type }: Control, value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  if (type === 'json') return JSON.stringify(value, null, 2);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

const NUMBER = /^-?(?:0|[1-9]\d{0,14})(?:\.\d+)?$/;

/** The value of a text. What is no number or no JSON stays a text: the API refuses it and names the field. */
export function valueFrom(control: Control, text: string): Json {
  switch (control.type) {
    case 'choice':
      return control.values.find((value) => String(value) === text) ?? text;
    case 'number':
      return NUMBER.test(text.trim()) ? Number(text) : text;
    case 'boolean':
      return text === 'true';
    case 'json':
      try {
        return JSON.parse(text) as Json;
      } catch {
        return text;
      }
    default:
      return text;
  }
}

/** The value with which a control starts when it is added. */
export function emptyOf({ type, ...rest }: Control): Json {
  switch (type) {
    case 'boolean':
      return false;
    case 'list':
      return [];
    case 'map':
    case 'group':
      return {};
    case 'choice':
      return 'values' in rest ? (rest.values.find((value) => value !== '') ?? '') : '';
    default:
      return '';
  }
}
