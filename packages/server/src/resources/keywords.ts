/** The JSON Schema keywords that requests are judged by, and this project's own (see schema.ts). */
import type { TSchema } from '../core/type.ts';
import type { ErrorName } from '../errors/catalogue.ts';

export interface Keywords {
  readonly type?: 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object' | 'null';
  readonly enum?: readonly (string | number)[];
  readonly anyOf?: readonly TSchema[];
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly required?: readonly string[];
  readonly patternProperties?: Readonly<Record<string, TSchema>>;
  readonly items?: TSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly 'x-max-bytes'?: number;
  readonly 'x-id-prefixes'?: readonly string[];
  readonly 'x-error'?: ErrorName;
  readonly 'x-missing'?: ErrorName;
  readonly 'x-module'?: boolean;
}

/** Returns the schema without the null for "not given". */
export function givenSchema(schema: Keywords): Keywords {
  const { anyOf } = schema;
  if (anyOf === undefined) return schema;
  const inner = anyOf.find((option) => (option as Keywords).type !== 'null');
  if (inner === undefined) throw new Error('a schema allows nothing but null');
  return givenSchema(inner as Keywords);
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
