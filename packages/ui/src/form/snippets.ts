/** A call of the API as curl, as a command and as TypeScript. Secrets come from the environment. */
import type { Json, Operation } from './openapi.ts';
import type { Reference } from './reference.ts';

export interface ApiCall {
  readonly method: string;
  /** The path with its query. */
  readonly url: string;
  /** The text of the body; null for none. */
  readonly body: string | null;
}

export function asCurl({ version, document }: Reference, { method, url, body }: ApiCall): string {
  const parts = [
    `curl -X ${method} ${quoted(`${document.servers[0]?.url ?? ''}${url}`)}`,
    '-H "Authorization: Bearer $UNDERPASS_API_KEY"',
    `-H ${quoted(`${version.name}: ${version.value}`)}`,
    ...(body === null ? [] : ["-H 'Content-Type: application/json'", `-d ${quoted(body)}`]),
  ];
  return parts.join(' \\\n  ');
}

/** A call in the terms of an operation. */
export interface OperationCall {
  readonly operation: Operation;
  /** Values of the parameters in the path, in their order. */
  readonly values: readonly string[];
  /** Parameters of the query that are given, by name. */
  readonly query?: Readonly<Record<string, string>>;
  readonly body: Json | null;
}

/** Returns null if no command makes this call: for a stream, and for a page of a list that is not its first. */
export function asCommand(reference: Reference, call: OperationCall): string | null {
  const { operation, values, query = {}, body } = call;
  const name = reference.nameOf(operation);
  if (name === null || 'before_id' in query) return null;
  const words = ['underpass', 'api', kebab(name.resource), kebab(name.verb), ...values];
  const isKind = Object.values(reference.document['x-kinds']).some(({ tag }) => tag === operation.tag);
  // Lists of a kind have a flag of their own for the text to search for.
  const flag = (field: string): string => (isKind && field === 'q' ? 'query' : kebab(field));
  const flags = Object.entries(query).flatMap(([field, value]) => [`--${flag(field)}`, value]);
  const data = body === null ? [] : ['--data', JSON.stringify(body)];
  return [...words, ...flags, ...data].map(word).join(' ');
}

/** Returns null for a stream. */
export function asTypeScript(reference: Reference, call: OperationCall): string | null {
  const { operation, values, query = {}, body } = call;
  const name = reference.nameOf(operation);
  if (name === null) return null;
  const hasQuery = Object.keys(query).length > 0;
  const given = [
    ...values.map((value) => JSON.stringify(value)),
    ...(hasQuery ? [JSON.stringify(optionsOf(operation, query), null, 2)] : []),
    ...(body === null ? [] : [JSON.stringify(body, null, 2)]),
  ];
  const made = `client.${camel(name.resource)}.${camel(name.verb)}(${given.join(', ')})`;
  return [
    "import { Client } from '@underpass/client';",
    '',
    'const client = new Client({',
    `  baseUrl: ${JSON.stringify(reference.document.servers[0]?.url ?? '')},`,
    '  apiKey: process.env.UNDERPASS_API_KEY,',
    '});',
    usedAs(made, operation, isList(reference, operation, name.verb)),
  ].join('\n');
}

function usedAs(made: string, { method }: Operation, isListing: boolean): string {
  if (isListing) return `for await (const item of ${made}) console.log(item);`;
  return method === 'GET' ? `console.log(await ${made});` : `await ${made};`;
}

function isList(reference: Reference, { answer }: Operation, verb: string): boolean {
  if (answer === null) return false;
  return verb === 'list' || 'next_page_uri' in (reference.given(answer).schema.properties ?? {});
}

/** The parameters of the query with their types. */
function optionsOf({ parameters }: Operation, query: Readonly<Record<string, string>>): Json {
  const entries = Object.entries(query).map(([name, value]): [string, Json] => {
    const type = parameters.find((it) => it.name === name)?.schema.type;
    const typed = type === 'integer' || type === 'number' ? Number(value) : value;
    return [name === 'before_id' ? 'beforeId' : name, type === 'boolean' ? value === 'true' : typed];
  });
  return Object.fromEntries(entries);
}

function kebab(name: string): string {
  return name.replaceAll('_', '-');
}

function camel(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function word(text: string): string {
  return /^[\w./:@-]+$/.test(text) ? text : quoted(text);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
