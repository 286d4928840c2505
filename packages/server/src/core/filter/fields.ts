/** The fields that a filter can name: their tree, and how a schema becomes one. */
import type { TObject, TSchema } from '../type.ts';

/** A field with values. Of a list, the values are its elements. */
export interface Leaf {
  readonly type: 'text' | 'number' | 'boolean' | 'time';
  /** All values that the field can have. Absent: any. */
  readonly values?: readonly string[];
}

/** A field with fields of its own. Of a list, its elements have them. */
export interface Branch {
  readonly type: 'object';
  readonly fields: ReadonlyMap<string, Field>;
  /** The field behind every other name, as in a map. */
  readonly rest?: Field;
}

export type Field = Leaf | Branch;

const NO_FIELDS: ReadonlyMap<string, Field> = new Map();

/** The keywords of JSON Schema by which a field has its type. */
interface Known {
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly TSchema[];
  readonly items?: TSchema;
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly patternProperties?: Readonly<Record<string, TSchema>>;
  readonly writeOnly?: boolean;
}

/** Returns the fields of responses with this schema. Fields that responses never have are left out. */
export function fieldsOf(schema: TObject): Branch {
  return branchOf(schema as Known);
}

/** Returns null for a schema that allows no value with a field or a value in it. */
function fieldOf(schema: TSchema): Field | null {
  const known = schema as Known;
  if (known.writeOnly === true) return null;
  if (known.enum !== undefined) return choiceOf(known.enum);
  if (known.anyOf !== undefined) return unionOf(known.anyOf);
  switch (known.type) {
    case 'array':
      return known.items === undefined ? null : fieldOf(known.items);
    case 'object':
      return branchOf(known);
    case 'string':
      return { type: known.format === 'date-time' ? 'time' : 'text' };
    case 'integer':
    case 'number':
      return { type: 'number' };
    case 'boolean':
      return { type: 'boolean' };
    default:
      return null;
  }
}

function choiceOf(values: readonly unknown[]): Leaf {
  const texts = values.filter((value) => typeof value === 'string');
  return texts.length === 0 ? { type: 'number' } : { type: 'text', values: texts };
}

/** Returns the field of the first alternative that has values: the others are null. */
function unionOf(alternatives: readonly TSchema[]): Field | null {
  for (const schema of alternatives) {
    const field = fieldOf(schema);
    if (field !== null) return field;
  }
  return null;
}

function branchOf({ properties = {}, patternProperties = {} }: Known): Branch {
  const named = Object.entries(properties).flatMap(([name, schema]) => {
    const field = fieldOf(schema);
    return field === null ? [] : [[name, field] as const];
  });
  const [other] = Object.values(patternProperties);
  const rest = other === undefined ? null : fieldOf(other);
  const fields = named.length === 0 ? NO_FIELDS : new Map(named);
  return { type: 'object', fields, ...(rest === null ? {} : { rest }) };
}
