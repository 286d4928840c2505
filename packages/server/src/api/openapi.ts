import { isDeepStrictEqual } from 'node:util';
import type { Settings } from '../core/settings.ts';
import type { ElementsDefinition, KindSurface } from '../resources/definition.ts';
import { type Endpoint, type Path, pathsOf } from './routes.ts';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type JsonMap = { [key: string]: Json };

const ERRORS: readonly (readonly [number, string])[] = [
  [400, 'The request is malformed or invalid.'],
  [401, 'The API key is missing or not valid.'],
  [403, 'The API key does not permit this.'],
  [404, 'There is no such resource.'],
  [409, 'The state of another resource is in the way.'],
  [413, 'The body is too large.'],
  [415, 'The body is not JSON.'],
  [429, 'Too many requests. The Retry-After header says when the next one can be admitted.'],
  [500, 'Something went wrong inside the service.'],
  [503, 'The store cannot answer at the moment.'],
];

const ERROR_SCHEMA: JsonMap = {
  type: 'object',
  required: ['error_code', 'status_code', 'msg', 'details'],
  properties: {
    error_code: { type: 'string', description: 'Distinct for every condition.' },
    status_code: { type: 'integer', description: 'The HTTP status.' },
    msg: { type: 'string', description: 'What is wrong, with what value, and what to do.' },
    details: {
      type: 'object',
      required: ['operation_id'],
      properties: {
        operation_id: { type: 'string', description: 'Names this request in the log of the service.' },
        field: { type: 'string', description: 'JSON pointer into the body, or the name of a parameter.' },
        allowed: { type: 'string', description: 'What would be accepted, separated by commas.' },
        limit: { type: 'string', description: 'The bound that was passed, in digits.' },
        used_by: {
          type: 'string',
          description: 'Ids of the resources that are in the way, separated by commas.',
        },
      },
      additionalProperties: { type: 'string' },
    },
  },
};

/** The OpenAPI 3.1 document of these kinds: the same definitions that requests are checked by. */
export function openApiDocument(kinds: readonly KindSurface[], settings: Settings): JsonMap {
  const components = new Components();
  components.add('Error', ERROR_SCHEMA);
  const paths: JsonMap = {};
  for (const path of pathsOf(kinds)) paths[path.template] = pathItem(path, components);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Underpass management API',
      version: '2',
      description: 'Manages the resources of a tunnel and edge platform. Every answer but 204 is JSON.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: settings.baseUrl }],
    security: [{ bearer: [] }],
    tags: kinds.map((kind) => ({ name: kind.schemaName, description: kind.summary })),
    paths,
    components: {
      schemas: components.schemas,
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'The token of an API key.' },
      },
      parameters: parameters(settings.versionHeaders[0]!),
      responses: Object.fromEntries(
        ERRORS.map(([status, description]) => [`Error${status}`, errorResponse(description)]),
      ),
    },
  };
}

function parameters(versionHeader: string): JsonMap {
  const page = { type: 'integer', minimum: 1, maximum: 100, default: 100 };
  return {
    Version: {
      name: versionHeader,
      in: 'header',
      required: true,
      description: 'Version of the API.',
      schema: { type: 'string', const: '2', default: '2' },
    },
    Limit: { name: 'limit', in: 'query', description: 'How many to list.', schema: page },
    BeforeId: {
      name: 'before_id',
      in: 'query',
      description: 'Lists what was created before this id.',
      schema: { type: 'string' },
    },
  };
}

function errorResponse(description: string): JsonMap {
  return { description, content: jsonContent(reference('Error')) };
}

function pathItem(path: Path, components: Components): JsonMap {
  const named = path.parameters.map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  const item: JsonMap = { parameters: [parameter('Version'), ...named] };
  for (const [method, endpoint] of path.endpoints)
    item[method.toLowerCase()] = operation(endpoint, components);
  return item;
}

function operation(endpoint: Endpoint, components: Components): JsonMap {
  const request = requestSchema(endpoint, components);
  const result = resultSchema(endpoint, components);
  const success: JsonMap = { description: endpoint.status === 204 ? 'Done.' : 'The result.' };
  if (result !== null) success.content = jsonContent(result);
  return {
    operationId: endpoint.operation,
    summary: summaryOf(endpoint),
    tags: [endpoint.kind.schemaName],
    ...(endpoint.verb === 'list' ? { parameters: [parameter('Limit'), parameter('BeforeId')] } : {}),
    ...(request === null
      ? {}
      : { requestBody: { required: !endpoint.verb.startsWith('update'), content: jsonContent(request) } }),
    responses: { [endpoint.status]: success, ...errorResponses(endpoint) },
  };
}

const VERBS: Readonly<Record<Endpoint['verb'], string>> = {
  create: 'Create',
  list: 'List',
  get: 'Get',
  update: 'Update',
  delete: 'Delete',
  getModule: 'Get',
  putModule: 'Replace',
  deleteModule: 'Remove',
  detach: 'Detach',
  act: 'Do',
  addElement: 'Add',
  listElements: 'List',
  getElement: 'Get',
  updateElement: 'Update',
  removeElement: 'Remove',
};

