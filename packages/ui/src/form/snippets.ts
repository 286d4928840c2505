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

/** `values`: of the parameters in the path, in their order. */
export function asCommand(
  reference: Reference,
  operation: Operation,
  values: readonly string[],
  body: Json | null,
) {
  const { resource, verb } = namesOf(reference, operation);
  const words = ['underpass', 'api', kebab(resource), kebab(verb), ...values].map(word);
  if (body === null) return words.join(' ');
  return `${words.join(' ')} --data ${quoted(JSON.stringify(body))}`;
}

export function asTypeScript(
  reference: Reference,
  operation: Operation,
  values: readonly string[],
  body: Json | null,
) {
  const { resource, verb } = namesOf(reference, operation);
  const given = [
    ...values.map((value) => JSON.stringify(value)),
    ...(body === null ? [] : [JSON.stringify(body, null, 2)]),
  ];
  return [
    "import { Client } from '@underpass/client';",
    '',
    'const client = new Client({ apiKey: process.env.UNDERPASS_API_KEY });',
    `await client.${camel(resource)}.${camel(verb)}(${given.join(', ')});`,
  ].join('\n');
}

/** The resource is the last word of the collection's kind in the plural, the verb the rest of the operation's name. */
function namesOf({ document }: Reference, { id, tag }: Operation): { resource: string; verb: string } {
  const kind = Object.entries(document['x-kinds']).find(([, it]) => it.tag === tag)?.[0] ?? tag;
  const verb = id.startsWith(`${kind}_`) ? id.slice(kind.length + 1) : id;
  return { resource: plural(kind), verb };
}

function plural(kind: string): string {
  return kind.endsWith('y') ? `${kind.slice(0, -1)}ies` : `${kind}s`;
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
