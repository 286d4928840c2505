/**
 * The building blocks of the kinds' schemas, with keywords of this project.
 *
 * - `x-max-bytes`: limit in UTF-8 bytes; `maxLength` counts characters.
 * - `x-error`, `x-missing`: names in the error catalogue, for a value outside the schema's bounds and for a missing or empty one. Not in the document.
 * - `x-module`: an object counts as given even if it is empty. Not in the document.
 * - `x-id-prefixes`: prefixes of ids. The document has `x-refers-to` with the kinds instead.
 * - `x-here`: description of a shared schema at this place.
 * - `x-multiline`, `x-immutable`: marks for forms. Fields that no update has get `x-immutable` automatically.
 *
 * `pattern` is for readers of the document: the rule behind a field refuses other texts.
 */

import { idPattern } from '../core/id.ts';
import { type Static, type TObject, type TProperties, type TSchema, Type } from '../core/type.ts';
import type { ErrorNeeding } from '../errors/values.ts';

/** Errors for a text or a list that is too long, or that is required and missing. */
export type LengthError = ErrorNeeding<'field' | 'limit' | 'actual'>;

type WithoutNull<T> = T extends null
  ? never
  : T extends readonly (infer Item)[]
    ? readonly WithoutNull<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]: WithoutNull<T[Key]> }
      : T;

/** A body as `validate` returns it: of the schema's shape, with every null dropped as "not given". */
export type Input<Schema extends TSchema> = WithoutNull<Static<Schema>>;

/** A field of a request that may be left out; null means the same as leaving it out. */
export function optional<Schema extends TSchema>(schema: Schema) {
  return Type.Optional(Type.Union([schema, Type.Null()]));
}

/** A field of a request that must be given; `missing` is raised when it is not. */
export function required<Schema extends TSchema>(schema: Schema, missing: LengthError): Schema {
  return withKeyword(schema, { 'x-missing': missing });
}

/** Text that is more than spaces. */
export function notBlank<Schema extends TSchema>(schema: Schema): Schema {
  return withKeyword(schema, { pattern: '\\S' });
}

/** An object in which something is given: `{}` for one that may be left out means that it is. */
export function notEmpty<Schema extends TSchema>(schema: Schema): Schema {
  return withKeyword(schema, { minProperties: 1 });
}

/** The configuration of a module in the body of its resource: an object is given, whatever it contains. */
export function moduleField<Schema extends TSchema>(schema: Schema) {
  return Type.Optional(Type.Union([schema, Type.Null()], { 'x-module': true }));
}

/** A secret: a request gives it, and no answer shows it. */
export function secret<Schema extends TSchema>(schema: Schema): Schema {
  return withKeyword(schema, { writeOnly: true });
}

/** Text of several lines. */
export function multiline<Schema extends TSchema>(schema: Schema): Schema {
  return withKeyword(schema, { 'x-multiline': true });
}

/** A field of an update that accepts only its stored value. */
export function immutable<Schema extends TSchema>(schema: Schema): Schema {
  return withKeyword(schema, { 'x-immutable': true });
}

function withKeyword<Schema extends TSchema>(schema: Schema, keyword: object): Schema {
  // With its hidden properties, by which TypeBox knows what it is.
  return Object.defineProperties(
    { ...keyword },
    Object.getOwnPropertyDescriptors(schema),
  ) as TSchema as Schema;
}

/** A field of an answer that is null when unset. */
export function nullable<Schema extends TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()]);
}

/**
 * A request body that rejects fields it does not name. `more` are other keywords of the schema: its description, its
 * examples, and rules over several fields. The operation shows the first example, which the daemon accepts unchanged.
 */
export function body<Properties extends TProperties>(
  properties: Properties,
  more: object = {},
): TObject<Properties> {
  return Type.Object(properties, { additionalProperties: false, ...more });
}

/** Schema keyword: the body needs this field with a text other than "". A rule behind it has an error of its own. */
export function needed(name: string): object {
  return { required: [name], properties: { [name]: { not: { enum: [null, ''] } } } };
}

/** Returns the same body with a required field that is optional elsewhere: an update keeps a secret. */
export function asking<Schema extends TSchema>(schema: Schema, name: string): Schema {
  return withKeyword(schema, { allOf: [needed(name)] });
}

/** Schema keyword: exactly one of these fields is given. */
export function exactlyOne(names: readonly string[]): object {
  return { oneOf: names.map(needed) };
}

/** Schema keyword: at most one of these fields is given. */
export function atMostOne(names: readonly string[]): object {
  return { not: { allOf: names.map(needed) } };
}

/** Text of at most `bytes` UTF-8 bytes. `more` are other keywords of the schema, here and below. */
export function text(bytes: number, error: LengthError, description: string, more: object = {}) {
  return Type.String({
    maxLength: bytes,
    'x-max-bytes': bytes,
    'x-error': error,
    description: `${description} At most ${bytes} bytes.`,
    ...more,
  });
}

/** Text of at most `limit` characters (Unicode code points): what `maxLength` means in JSON Schema. */
export function characters(limit: number, error: LengthError, description: string, more: object = {}) {
  return Type.String({
    maxLength: limit,
    'x-error': error,
    description: `${description} At most ${limit} characters.`,
    ...more,
  });
}

export const enabled = optional(Type.Boolean({ default: true, description: 'false turns the module off.' }));

/** Text that is one of a few values. */
export function choice<Values extends string[]>(
  values: readonly [...Values],
  error: ErrorNeeding<'field' | 'value' | 'allowed'>,
  description: string,
  more: object = {},
) {
  return Type.Enum<Values>(values, { type: 'string', 'x-error': error, description, ...more });
}

/** The id of another resource. The reference of the field has the error of other texts. */
export function idOf(prefixes: readonly string[], description: string) {
  return Type.String({ pattern: idPattern(prefixes), 'x-id-prefixes': prefixes, description });
}

/** The id of another resource, or "" to take it off. */
export function idOrNone(prefixes: readonly string[], description: string) {
  return Type.String({ pattern: `${idPattern(prefixes)}|^$`, 'x-id-prefixes': prefixes, description });
}

/** An id in an example, without a resource. The document marks that it must be replaced by an existing one. */
export function exampleId(prefix: string): string {
  return `${prefix}_${'0'.repeat(27)}`;
}

/** `description` and `metadata` of a request (specification, sections 2.1 and 8). */
export function describedWrite(description: LengthError, metadata: LengthError) {
  return {
    description: optional(text(255, description, 'A text for people.', { default: '' })),
    metadata: optional(
      multiline(text(4096, metadata, 'A text for machines, of any content.', { default: '' })),
    ),
  };
}

export const Ref = Type.Object(
  {
    id: Type.String({ description: 'Its id.' }),
    uri: Type.String({ description: 'URL of the resource.' }),
  },
  { $id: 'Ref', description: 'Another resource.' },
);

/** A reference with a description of its meaning for the resource. */
export function refTo(description: string): typeof Ref {
  return withKeyword(Ref, { 'x-here': description });
}

/** A time in an answer. */
export function timestamp(description: string) {
  return Type.String({ format: 'date-time', description: `${description} RFC 3339, UTC, whole seconds.` });
}

/** The fields that every stored resource is shown with (specification, section 2.1). */
export const common = {
  id: Type.String({ description: 'Never changes, and is never given to anything else.' }),
  uri: Type.String({ description: 'URL of the resource.' }),
  created_at: timestamp('Time of its creation.'),
  description: Type.String(),
  metadata: Type.String(),
} as const;
