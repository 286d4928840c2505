/** Writes the table of all operations, for programs that offer them by name. */
import { type Document, describe, resolved, type Schema } from './document.ts';
import type { ResourceModel, VerbModel } from './model.ts';
import { camel } from './names.ts';

export function writeOperations(document: Document, resources: readonly ResourceModel[]): string {
  const table = resources.map(({ name, summary, verbs }) => ({
    name: camel(name),
    summary,
    verbs: verbs.map((verb) => row(document, verb)),
  }));
  return [
    `import type { ResourceTable } from '../operation.ts';`,
    '',
    `export const resourceTables: readonly ResourceTable[] = ${JSON.stringify(table)};`,
  ].join('\n');
}

function row(document: Document, verb: VerbModel): object {
  const body = verb.body === null ? null : resolved(document, { $ref: `#/components/schemas/${verb.body}` });
  return {
    name: camel(verb.name),
    summary: verb.summary,
    parameters: verb.parameters,
    fields: body === null ? null : fieldsOf(document, body),
    list: verb.list === null ? null : { key: verb.list.key, isPaged: verb.list.isPaged },
  };
}

function fieldsOf(document: Document, body: Schema): object[] {
  return Object.entries(body.properties ?? {}).map(([name, schema]) => {
    const value = resolved(document, given(schema));
    return {
      name,
      type: fieldType(value),
      required: body.required?.includes(name) ?? false,
      description: describe(schema) ?? value.description ?? '',
      ...(value.enum === undefined ? {} : { values: value.enum.map(String) }),
    };
  });
}

/** What a field is when it is not null. */
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
