/** Writes the API reference in Markdown from the OpenAPI document. A test runs its examples unchanged. */

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
type Schema = { readonly [key: string]: Json };

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly {
    readonly name?: string;
    readonly required?: boolean;
    readonly description?: string;
    readonly schema?: Schema;
  }[];
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: Schema } } };
  readonly responses: Readonly<Record<string, { readonly content?: ResponseContent }>>;
}

interface ResponseContent {
  readonly 'application/json'?: { readonly schema: Schema };
  readonly 'text/event-stream'?: { readonly 'x-events': Readonly<Record<string, StreamEvent>> };
}

/** An event of a stream, with the schema of its data. */
interface StreamEvent {
  readonly description: string;
  readonly schema: Schema;
}

interface OpenApi {
  readonly 'x-kinds': Readonly<Record<string, Kind>>;
  readonly 'x-topics': Readonly<Record<string, { readonly tag: string }>>;
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** A kind of resource: the tag of its operations, and the name of its schema. */
interface Kind {
  readonly tag: string;
  readonly schema: string;
}

interface Row {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

/** Texts of the reference beside the document. */
export interface ReferenceTexts {
  /** Markdown that comes first. */
  readonly intro: string;
  /** A shell script for each kind or topic that has one, by the name of its schema or of the topic. */
  readonly examples: ReadonlyMap<string, string>;
}

/** `document` as `openApiDocument` makes it. */
export function referenceMarkdown(document: object, texts: ReferenceTexts): string {
  const openApi = document as OpenApi;
  const rows = rowsOf(openApi);
  const shown = new Set<string>(['Ref']);
  const topics = Object.entries(openApi['x-topics']).map(([name, { tag }]) => ({ tag, schema: name }));
  const sections = [...Object.values(openApi['x-kinds']), ...topics].flatMap((kind) => [
    '',
    `## ${kind.tag}`,
    '',
    cell(openApi.tags.find(({ name }) => name === kind.tag)?.description ?? ''),
    ...section(
      kind,
      rows.filter(({ operation }) => operation.tags.includes(kind.tag)),
      openApi,
      texts.examples.get(kind.schema),
      shown,
    ),
  ]);
  return `${[texts.intro.trimEnd(), ...sections].join('\n')}\n`;
}

function rowsOf(openApi: OpenApi): Row[] {
  return Object.entries(openApi.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => method !== 'parameters')
      .map(([method, operation]) => ({
        method: method.toUpperCase(),
        path,
        operation: operation as Operation,
      })),
  );
}

function section(
  { schema }: Kind,
  rows: readonly Row[],
  openApi: OpenApi,
  example: string | undefined,
  shown: Set<string>,
): string[] {
  const own = schemasOf(rows, schema, openApi);
  const schemas = [...own, ...partsOf(own, openApi).filter((name) => !shown.has(name))];
  for (const name of schemas) shown.add(name);
  return [
    '',
    '| method | path | | success |',
    '|---|---|---|---|',
    ...rows.map(({ method, path, operation }) => {
      const status = Object.keys(operation.responses)[0] ?? '';
      return `| ${method} | \`${path}\` | ${cell(operation.summary)} | ${status}${answerOf(operation)} |`;
    }),
    ...rows.flatMap(parameterTable),
    ...rows.flatMap(eventTable),
    ...fieldTables(schemas, openApi),
    ...(example === undefined ? [] : ['', '```sh', example.trimEnd(), '```']),
  ];
}

/** A table of the parameters that only one operation has. */
function parameterTable({ method, path, operation }: Row): string[] {
  const own = (operation.parameters ?? []).filter((it) => it.name !== undefined);
  if (own.length === 0) return [];
  return [
    ...['', `**${method} ${path}**`, '', '| parameter | type | |', '|---|---|---|'],
    ...own.map(({ name = '', required, description = '', schema = {} }) => {
      const mark = required === true ? ' (required)' : '';
      return `| \`${name}\`${mark} | ${typeOf(schema, false)} | ${cell(descriptionOf({ ...schema, description }))} |`;
    }),
  ];
}

/** A table of the events of a stream. */
function eventTable({ operation }: Row): string[] {
  const events = Object.entries(eventsOf(operation));
  if (events.length === 0) return [];
  return [
    ...['', '| event | data | |', '|---|---|---|'],
    ...events.map(
      ([name, { description, schema }]) => `| \`${name}\` | ${nameOf(schema)} | ${cell(description)} |`,
    ),
  ];
}

function contentOf({ responses }: Operation): ResponseContent {
  return Object.values(responses)[0]?.content ?? {};
}

function eventsOf(operation: Operation): Readonly<Record<string, StreamEvent>> {
  return contentOf(operation)['text/event-stream']?.['x-events'] ?? {};
}

function answerOf(operation: Operation): string {
  const schema = contentOf(operation)['application/json']?.schema;
  return schema === undefined ? '' : ` ${nameOf(schema)}`;
}

/** The schemas that the rows take and answer, each once, without lists and errors. */
function schemasOf(rows: readonly Row[], resource: string, openApi: OpenApi): string[] {
  const names = rows.flatMap(({ operation }) => {
    const answer = contentOf(operation)['application/json']?.schema;
    const events = Object.values(eventsOf(operation)).map(({ schema }) => schema);
    return [answer, operation.requestBody?.content['application/json'].schema, ...events]
      .filter((schema) => schema !== undefined)
      .map(nameOf);
  });
  const unique = [...new Set(names)].filter(
    (name) => !name.endsWith('List') && openApi.components.schemas[name],
  );
  // The resource first, then what it is made and changed with.
  return unique.sort((a, b) => rank(a, resource) - rank(b, resource));
}

/** The schemas inside these, and inside those schemas, each once. */
function partsOf(names: readonly string[], openApi: OpenApi): readonly string[] {
  const known = new Set(names);
  for (const name of known) {
    const text = JSON.stringify(openApi.components.schemas[name] ?? {});
    for (const [, part = ''] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g)) known.add(part);
  }
  return [...known].slice(names.length);
}

