import { isDeepStrictEqual } from 'node:util';
import { idPattern } from '../core/id.ts';
import type { Settings } from '../core/settings.ts';
import type { ElementsDefinition, KindSurface, ModuleDefinition } from '../resources/definition.ts';
import { ANYTIME, ERROR_SCHEMA, errorComponents, errorResponses } from './openapi-errors.ts';
import { type Json, type JsonMap, jsonContent, reference } from './openapi-json.ts';
import { type Endpoint, type Path, pathsOf } from './routes.ts';

/** The OpenAPI 3.1 document of these kinds: the same definitions that requests are checked by. */
export function openApiDocument(
  kinds: readonly KindSurface[],
  settings: Pick<Settings, 'baseUrl' | 'versionHeaders'>,
): JsonMap {
  const components = new Components(innerNames(kinds));
  components.add('Error', ERROR_SCHEMA);
  const paths: JsonMap = {};
  const prefixes = new Map(kinds.map((kind) => [kind.path, kind.prefix]));
  for (const path of pathsOf(kinds)) paths[path.template] = pathItem(path, prefixes, components);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Underpass management API',
      version: '2',
      description: `Manages the resources of a tunnel and edge platform. Every answer but 204 is JSON. ${ANYTIME}`,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: settings.baseUrl }],
    security: [{ bearer: [] }],
    tags: kinds.map((kind) => ({ name: kind.schemaName, description: kind.summary })),
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

function parameters(kinds: readonly KindSurface[], versionHeader: string): JsonMap {
  const listed = kinds.filter(({ operations }) => operations.includes('list'));
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
    ...Object.fromEntries(listed.map((kind) => [beforeName(kind), before(kind)])),
    ...Object.fromEntries(kinds.flatMap(({ elements }) => (elements ? elementsParameters(elements) : []))),
  };
}

/** Of a list that is shown whole unless a part of it is asked for. */
function elementsParameters(elements: ElementsDefinition): readonly (readonly [string, JsonMap])[] {
  const limit = { type: 'integer', minimum: 1, maximum: 100 };
  const howMany = 'How many to list; all when it is left out.';
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

/** `prefixes` of the ids of a collection, by its path. */
function pathItem(path: Path, prefixes: ReadonlyMap<string, string>, components: Components): JsonMap {
  const named = path.parameters.map((name) => {
    const prefix = prefixes.get(path.template.slice(0, path.template.indexOf(`/{${name}}`)));
    return {
      name,
      in: 'path',
      required: true,
      description: parameterDescription(name, path),
      schema: { type: 'string', ...(prefix === undefined ? {} : { pattern: idPattern([prefix]) }) },
    };
  });
  const item: JsonMap = { parameters: [parameter('Version'), ...named] };
  for (const [method, endpoint] of path.endpoints)
    item[method.toLowerCase()] = operation(endpoint, components);
  return item;
}

function parameterDescription(name: string, { roles, endpoints }: Path): string {
  if (name === roles.parent) return 'The id of the resource that it belongs to.';
  if (name === roles.key) return 'Which one of the list.';
  const [kind] = Array.from(endpoints.values(), (endpoint) => endpoint.kind);
  return `The id of the resource: "${kind?.prefix}_" and 27 letters and digits.`;
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
    ...queryParameters(endpoint),
    ...(request === null
      ? {}
      : { requestBody: { required: !endpoint.verb.startsWith('update'), content: jsonContent(request) } }),
    responses: { [endpoint.status]: success, ...errorResponses(endpoint) },
  };
}

function queryParameters({ verb, kind, elements }: Endpoint): JsonMap {
  if (verb === 'list') return { parameters: [parameter('Limit'), parameter(beforeName(kind))] };
  if (verb !== 'listElements' || elements === null) return {};
  return { parameters: [parameter(limitName(elements)), parameter(beforeName(elements))] };
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
  const phrase = VERBS[verb];
  if (module !== null) return `${phrase} the ${uncapitalized(module.summary)} of ${kind.one}`;
  if (detachment !== null) return `${phrase} the ${uncapitalized(detachment.summary)}`;
  const { summary, one } = elements ?? kind;
  return `${phrase} ${verb === 'list' || verb === 'listElements' ? uncapitalized(summary) : one}`;
}

