/** Writes a class per resource, with a typed method for everything that can be done with it. */
import { type Document, resolved } from './document.ts';
import type { ResourceModel, VerbModel } from './model.ts';
import { camel, pascal } from './names.ts';
import { comment, typeName, typeOf } from './types.ts';

export function writeResources(document: Document, resources: readonly ResourceModel[]): string {
  const classes = resources.map((resource) => resourceClass(document, resource));
  const code = [...classes, allResources(resources)].join('\n\n');
  const named = new Set(resources.flatMap(({ verbs }) => verbs.flatMap(typesOf)));
  const types = [...named].filter((name) => new RegExp(`\\b${name}\\b`).test(code)).sort();
  return [
    `import type { ${used(code, ['Listing', 'ListOptions', 'SelectOptions'])} } from '../listing.ts';`,
    `import type { CallOptions } from '../options.ts';`,
    ...(code.includes('queryText(') ? [`import { queryText } from '../query-text.ts';`] : []),
    `import { segment, type Transport } from '../transport.ts';`,
    `import type { ${types.join(', ')} } from './types.ts';`,
    '',
    code,
  ].join('\n');
}

/** Returns the names that the code has, for an import. */
function used(code: string, names: readonly string[]): string {
  return names.filter((name) => new RegExp(`\\b${name}\\b`).test(code)).join(', ');
}

function typesOf({ body, result, list }: VerbModel): string[] {
  return [body, result, list?.item ?? null].filter((name) => name !== null).map(typeName);
}

function resourceClass(document: Document, { name, summary, verbs }: ResourceModel): string {
  return [
    `${comment(`${summary}.`)}export class ${pascal(name)} {`,
    'readonly #transport: Transport;',
    '',
    'constructor(transport: Transport) {',
    'this.#transport = transport;',
    '}',
    ...verbs.map((verb) => `\n${method(document, verb)}`),
    '}',
  ].join('\n');
}

function method(document: Document, verb: VerbModel): string {
  const parameters = verb.parameters.map(({ name }) => `${camel(name)}: string`);
  const head = comment(`${verb.summary}. \`${verb.method} ${verb.path}\``);
  const name = camel(verb.name);
  if (verb.list !== null) {
    const base = verb.list.isSelected ? 'SelectOptions' : 'ListOptions';
    const options = `options: ${[base, ...queryTypes(verb)].join(' & ')}${hasRequired(verb) ? '' : ' = {}'}`;
    const names = verb.query.length === 0 ? '' : `, [${verb.query.map((it) => `'${it.name}'`).join(', ')}]`;
    const result = `Listing<${typeName(verb.list.item)}, ${typeName(verb.result ?? '')}>`;
    return [
      `${head}${name}(${[...parameters, options].join(', ')}): ${result} {`,
      `return this.#transport.list(${pathExpression(verb.path)}, '${verb.list.key}', options${names});`,
      '}',
    ].join('\n');
  }
  const body = verb.body === null ? [] : [bodyParameter(document, verb.body)];
  const result = verb.result === null ? 'void' : typeName(verb.result);
  const call = [
    `'${verb.method}'`,
    pathExpression(verb.path, verb.query.length > 0),
    verb.body === null ? 'undefined' : 'body',
    'options',
  ];
  const query = queryTypes(verb).map((type) => `query: ${type}${hasRequired(verb) ? '' : ' = {}'}`);
  return [
    `${head}${name}(${[...parameters, ...query, ...body, 'options: CallOptions = {}'].join(', ')}): Promise<${result}> {`,
    `return this.#transport.call(${call.join(', ')});`,
    '}',
  ].join('\n');
}

/** The type of the query of an operation; none for one without parameters. */
function queryTypes({ query }: VerbModel): readonly string[] {
  if (query.length === 0) return [];
  const properties = Object.fromEntries(query.map(({ name, schema }) => [name, schema]));
  const required = query.filter((it) => it.required).map(({ name }) => name);
  return [typeOf({ type: 'object', properties, required })];
}

function hasRequired({ query }: VerbModel): boolean {
  return query.some(({ required }) => required);
}

/** A body that needs no field may be left out. */
function bodyParameter(document: Document, schema: string): string {
  const { required = [] } = resolved(document, { $ref: `#/components/schemas/${schema}` });
  return `body: ${typeName(schema)}${required.length === 0 ? ' = {}' : ''}`;
}

// biome-ignore lint/suspicious/noTemplateCurlyInString: a part of the generated code
const QUERY = '${queryText(query)}';

function pathExpression(path: string, hasQuery = false): string {
  if (!path.includes('{') && !hasQuery) return `'${path}'`;
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => `\${segment(${camel(name)})}`);
  return `\`${filled}${hasQuery ? QUERY : ''}\``;
}

function allResources(resources: readonly ResourceModel[]): string {
  return [
    '/** Everything that the API manages, by kind. */',
    'export class Resources {',
    ...resources.map(({ name }) => `readonly ${camel(name)}: ${pascal(name)};`),
    '',
    'constructor(transport: Transport) {',
    ...resources.map(({ name }) => `this.${camel(name)} = new ${pascal(name)}(transport);`),
    '}',
    '}',
  ].join('\n');
}