function summaryOf({ verb, kind, module, detachment, action, elements }: Endpoint): string {
  if (action !== null) return action.summary;
  return `${VERBS[verb]}: ${(module ?? detachment ?? elements ?? kind).summary}`;
}

function errorResponses(endpoint: Endpoint): JsonMap {
  const absent = new Set<number>();
  if (endpoint.verb === 'list') absent.add(404);
  if (endpoint.body !== 'json') absent.add(413).add(415);
  if (endpoint.body === 'none' && endpoint.status !== 204) absent.add(409);
  const present = ERRORS.filter(([status]) => !absent.has(status));
  return Object.fromEntries(
    present.map(([status]) => [status, { $ref: `#/components/responses/Error${status}` }]),
  );
}

function requestSchema({ verb, kind, module, elements }: Endpoint, components: Components): Json {
  if (verb === 'addElement' && elements !== null)
    return components.add(`${elements.schemaName}Create`, elements.create);
  if (verb === 'updateElement' && elements !== null)
    return components.add(`${elements.schemaName}Update`, elements.update);
  if (verb === 'create' && kind.create !== undefined)
    return components.add(`${kind.schemaName}Create`, kind.create);
  if (verb === 'update' && kind.update !== undefined)
    return components.add(`${kind.schemaName}Update`, kind.update);
  if (verb !== 'putModule' || module === null) return null;
  const alike = isDeepStrictEqual(plain(module.write), plain(module.read));
  return components.add(alike ? module.schemaName : `${module.schemaName}Mutate`, module.write);
}

function resultSchema({ verb, kind, module, elements, status }: Endpoint, components: Components): Json {
  if (status === 204) return null;
  if (elements !== null) return elementSchema(verb, elements, components);
  if (module !== null) return components.add(module.schemaName, module.read);
  const resource = components.add(kind.schemaName, kind.read);
  if (verb !== 'list') return resource;
  return components.add(`${kind.schemaName}List`, {
    type: 'object',
    required: [kind.listKey, 'uri', 'next_page_uri'],
    properties: {
      [kind.listKey]: { type: 'array', items: resource },
      uri: { type: 'string' },
      next_page_uri: { type: ['string', 'null'] },
    },
  });
}

function elementSchema(verb: Endpoint['verb'], elements: ElementsDefinition, components: Components): Json {
  const element = components.add(elements.schemaName, elements.read);
  if (verb !== 'listElements') return element;
  return components.add(`${elements.schemaName}List`, {
    type: 'object',
    required: [elements.name, 'uri'],
    properties: { [elements.name]: { type: 'array', items: element }, uri: { type: 'string' } },
  });
}

/** The named schemas of the document. A schema with an `$id` is named by it, and stands once. */
class Components {
  readonly schemas: JsonMap = {};

  add(name: string, schema: object): JsonMap {
    const { $id, ...rest } = plain(schema);
    const key = typeof $id === 'string' ? $id : name;
    const cleaned = this.#clean(rest);
    const standing = this.schemas[key];
    if (standing !== undefined && !isDeepStrictEqual(standing, cleaned))
      throw new Error(`two different schemas are named ${key}`);
    this.schemas[key] = cleaned;
    return reference(key);
  }

  #clean(value: Json): Json {
    if (Array.isArray(value)) return value.map((item) => this.#clean(item));
    if (value === null || typeof value !== 'object') return value;
    const { $id, $ref } = value;
    if (typeof $id === 'string') return this.add($id, value);
    if (typeof $ref === 'string' && !$ref.includes('/')) return reference($ref);
    const cleaned: JsonMap = {};
    for (const [key, part] of Object.entries(value)) {
      // Which condition of the catalogue a schema stands for is the engine's business.
      if (key !== 'x-error' && key !== 'x-missing') cleaned[key] = this.#clean(part);
    }
    return openMap(cleaned);
  }
}

/** Writes a map from any text as `additionalProperties`, which generators of clients understand better than a pattern. */
function openMap(schema: JsonMap): JsonMap {
  const { patternProperties, ...rest } = schema;
  if (patternProperties === undefined || patternProperties === null || typeof patternProperties !== 'object')
    return schema;
  const entries = Object.entries(patternProperties);
  const [pattern, value] = entries[0] ?? [];
  if (entries.length !== 1 || pattern !== '^.*$' || value === undefined) return schema;
  return { ...rest, additionalProperties: value };
}

/** A schema as the JSON that it is, without what its library keeps beside it. */
function plain(schema: object): JsonMap {
  return JSON.parse(JSON.stringify(schema)) as JsonMap;
}

function reference(name: string): JsonMap {
  return { $ref: `#/components/schemas/${name}` };
}

function parameter(name: string): JsonMap {
  return { $ref: `#/components/parameters/${name}` };
}

function jsonContent(schema: Json): JsonMap {
  return { 'application/json': { schema } };
}