/** In the middle of a sentence; "TLS" stays as it is. */
function uncapitalized(text: string): string {
  return /^[A-Z][a-z]/.test(text) ? `${text[0]!.toLowerCase()}${text.slice(1)}` : text;
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
  return components.add(writeName(module), module.write);
}

function writeName(module: ModuleDefinition): string {
  const alike = isDeepStrictEqual(plain(module.write), plain(module.read));
  return alike ? module.schemaName : `${module.schemaName}Mutate`;
}

/** What modules and elements are called where they stand inside a resource, by the field's name and their JSON. */
function innerNames(kinds: readonly KindSurface[]): InnerNames {
  const modules = kinds.flatMap((kind) => kind.modules);
  const elements = kinds.flatMap((kind) => kind.elements ?? []);
  return new Map([
    ...modules.map((it) => [innerKey(it.name, it.write), writeName(it)] as const),
    ...modules.map((it) => [innerKey(it.name, it.read), it.schemaName] as const),
    ...elements.map((it) => [innerKey(it.name, it.create), `${it.schemaName}Create`] as const),
    ...elements.map((it) => [innerKey(it.name, it.read), it.schemaName] as const),
  ]);
}

function innerKey(field: string, schema: object): string {
  return `${field} ${JSON.stringify(schema)}`;
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

type InnerNames = ReadonlyMap<string, string>;

/** The named schemas of the document. A schema with an `$id` is named by it, and stands once. */
class Components {
  readonly schemas: JsonMap = {};
  readonly #inner: InnerNames;

  constructor(inner: InnerNames) {
    this.#inner = inner;
  }

  add(name: string, schema: object): JsonMap {
    const { $id, ...rest } = plain(schema);
    const key = typeof $id === 'string' ? $id : name;
    const cleaned = this.#cleanParts(rest, '');
    const standing = this.schemas[key];
    if (standing !== undefined && !isDeepStrictEqual(standing, cleaned))
      throw new Error(`two different schemas are named ${key}`);
    this.schemas[key] = cleaned;
    return reference(key);
  }

  /** `field` is the name of the field that the value describes, if any. */
  #clean(value: Json, field: string): Json {
    if (Array.isArray(value)) return value.map((item) => this.#clean(item, field));
    if (value === null || typeof value !== 'object') return value;
    const { $id, $ref } = value;
    const name = $id ?? this.#inner.get(innerKey(field, value));
    if (typeof name === 'string') return this.add(name, value);
    if (typeof $ref === 'string' && !$ref.includes('/')) return reference($ref);
    return this.#cleanParts(value, field);
  }

  #cleanParts(value: JsonMap, field: string): JsonMap {
    const cleaned: JsonMap = {};
    for (const [key, part] of Object.entries(value)) {
      if (key === 'properties') cleaned[key] = this.#cleanFields(part as JsonMap);
      // Which condition of the catalogue a schema stands for is the engine's business.
      else if (key !== 'x-error' && key !== 'x-missing') cleaned[key] = this.#clean(part, field);
    }
    return describedOutside(openMap(cleaned));
  }

  #cleanFields(properties: JsonMap): JsonMap {
    const fields = Object.entries(properties).map(
      ([name, schema]) => [name, this.#clean(schema, name)] as const,
    );
    return Object.fromEntries(fields);
  }
}

/** Of a value that may be null, the description belongs to the field and not to one of its two shapes. */
function describedOutside(schema: JsonMap): JsonMap {
  const { anyOf } = schema;
  const [value, none] = Array.isArray(anyOf) && anyOf.length === 2 ? anyOf : [];
  if (value === null || typeof value !== 'object' || Array.isArray(value) || 'description' in schema)
    return schema;
  const { description, ...rest } = value;
  if (description === undefined || !isDeepStrictEqual(none, { type: 'null' })) return schema;
  return { ...schema, description, anyOf: [rest, { type: 'null' }] };
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

function parameter(name: string): JsonMap {
  return { $ref: `#/components/parameters/${name}` };
}
