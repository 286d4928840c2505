/** Writes the schemas of the document as TypeScript types. What it does not know it refuses, so that no type is a guess. */
import { METHODS, type Schema } from '../../packages/ui/src/form/openapi.ts';
import { type Document, describe, type Operation, referredName } from './document.ts';

const UNDERSTOOD = new Set([
  ...['$ref', 'type', 'enum', 'const', 'anyOf', 'items', 'properties', 'required', 'additionalProperties'],
  // Only the server checks limits beyond the type.
  ...['description', 'minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems', 'uniqueItems'],
  ...['pattern', 'format', 'x-max-bytes', 'propertyNames', 'minProperties', 'maxProperties'],
  ...['oneOf', 'allOf', 'not', 'if', 'then', 'else'],
  // Annotations.
  ...[
    'default',
    'examples',
    'readOnly',
    'writeOnly',
    'x-multiline',
    'x-immutable',
    'x-refers-to',
    'x-enum-varnames',
  ],
]);

/** A schema's name as that of a type: the language's own `Error` keeps its name. */
export function typeName(schema: string): string {
  return schema === 'Error' ? 'ErrorBody' : schema;
}

/** One declaration per named schema, and one of the events of each stream. */
export function writeTypes(document: Document): string {
  const schemas = Object.entries(document.components.schemas).map(([name, schema]) =>
    declaration(typeName(name), schema),
  );
  const operations = Object.values(document.paths).flatMap((item) => METHODS.map((method) => item[method]));
  return [...schemas, ...operations.flatMap((it) => (it === undefined ? [] : eventsOf(it)))].join('\n\n');
}

/** The data of a stream's events, by their names. */
function eventsOf({ operationId, responses }: Operation): readonly string[] {
  return Object.values(responses).flatMap(({ content }) => {
    const events = content?.['text/event-stream']?.['x-events'];
    if (events === undefined) return [];
    const fields = Object.entries(events).map(
      ([name, { description, schema }]) => `${comment(description)}readonly ${name}: ${typeOf(schema)};`,
    );
    const [topic = ''] = operationId.split('_');
    return [`export interface ${topic[0]?.toUpperCase()}${topic.slice(1)}Events {\n${fields.join('\n')}\n}`];
  });
}

function declaration(name: string, schema: Schema): string {
  const head = comment(schema.description);
  const hasFields = schema.properties !== undefined && Object.keys(schema.properties).length > 0;
  if (hasFields && schema.anyOf === undefined) return `${head}export interface ${name} ${typeOf(schema)}`;
  return `${head}export type ${name} = ${typeOf(schema)};`;
}

/** The type of the values that a schema admits. */
export function typeOf(schema: Schema): string {
  for (const keyword of Object.keys(schema))
    if (!UNDERSTOOD.has(keyword)) throw new Error(`the schema keyword ${keyword} is not understood`);
  if (schema.$ref !== undefined) return typeName(referredName(schema.$ref));
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return union(schema.enum.map((value) => JSON.stringify(value)));
  if (schema.anyOf !== undefined) return union(schema.anyOf.map(typeOf));
  if (Array.isArray(schema.type)) return union(schema.type.map((type) => typeOf({ ...schema, type })));
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return listType(schema.items === undefined ? 'unknown' : typeOf(schema.items));
    case 'object':
      return objectType(schema);
    case undefined:
      return 'unknown';
    default:
      throw new Error(`the schema type ${String(schema.type)} is not understood`);
  }
}

function union(types: readonly string[]): string {
  return [...new Set(types)].join(' | ');
}

function listType(item: string): string {
  return /[ |]/.test(item) && !item.startsWith('{') ? `readonly (${item})[]` : `readonly ${item}[]`;
}

function objectType({ properties = {}, required = [], additionalProperties }: Schema): string {
  const others = typeof additionalProperties === 'object' ? typeOf(additionalProperties) : null;
  const fields = Object.entries(properties).map(([name, schema]) => {
    const mark = required.includes(name) ? '' : '?';
    return `${comment(describe(schema))}readonly ${key(name)}${mark}: ${typeOf(schema)};`;
  });
  if (fields.length === 0) {
    const value = others ?? (additionalProperties === false ? 'never' : 'unknown');
    return `Readonly<Record<string, ${value}>>`;
  }
  if (others !== null) fields.push(`readonly [key: string]: ${others} | undefined;`);
  return `{\n${fields.join('\n')}\n}`;
}

function key(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

/** Returns a doc comment, or an empty text if there is no description. */
export function comment(text: string | undefined): string {
  return text === undefined ? '' : `/** ${text.replaceAll('*/', '* /')} */\n`;
}
