/**
 * JSON Schemas as plain objects, each with the TypeScript type of its values. The types are those of TypeBox. Its code
 * is not used, because loading its hundreds of files took a fifth of each start.
 */
import type TypeBox from 'typebox';
import type { TSchema } from 'typebox';

export type { Static, TObject, TProperties, TSchema } from 'typebox';

/** The key that TypeBox's types use. It is not enumerable, so it is no keyword of the schema. */
const OPTIONAL = '~optional';

const functions = {
  String: (options?: object) => ({ type: 'string', ...options }),
  Integer: (options?: object) => ({ type: 'integer', ...options }),
  Number: (options?: object) => ({ type: 'number', ...options }),
  Boolean: (options?: object) => ({ type: 'boolean', ...options }),
  Null: (options?: object) => ({ type: 'null', ...options }),
  Enum: (values: readonly string[], options?: object) => ({ enum: values, ...options }),
  Array: (items: TSchema, options?: object) => ({ type: 'array', items, ...options }),
  Union: (anyOf: readonly TSchema[], options?: object) => ({ anyOf, ...options }),
  Record: (_keys: TSchema, value: TSchema, options?: object) => ({
    type: 'object',
    patternProperties: { '^.*$': value },
    ...options,
  }),
  Object: (properties: Readonly<Record<string, TSchema>>, options?: object) => {
    const required = Object.keys(properties).filter((name) => !Object.hasOwn(properties[name]!, OPTIONAL));
    return { type: 'object', ...(required.length === 0 ? {} : { required }), properties, ...options };
  },
  /** Makes a property optional. */
  Optional: (schema: TSchema) => Object.defineProperty({ ...schema }, OPTIONAL, { value: true }),
};

// TypeBox's types describe the results, which cannot be expressed for literals.
export const Type = functions as unknown as Pick<typeof TypeBox, keyof typeof functions>;
