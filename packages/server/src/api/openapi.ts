/** The OpenAPI 3.1 document, from the same definitions that requests are checked by. */

import { MOST_BYTES } from '../core/filter/filter.ts';
import { idPattern } from '../core/id.ts';
import type { Settings } from '../core/settings.ts';
import type { ElementsDefinition, KindSurface } from '../resources/definition.ts';
import { groups } from '../resources/groups.ts';
import { MOST_SEARCH_BYTES } from '../resources/selection.ts';
import type { StandaloneOperation, Topic } from '../resources/standalone/definition.ts';
import { NOT_EVERYWHERE_HEADER, UNREACHABLE_HEADER } from './answer.ts';
import {
  canRequireState,
  type Endpoint,
  isForViewers,
  type KindEndpoint,
  type StandaloneEndpoint,
  showsState,
  writesDocuments,
} from './endpoints.ts';
import { Components, exampleOf } from './openapi-components.ts';
import { ANYTIME, ERROR_SCHEMA, errorComponents, errorResponses } from './openapi-errors.ts';
import { exampleIds } from './openapi-examples.ts';
import { type Json, type JsonMap, jsonContent } from './openapi-json.ts';
import { nameNested } from './openapi-nested.ts';
import { type Path, pathsOf, standalonePaths } from './routes.ts';

/** The OpenAPI 3.1 document of these kinds and operations: the same definitions that requests are checked by. */
export function openApiDocument(
  kinds: readonly KindSurface[],
  settings: Pick<Settings, 'baseUrl' | 'versionHeaders'>,
  operations: readonly StandaloneOperation[] = [],
): JsonMap {
  const components = new Components(kinds, settings.baseUrl);
  components.add('Error', ERROR_SCHEMA);
  const paths: JsonMap = {};
  const collections = new Map(kinds.map((kind) => [kind.path, kind]));
  for (const path of pathsOf(kinds)) paths[path.template] = pathItem(path, collections, components);
  for (const path of standalonePaths(operations)) paths[path.template] = standaloneItem(path, components);
  nameNested(components.schemas);
  const topics = [...new Set(operations.map(({ topic }) => topic))];
  const sections: readonly (KindSurface | Topic)[] = [...kinds, ...topics];
  return {
    openapi: '3.1.0',
    info: {
      title: 'Underpass management API',
      version: '2',
      description: `Manages the resources of a tunnel and edge platform. Every answer but 204 and streams of events is JSON. ${ANYTIME}`,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: settings.baseUrl }],
    security: [{ bearer: [] }],
    tags: sections.map(({ summary, description }) => ({ name: summary, description })),
    'x-tagGroups': groups.flatMap((name) => {
      const tags = sections.filter(({ group }) => group === name).map(({ summary }) => summary);
      return tags.length === 0 ? [] : [{ name, tags }];
    }),
    'x-kinds': Object.fromEntries(kinds.map((kind) => [kind.name, kindEntry(kind)])),
    'x-topics': Object.fromEntries(topics.map(({ name, summary }) => [name, { tag: summary }])),
    paths,
    components: {
      schemas: components.schemas,
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description:
            'The token of an API key. Basic authorization with it as user or password does as well.',
        },
      },
      parameters: parameters(kinds, settings.versionHeaders[0]!),
      responses: errorComponents(),
    },
  };
}

/** The entry of a kind, by the name that `x-refers-to` has: the path and the name of its resources. */
function kindEntry({ one, summary, schemaName, prefix, path, aliasOf }: KindSurface): JsonMap {
  const entry = { one, tag: summary, schema: schemaName, prefix, collection: path };
  return aliasOf === undefined ? entry : { ...entry, alias_of: aliasOf };
}

function parameters(kinds: readonly KindSurface[], versionHeader: string): JsonMap {
  const listed = kinds.filter(({ operations }) => operations.includes('list'));
  const page = { type: 'integer', minimum: 1, maximum: 100, default: 100 };
  return {
    Version: {
      name: versionHeader,
      in: 'header',
      required: true,
      description: 'Version of the API.',
      schema: { type: 'string', enum: ['2'], default: '2' },
    },
    ...SELECTING,
    IfMatch: {
      name: 'If-Match',
      in: 'header',
      description:
        'The ETag of an earlier response, or several with commas between them: the request fails with 412 if the resource has changed since. `*` admits every state.',
      schema: { type: 'string' },
    },
    BeforeAny: {
      name: 'before_id',
      in: 'query',
      description: 'Lists resources with an id below this one, of any kind.',
      schema: { type: 'string' },
    },
    Limit: { name: 'limit', in: 'query', description: 'Largest number of resources to list.', schema: page },
    ...Object.fromEntries(listed.map((kind) => [beforeName(kind), before(kind)])),
    ...Object.fromEntries(kinds.flatMap(({ elements }) => (elements ? elementsParameters(elements) : []))),
  };
}

