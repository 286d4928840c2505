/**
 * The building blocks of the kinds' schemas.
 * In: nothing. Out: TypeBox schemas that also say which error a violation is. What may change here: a block that several kinds use.
 *
 * Three keywords are this project's own: `x-max-bytes` (UTF-8 bytes, where `maxLength` counts characters), `x-error`
 * and `x-missing` (the names in the error catalogue that a value outside the schema's bounds raises, and none or an empty
 * one where one must be given). `pattern` is for readers of the document: what breaks it is refused by the rule behind it.
 */
import Type, { type Static, type TObject, type TProperties, type TSchema } from 'typebox';
import { idPattern } from '../core/id.ts';
import type { ErrorName } from '../errors/catalogue.ts';

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
export function required<Schema extends TSchema>(schema: Schema, missing: ErrorName): Schema {
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

/** A request body: fields that it does not name are refused. */
export function body<Properties extends TProperties>(properties: Properties): TObject<Properties> {
  return Type.Object(properties, { additionalProperties: false });
}

/** Text of at most `bytes` UTF-8 bytes. */
export function text(bytes: number, error: ErrorName, description: string) {
  return Type.String({
    maxLength: bytes,
    'x-max-bytes': bytes,
    'x-error': error,
    description: `${description} At most ${bytes} bytes.`,
  });
}

/** Text of at most `limit` characters (Unicode code points): what `maxLength` means in JSON Schema. */
export function characters(limit: number, error: ErrorName, description: string) {
  return Type.String({
    maxLength: limit,
    'x-error': error,
    description: `${description} At most ${limit} characters.`,
  });
}

export const enabled = optional(Type.Boolean({ description: 'Default true; false turns the module off.' }));

/** Text that is one of a few values. */
export function choice<Values extends string[]>(
  values: readonly [...Values],
  error: ErrorName,
  description?: string,
) {
  return Type.Enum<Values>(values, {
    type: 'string',
    'x-error': error,
    ...(description === undefined ? {} : { description }),
  });
}

/** The id of another resource; the reference that the field is says which error another text is. */
export function idOf(prefixes: readonly string[], description?: string) {
  return Type.String({
    pattern: idPattern(prefixes),
    ...(description === undefined ? {} : { description }),
  });
}

/** The id of another resource, or "" to take it off. */
export function idOrNone(prefixes: readonly string[], description: string) {
  return Type.String({ pattern: `${idPattern(prefixes)}|^$`, description });
}

/** `description` and `metadata` of a request (specification, sections 2.1 and 8). */
export function describedWrite(description: ErrorName, metadata: ErrorName) {
  return {
    description: optional(text(255, description, 'For people.')),
    metadata: optional(text(4096, metadata, 'For machines; any text of the user.')),
  };
}

export const Ref = Type.Object({ id: Type.String(), uri: Type.String() }, { $id: 'Ref' });

const timestamp = Type.String({ description: 'RFC 3339, UTC, whole seconds.' });

/** The fields that every stored resource is shown with (specification, section 2.1). */
export const common = {
  id: Type.String(),
  uri: Type.String(),
  created_at: timestamp,
  description: Type.String(),
  metadata: Type.String(),
} as const;

/** RFC 3339 in UTC with whole seconds, as every timestamp of the API is written (open points, decision 1). */
export function formatTime(time: Date): string {
  const at = time.getTime();
  // What stands on one page was often made within one second.
  if (at !== lastTime) {
    lastText = `${time.toISOString().slice(0, 19)}Z`;
    lastTime = at;
  }
  return lastText;
}

let lastTime = Number.NaN;
let lastText = '';
