/** Writes the table of all operations, for programs that offer them by name. */
import type { Schema } from '../../packages/ui/src/form/openapi.ts';
import { type Document, describe, referredName, resolved } from './document.ts';
import { kindOf } from './kinds.ts';
import type { ListModel, QueryModel, ResourceModel, VerbModel } from './model.ts';
import { camel } from './names.ts';

export function writeOperations(document: Document, resources: readonly ResourceModel[]): string {
  const objects = new Objects(document);
  const table = resources.map((resource) => ({
    name: camel(resource.name),
    summary: resource.summary,
    kind: kindOf(document, resource),
    verbs: resource.verbs.map((verb) => row(objects, verb)),
  }));
  return [
    `import type { FieldTable, ResourceTable } from '../operation.ts';`,
    '',
    `export const resourceTables: readonly ResourceTable[] = ${JSON.stringify(table)};`,
    '',
    '/** The fields of objects inside of bodies, by the name that `FieldTable.object` has. */',
    `export const objectTables: Readonly<Record<string, readonly FieldTable[]>> = ${JSON.stringify(objects.all())};`,
  ].join('\n');
}

function row(objects: Objects, verb: VerbModel): object {
  return {
    name: camel(verb.name),
    summary: verb.summary,
    parameters: verb.parameters,
    ...(verb.query.length === 0 ? {} : { query: verb.query.map((it) => objects.parameter(it)) }),
    fields: verb.body === null ? null : objects.fieldsOf(verb.body),
    list: verb.list === null ? null : listRow(verb.list),
  };
}

function listRow({ key, isPaged, isSelected }: ListModel): object {
  return { key, isPaged, ...(isSelected ? { isSelected } : {}) };
}

/** Collects the objects that fields hold. */
class Objects {
  readonly #document: Document;
  readonly #found = new Map<string, readonly object[]>();

  constructor(document: Document) {
    this.#document = document;
  }

  all(): object {
    return Object.fromEntries(this.#found);
  }

  /** The fields of a named schema. */
  fieldsOf(schema: string): readonly object[] {
    const { properties = {}, required = [] } = this.#resolved({ $ref: `#/components/schemas/${schema}` });
    return Object.entries(properties).map(([name, it]) => this.#field(name, it, required.includes(name)));
  }

  /** A parameter of a query. */
  parameter({ name, schema, required }: QueryModel): object {
    return this.#field(name, schema, required);
  }

  #field(name: string, schema: Schema, required: boolean): object {
    const part = given(schema);
    const value = this.#resolved(part);
    const marks = [schema, part, value, value.items ?? {}, value.propertyNames ?? {}];
    const refersTo = marks.map((it) => it['x-refers-to']).find((it) => it !== undefined);
    const object = this.#object(value.type === 'array' ? (value.items ?? {}) : part);
    return {
      name,
      type: fieldType(value),
      required,
      description: describe(schema) ?? value.description ?? '',
      ...(value.enum === undefined ? {} : { values: value.enum.map(String) }),
      ...(refersTo === undefined ? {} : { refersTo }),
      ...(object === null ? {} : { object }),
      ...(schema.default === undefined ? {} : { default: schema.default }),
      ...(isUnsetByZero(value) ? { isUnsetByZero: true } : {}),
      ...(marks.some((it) => it.writeOnly === true) ? { isSecret: true } : {}),
      ...(marks.some((it) => it['x-immutable'] === true) ? { isImmutable: true } : {}),
    };
  }

  /** The name of an object with fields of its own. */
  #object(schema: Schema): string | null {
    if (schema.$ref === undefined || this.#resolved(schema).type !== 'object') return null;
    const name = referredName(schema.$ref);
    if (!this.#found.has(name)) {
      this.#found.set(name, []);
      this.#found.set(name, this.fieldsOf(name));
    }
    return name;
  }

  #resolved(schema: Schema): Schema {
    return resolved(this.#document, schema);
  }
}

/** Returns true if the field cannot be `""`, `0`, `[]` or `{}`, which then stand for no value. */
function isUnsetByZero(schema: Schema): boolean {
  const { minimum = 0, minLength = 0, minItems = 0, minProperties = 0, pattern } = schema;
  if (schema.enum !== undefined) return !schema.enum.includes('') && !schema.enum.includes(0);
  if (pattern !== undefined && !new RegExp(pattern, 'u').test('')) return true;
  return minimum > 0 || minLength > 0 || minItems > 0 || minProperties > 0;
}

/** Returns the schema of a field without its null. */
function given(schema: Schema): Schema {
  const others = schema.anyOf?.filter(({ type }) => type !== 'null');
  return others?.length === 1 && others[0] !== undefined ? others[0] : schema;
}

function fieldType({ type, items, properties, additionalProperties }: Schema): string {
  if (type === 'string' || type === 'boolean' || type === 'integer' || type === 'number') return type;
  if (type === 'array' && items?.type === 'string') return 'strings';
  const isMap = type === 'object' && Object.keys(properties ?? {}).length === 0;
  if (isMap && typeof additionalProperties === 'object' && additionalProperties.type === 'string')
    return 'map';
  return type === 'array' ? 'list' : 'object';
}