function rank(name: string, resource: string): number {
  const order = [resource, `${resource}Create`, `${resource}Update`].indexOf(name);
  return order === -1 ? 3 : order;
}

/** A table per schema; schemas with the same fields share one. */
function fieldTables(names: readonly string[], openApi: OpenApi): string[] {
  const titles = new Map<string, string[]>();
  for (const name of names) {
    const rows = fieldRows(openApi.components.schemas[name] ?? {}).join('\n');
    if (rows !== '') titles.set(rows, [...(titles.get(rows) ?? []), name]);
  }
  return Array.from(titles, ([rows, names]) => [
    ...['', `**${names.join('**, **')}**`, ''],
    ...['| field | type | |', '|---|---|---|', rows],
  ]).flat();
}

function fieldRows(schema: Schema): string[] {
  const required = (schema.required ?? []) as readonly string[];
  const isRequest = schema.additionalProperties === false;
  return Object.entries((schema.properties ?? {}) as Record<string, Schema>).map(([field, inner]) => {
    const mark = isRequest && required.includes(field) ? ' (required)' : '';
    return `| \`${field}\`${mark} | ${typeOf(inner, !isRequest)} | ${cell(descriptionOf(inner))} |`;
  });
}

/** `showNull`: whether null is worth a word; in requests it only means "not given". */
function typeOf(schema: Schema, showNull: boolean): string {
  if (typeof schema.$ref === 'string') return nameOf(schema);
  if (Array.isArray(schema.anyOf)) {
    const options = (schema.anyOf as readonly Schema[]).filter(
      (option) => showNull || option.type !== 'null',
    );
    return options.map((option) => typeOf(option, showNull)).join(' or ');
  }
  if (Array.isArray(schema.enum))
    return schema.enum
      .filter((value) => value !== '')
      .map((value) => `\`${value}\``)
      .join(', ');
  if (Array.isArray(schema.type)) return schema.type.join(' or ');
  if (schema.type === 'array') return `list of ${typeOf((schema.items ?? {}) as Schema, showNull)}`;
  if (schema.type === 'object') {
    const values = schema.additionalProperties;
    if (typeof values === 'object' && values !== null) return `map to ${typeOf(values as Schema, showNull)}`;
    const inner = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
    return `{ ${inner.map(([field, part]) => `\`${field}\`: ${typeOf(part, showNull)}`).join('; ')} }`;
  }
  return String(schema.type ?? 'any');
}

/** True for a default that is worth a mention; an empty one is not. */
function isWorthAWord(standard: Json | undefined): boolean {
  return standard !== undefined && !['""', '[]', '{}'].includes(JSON.stringify(standard));
}

/** Returns the description of a field with its default. */
function descriptionOf(schema: Schema): string {
  const remarks = [
    schema.description,
    isWorthAWord(schema.default) ? `Default: ${JSON.stringify(schema.default)}.` : undefined,
    schema['x-immutable'] === true ? 'Cannot be changed.' : undefined,
  ];
  return remarks.filter((remark) => remark !== undefined).join(' ');
}

function nameOf(schema: Schema): string {
  return typeof schema.$ref === 'string' ? schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1) : '';
}

/** Escapes text for a cell of a table. */
function cell(text: string): string {
  return text.replace(/[|<>*_]/g, '\\$&').replace(/\s+/g, ' ');
}