/** Parameters of each list of resources. */
const SELECTING = {
  Filter: {
    name: 'filter',
    in: 'query',
    description:
      'Lists only the resources that match all terms, such as `created_at >= 2026-01-31 and description contains "shop"`.',
    schema: { type: 'string', 'x-max-bytes': MOST_BYTES },
  },
  Search: {
    name: 'q',
    in: 'query',
    description: 'Lists only the resources with this text in their ids, names, addresses or descriptions.',
    schema: { type: 'string', 'x-max-bytes': MOST_SEARCH_BYTES },
  },
} satisfies JsonMap;

/** Parameters of a list that is complete unless the client requests a part. */
function elementsParameters(elements: ElementsDefinition): readonly (readonly [string, JsonMap])[] {
  const limit = { type: 'integer', minimum: 1, maximum: 100 };
  const howMany = 'Largest number to list; all by default.';
  const before = `Lists what was added before the one with this ${elements.key}.`;
  return [
    [limitName(elements), { name: 'limit', in: 'query', description: howMany, schema: limit }],
    [
      beforeName(elements),
      { name: 'before_id', in: 'query', description: before, schema: { type: 'string' } },
    ],
  ];
}

function limitName({ schemaName }: ElementsDefinition): string {
  return `Limit${schemaName}`;
}

function beforeName({ schemaName }: KindSurface | ElementsDefinition): string {
  return `Before${schemaName}`;
}

function before({ prefix }: KindSurface): JsonMap {
  return {
    name: 'before_id',
    in: 'query',
    description: 'Lists what was created before this id.',
    schema: { type: 'string', pattern: idPattern([prefix]) },
  };
}

/** `collections`: the kinds, by their paths. */
function pathItem(
  path: Path,
  collections: ReadonlyMap<string, KindSurface>,
  components: Components,
): JsonMap {
  const named = path.parameters.map((name) => {
    const kind = collections.get(path.template.slice(0, path.template.indexOf(`/{${name}}`)));
    return {
      name,
      in: 'path',
      required: true,
      description: parameterDescription(name, path),
      schema: kind === undefined ? keySchema(path, components) : idSchema(kind),
    };
  });
  const item: JsonMap = { parameters: [parameter('Version'), ...named] };
  for (const [method, endpoint] of path.endpoints)
    item[method.toLowerCase()] = operation(endpoint, components);
  return item;
}

function idSchema({ name, prefix }: KindSurface): JsonMap {
  return { type: 'string', pattern: idPattern([prefix]), 'x-refers-to': [name] };
}

/** The schema of an element's key, which is a field of its creation. */
function keySchema({ place }: Path, components: Components): JsonMap {
  const elements = place?.kind.elements;
  return elements === undefined ? { type: 'string' } : components.field(elements.create, elements.key);
}

function parameterDescription(name: string, { place }: Path): string {
  if (place === null) throw new Error(`${name} is a parameter of no kind`);
  const { roles, kind } = place;
  if (name === roles.parent) return 'The id of the resource that it belongs to.';
  if (name === roles.key) return 'The key of an element of the list.';
  return `The id of the resource: "${kind.prefix}_" and 27 letters and digits.`;
}

/** The path of operations that belong to no kind. */
function standaloneItem(path: Path, components: Components): JsonMap {
  const endpoints = [...path.endpoints] as (readonly [string, StandaloneEndpoint])[];
  const descriptions = Object.assign(
    {},
    ...endpoints.map(([, { standalone }]) => standalone.parameters ?? {}),
  );
  const prefixes: Readonly<Record<string, string>> = endpoints[0]?.[1].standalone.prefixes ?? {};
  const named = path.parameters.map((name) => {
    const pattern = prefixes[name] === undefined ? {} : { pattern: idPattern([prefixes[name]]) };
    return {
      ...{ name, in: 'path', required: true, description: descriptions[name] ?? 'The id.' },
      schema: { type: 'string', ...pattern },
    };
  });
  const item: JsonMap = { parameters: [parameter('Version'), ...named] };
  for (const [method, endpoint] of endpoints) item[method.toLowerCase()] = operation(endpoint, components);
  return item;
}

function operation(endpoint: Endpoint, components: Components): JsonMap {
  const result = components.result(endpoint);
  const success: JsonMap = { description: endpoint.status === 204 ? 'Done.' : 'The result.' };
  if (result !== null) success.content = jsonContent(result);
  const events = components.events(endpoint);
  if (events !== null) {
    success.description = 'The events, as long as the client reads them.';
    success.content = { 'text/event-stream': { schema: { type: 'string' }, 'x-events': events } };
  }
  const tagHeaders = showsState(endpoint) ? tagHeader : {};
  if (writesDocuments(endpoint)) success.headers = { ...writeHeaders, ...tagHeaders };
  else if (endpoint.verb === 'standalone' || endpoint.kind.source === 'live')
    success.headers = unreachableHeader;
  else if (showsState(endpoint)) success.headers = tagHeaders;
  return {
    operationId: endpoint.operation,
    summary: summaryOf(endpoint),
    tags: [endpoint.verb === 'standalone' ? endpoint.standalone.topic.summary : endpoint.kind.summary],
    ...(isChangeForViewers(endpoint) ? { 'x-for-viewers': true } : {}),
    ...queryParameters(endpoint, components),
    ...requestBody(endpoint, components),
    responses: { [endpoint.status]: success, ...errorResponses(endpoint) },
  };
}

