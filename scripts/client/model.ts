/** Reads resources and their operations from the OpenAPI document. The writers decide how names are spelt. */

import { METHODS, type Schema } from '../../packages/ui/src/form/openapi.ts';
import { operationNames } from '../../packages/ui/src/form/operation-names.ts';
import { type Document, type Operation, type Parameter, referredName, resolved } from './document.ts';

export interface ResourceModel {
  /** Snake case, plural: `tls_edges`. */
  readonly name: string;
  /** The tag that its operations have in the document. */
  readonly tag: string;
  /** A list inside of another resource. */
  readonly isInner: boolean;
  readonly summary: string;
  readonly verbs: readonly VerbModel[];
}

export interface VerbModel {
  /** Snake case: `create`, `put_backend`, `stop`. */
  readonly name: string;
  readonly summary: string;
  /** Upper case. */
  readonly method: string;
  /** The path with its parameters in braces: `/edges/tls/{id}`. */
  readonly path: string;
  /** Parameters in the order of the path. */
  readonly parameters: readonly ParameterModel[];
  /** Parameters of the query, without those of pages. */
  readonly query: readonly QueryModel[];
  /** The name of the schema of the body. */
  readonly body: string | null;
  /** The name of the schema of the answer; null when it has no body. */
  readonly result: string | null;
  readonly list: ListModel | null;
}

export interface ParameterModel {
  readonly name: string;
  readonly description: string;
  /** The kinds whose ids it takes, by name. */
  readonly refersTo?: readonly string[];
}

export interface QueryModel {
  readonly name: string;
  readonly required: boolean;
  /** The schema and the description. */
  readonly schema: Schema;
}

export interface ListModel {
  /** The field of the answer that holds the items. */
  readonly key: string;
  readonly item: string;
  readonly isPaged: boolean;
  /** The list has the parameters `filter` and `q`. */
  readonly isSelected: boolean;
}

interface Found {
  readonly id: string;
  readonly tag: string;
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
}

/** The summary of the list operation. */
function listSummary(members: readonly Found[]): string | undefined {
  const listed = members
    .map(({ operation }) => /^List (.)(.*)$/.exec(operation.summary))
    .find((it) => it !== null);
  return listed === undefined ? undefined : `${listed?.[1]?.toUpperCase()}${listed?.[2]}`;
}

/** All resources, in the order of the document. */
export function resourcesOf(document: Document): readonly ResourceModel[] {
  const named = operationNames(operationsOf(document), document['x-topics'] ?? {});
  const groups = Map.groupBy(named, ({ resource, operation: { tag } }) => `${tag} ${resource}`);
  const resources = [...groups.values()].flatMap((members) => {
    const [first] = members;
    if (first === undefined) return [];
    const { resource: name, isInner } = first;
    const { tag } = first.operation;
    const summary = (isInner ? listSummary(members.map((it) => it.operation)) : undefined) ?? tag;
    const verbs = members.map((it) => verb(document, it.operation, it.verb));
    return [{ name, tag, isInner, summary, verbs }];
  });
  assertDistinct(resources.map(({ name }) => name));
  for (const { name, verbs } of resources) assertDistinct(verbs.map((it) => `${it.name} of ${name}`));
  return resources;
}

function assertDistinct(names: readonly string[]): void {
  const repeated = names.find((name, at) => names.indexOf(name) !== at);
  if (repeated !== undefined) throw new Error(`two things would be called ${repeated}`);
}

function operationsOf(document: Document): Found[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      // The client reads streams by a function of its own.
      return operation === undefined || isStream(operation) ? [] : [foundAt(path, method, operation)];
    }),
  );
}

function foundAt(path: string, method: string, operation: Operation): Found {
  const { operationId: id, tags } = operation;
  return { id, tag: tags[0] ?? '', path, method: method.toUpperCase(), operation };
}

function isStream({ responses }: Operation): boolean {
  return Object.values(responses).some(({ content = {} }) => 'text/event-stream' in content);
}

function verb(document: Document, { path, method, operation }: Found, name: string): VerbModel {
  const described = document.paths[path]?.parameters ?? [];
  const success = Object.entries(operation.responses).find(([status]) => status.startsWith('2'));
  const result = nameOf(success?.[1].content?.['application/json']?.schema.$ref);
  return {
    name,
    summary: operation.summary,
    method,
    path,
    parameters: Array.from(path.matchAll(/\{(\w+)\}/g), ([, parameter = '']) => {
      const found = described.find((it) => it.name === parameter);
      const refersTo = found?.schema?.['x-refers-to'];
      return {
        name: parameter,
        description: found?.description ?? '',
        ...(refersTo === undefined ? {} : { refersTo }),
      };
    }),
    query: (operation.parameters ?? []).flatMap(queryParameter),
    body: nameOf(operation.requestBody?.content['application/json'].schema.$ref),
    result,
    list:
      result !== null && (name === 'list' || isPage(document, result))
        ? listModel(document, result, operation)
        : null,
  };
}

const OF_PAGES = ['limit', 'before_id'];

/** None for a parameter that every list has, which the document only refers to. */
function queryParameter({
  name,
  in: place,
  required,
  description,
  schema,
}: Parameter): readonly QueryModel[] {
  if (name === undefined || place !== 'query' || OF_PAGES.includes(name)) return [];
  const described = description === undefined ? { ...schema } : { ...schema, description };
  return [{ name, required: required === true, schema: described }];
}

function nameOf($ref: string | undefined): string | null {
  return $ref === undefined ? null : referredName($ref);
}

/** Returns true for a response with an address of the next page. */
function isPage(document: Document, result: string): boolean {
  const { properties = {} } = resolved(document, { $ref: `#/components/schemas/${result}` });
  return 'next_page_uri' in properties;
}

function listModel(document: Document, result: string, { parameters = [] }: Operation): ListModel {
  const { properties = {} } = resolved(document, { $ref: `#/components/schemas/${result}` });
  const [key, items] = Object.entries(properties).find(([, schema]) => schema.type === 'array') ?? [];
  const item = nameOf(items?.items?.$ref);
  if (key === undefined || item === null) throw new Error(`${result} holds no list of a named schema`);
  const isSelected = parameters.some(({ $ref }) => $ref === '#/components/parameters/Filter');
  return { key, item, isPaged: 'next_page_uri' in properties, isSelected };
}