const tagHeader = {
  ETag: {
    description: 'The tag of the stored state, for the header If-Match of a change.',
    schema: { type: 'string' },
  },
};

const unreachableHeader = {
  [UNREACHABLE_HEADER]: {
    description:
      'Number of daemons of the service that cannot be reached at the moment: sessions and tunnels there are shown as they were known last. Absent: none.',
    schema: { type: 'integer' },
  },
};

const writeHeaders = {
  [UNREACHABLE_HEADER]: {
    description:
      'Number of daemons of the service that cannot be reached at the moment. The response did not wait until they know the change. Absent: none.',
    schema: { type: 'integer' },
  },
  [NOT_EVERYWHERE_HEADER]: {
    description:
      'Number of daemons of the service that did not apply the change within 250 ms. It is stored, and they apply it later. Absent: none.',
    schema: { type: 'integer' },
  },
};

function queryParameters(endpoint: Endpoint, components: Components): JsonMap {
  switch (endpoint.verb) {
    case 'standalone':
      return standaloneParameters(endpoint.standalone, components);
    case 'list':
      return {
        parameters: ['Limit', beforeName(endpoint.kind), ...Object.keys(SELECTING)].map(parameter),
      };
    case 'usedBy':
      return { parameters: ['Limit', 'BeforeAny'].map(parameter) };
    case 'listElements':
      return {
        parameters: [parameter(limitName(endpoint.elements)), parameter(beforeName(endpoint.elements))],
      };
    default:
      return canRequireState(endpoint) ? { parameters: [parameter('IfMatch')] } : {};
  }
}

function standaloneParameters({ query }: StandaloneOperation, components: Components): JsonMap {
  if (query === undefined) return {};
  const needed: readonly string[] = query.required ?? [];
  const parameters = Object.keys(query.properties).map((name) => {
    const { description = '', ...schema } = components.field(query, name);
    return { name, in: 'query', description, ...(needed.includes(name) ? { required: true } : {}), schema };
  });
  return { parameters };
}

function requestBody(endpoint: Endpoint, components: Components): JsonMap {
  const schema = components.request(endpoint);
  if (schema === null) return {};
  const content = { schema, ...exampleWithIds(endpoint, schema, components) };
  return {
    requestBody: { required: !endpoint.verb.startsWith('update'), content: { 'application/json': content } },
  };
}

function exampleWithIds(endpoint: Endpoint, schema: JsonMap, { schemas }: Components): JsonMap {
  const example = exampleOf(endpoint);
  if (example === undefined) return {};
  const ids = exampleIds(example, schema, schemas);
  return { example, ...(ids.length === 0 ? {} : { 'x-example-ids': ids as Json[] }) };
}

const VERBS: Readonly<Record<KindEndpoint['verb'], string>> = {
  create: 'Create',
  list: 'List',
  get: 'Get',
  update: 'Update',
  delete: 'Delete',
  usedBy: 'List what refers to',
  getModule: 'Get',
  putModule: 'Replace',
  deleteModule: 'Remove',
  detach: 'Detach',
  view: 'Get',
  act: 'Do',
  addElement: 'Add',
  listElements: 'List',
  getElement: 'Get',
  updateElement: 'Update',
  removeElement: 'Remove',
};

/** Returns true for an operation that is no GET, and that viewers may call. */
function isChangeForViewers(endpoint: Endpoint): boolean {
  if (endpoint.verb === 'act') return isForViewers(endpoint);
  return endpoint.verb === 'standalone' && endpoint.standalone.method !== 'GET' && isForViewers(endpoint);
}

function summaryOf(endpoint: Endpoint): string {
  if (endpoint.verb === 'standalone') return endpoint.standalone.summary;
  const { verb, kind } = endpoint;
  const phrase = VERBS[verb];
  if ('action' in endpoint) return endpoint.action.summary;
  if ('view' in endpoint) return endpoint.view.summary;
  if ('module' in endpoint) return `${phrase} the ${uncapitalized(endpoint.module.summary)} of ${kind.one}`;
  if ('detachment' in endpoint) return `${phrase} the ${uncapitalized(endpoint.detachment.summary)}`;
  const { summary, one } = 'elements' in endpoint ? endpoint.elements : kind;
  return `${phrase} ${verb === 'list' || verb === 'listElements' ? uncapitalized(summary) : one}`;
}

/** The text for the middle of a sentence; "TLS" keeps its capitals. */
function uncapitalized(text: string): string {
  return /^[A-Z][a-z]/.test(text) ? `${text[0]!.toLowerCase()}${text.slice(1)}` : text;
}

function parameter(name: string): JsonMap {
  return { $ref: `#/components/parameters/${name}` };
}
