/**
 * The named schemas of the OpenAPI document.
 * Invariant: two different schemas never have the same name.
 */
import { isDeepStrictEqual } from 'node:util';
import type { TObject } from '../core/type.ts';
import type {
  ActionDefinition,
  ElementsDefinition,
  KindSurface,
  ModuleDefinition,
} from '../resources/definition.ts';
import { domainHostport } from '../resources/patterns.ts';
import { UsedBy } from '../resources/used-by.ts';
import type { Endpoint, StandaloneEndpoint } from './endpoints.ts';
import { annotatedOutside, forCreate, forRead, forUpdate, openMap } from './openapi-annotations.ts';
import { type Json, type JsonMap, reference } from './openapi-json.ts';

/** Keywords of the engine, which the document does not show. */
const INTERNAL: ReadonlySet<string> = new Set([
  'x-error',
  'x-missing',
  'x-module',
  'x-here',
  'x-id-prefixes',
  'x-served-ports',
]);

/** Collects schemas. A schema with an `$id` has that name, and occurs once. */
export class Components {
  readonly schemas: JsonMap = {};
  /** Names of modules and elements inside a resource, by the field's name and then by their JSON. */
  readonly #inner: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** Final changes of schemas by their purpose, by name. */
  readonly #finish: ReadonlyMap<string, (schema: JsonMap) => JsonMap>;
  /** The names of kinds, by the prefix of their ids. */
  readonly #kinds: ReadonlyMap<string, string>;
  /** Names of definitions that exist already: most operations of a kind share them. */
  readonly #added = new Map<object, string>();
  /** Source JSON of the schemas, by name. A part of several resources is a separate object in each. */
  readonly #texts = new Map<string, string>();

  /** Ports of hostports of domains. */
  readonly #ports: readonly number[];

  constructor(kinds: readonly KindSurface[], baseUrl: string) {
    this.#ports = [...new Set([443, Number(new URL(baseUrl).port || 443)])];
    this.#inner = innerNames(kinds);
    this.#kinds = new Map(kinds.map(({ prefix, name }) => [prefix, name]));
    this.#finish = new Map(kinds.flatMap((kind) => this.#finishers(kind)));
  }

  add(name: string, schema: object): JsonMap {
    const key = nameOf(schema, name);
    if (this.#added.get(schema) === key) return reference(key);
    const text = JSON.stringify(schema);
    if (this.#texts.get(key) !== text) this.#make(key, text);
    this.#texts.set(key, text);
    this.#added.set(schema, key);
    return reference(key);
  }

  #make(key: string, text: string): void {
    // An example of the whole is an operation's.
    const { $id: _id, examples: _, ...rest } = JSON.parse(text) as JsonMap;
    const cleaned = this.#cleanParts(rest, '');
    const finished = this.#finish.get(key)?.(cleaned) ?? cleaned;
    const standing = this.schemas[key];
    if (standing !== undefined && !isDeepStrictEqual(standing, finished))
      throw new Error(`two different schemas are named ${key}`);
    this.schemas[key] = finished;
  }

  /** The schema of one field of the named one. */
  field({ properties }: TObject, name: string): JsonMap {
    return this.#cleanParts(plain(properties[name] ?? {}), name);
  }

  /** The schema of a request's body; null for an operation without one. */
  request(endpoint: Endpoint): JsonMap | null {
    const body = bodyOf(endpoint);
    return body === null ? null : this.add(body.name, body.schema);
  }

  /** Events of a stream, by name: a description and the schema of the data. Null for other operations. */
  events(endpoint: Endpoint): JsonMap | null {
    const events = endpoint.verb === 'standalone' ? endpoint.standalone.events : undefined;
    if (events === undefined) return null;
    return Object.fromEntries(
      Object.entries(events).map(([name, { description, schemaName, read }]) => [
        name,
        { description, schema: this.add(schemaName, read) },
      ]),
    );
  }

  /** The schema of a success in JSON; null for one without. */
  result(endpoint: Endpoint): JsonMap | null {
    if (endpoint.status === 204 || this.events(endpoint) !== null) return null;
    if (endpoint.verb === 'standalone') return this.#standaloneResult(endpoint);
    const { kind, verb } = endpoint;
    if ('elements' in endpoint) return this.#element(verb, endpoint.elements);
    if ('view' in endpoint) return this.add(endpoint.view.schemaName, endpoint.view.read);
    if ('action' in endpoint) return this.#resultOf(endpoint.action);
    if (verb === 'usedBy') return this.#usedBy();
    if ('module' in endpoint) return this.add(endpoint.module.schemaName, endpoint.module.read);
    const resource = this.add(kind.schemaName, kind.read);
    if (verb !== 'list') return resource;
    const description = 'Newest first. With a filter or a search they may be fewer than the limit, or none.';
    const items = { type: 'array', items: resource, description };
    return this.add(`${kind.schemaName}List`, pageSchema(kind.listKey, items));
  }

  #usedBy(): JsonMap {
    const items = this.add('UsedBy', UsedBy);
    const description =
      'The resources that refer to this one, by descending ids: one for each field that does.';
    return this.add('UsedByList', pageSchema('used_by', { type: 'array', items, description }));
  }

  #standaloneResult({ standalone: { operation, result } }: StandaloneEndpoint): JsonMap {
    if (result === null) throw new Error(`${operation} has a response body without a schema`);
    return this.add(result.schemaName, result.read);
  }

  #resultOf({ name, result }: ActionDefinition): JsonMap {
    if (result === undefined) throw new Error(`${name} has a response body without a schema`);
    return this.add(result.schemaName, result.read);
  }

  #element(verb: Endpoint['verb'], elements: ElementsDefinition): JsonMap {
    const element = this.add(elements.schemaName, elements.read);
    if (verb !== 'listElements') return element;
    return this.add(`${elements.schemaName}List`, {
      type: 'object',
      required: [elements.name, 'uri'],
      properties: {
        [elements.name]: { type: 'array', items: element, description: `${elements.summary}.` },
        uri: { type: 'string', description: 'URL of this page of the list.' },
      },
    });
  }

  #finishers(kind: KindSurface): [string, (schema: JsonMap) => JsonMap][] {
    const cleaned = new Map<object | undefined, JsonMap>();
    const clean = (schema: object | undefined): JsonMap => {
      const known = cleaned.get(schema) ?? this.#cleanParts(plain(schema ?? {}), '');
      cleaned.set(schema, known);
      return known;
    };
    const { schemaName, create, update, elements, modules } = kind;
    const requests = () => [create, update].map(clean);
    return [
      [schemaName, (schema) => forRead(schema, requests())],
      [`${schemaName}Create`, (schema) => forCreate(schema, clean(update))],
      [`${schemaName}Update`, forUpdate],
      ...modules.map(({ schemaName, write }): [string, (schema: JsonMap) => JsonMap] => [
        schemaName,
        (schema) => forRead(schema, [clean(write)]),
      ]),
      ...(elements === undefined ? [] : this.#elementFinishers(elements, clean)),
    ];
  }

  #elementFinishers(
    { schemaName, create, update }: ElementsDefinition,
    clean: (schema: object) => JsonMap,
  ): [string, (schema: JsonMap) => JsonMap][] {
    return [
      [schemaName, (schema) => forRead(schema, [clean(create)])],
      [`${schemaName}Create`, (schema) => forCreate(schema, clean(update))],
    ];
  }

  /** `field` is the name of the field that the value describes, if any. */
  #clean(value: Json, field: string): Json {
    if (Array.isArray(value)) return value.map((item) => this.#clean(item, field));
    if (value === null || typeof value !== 'object') return value;
    const { $id, $ref } = value;
    const { 'x-here': here, ...general } = value;
    const name = $id ?? this.#inner.get(field)?.get(JSON.stringify(general));
    if (typeof name === 'string') {
      const description = here ?? general.description;
      return { ...this.add(name, general), ...(description === undefined ? {} : { description }) };
    }
    if (typeof $ref === 'string' && !$ref.includes('/')) return reference($ref);
    return this.#cleanParts(value, field);
  }

  #cleanParts(value: JsonMap, field: string): JsonMap {
    const cleaned: JsonMap = {};
    for (const [key, part] of Object.entries(value)) {
      if (key === 'properties') cleaned[key] = this.#cleanFields(part as JsonMap);
      // Values, not schemas.
      else if (key === 'default' || key === 'examples') cleaned[key] = part;
      else if (!INTERNAL.has(key)) cleaned[key] = this.#clean(part, field);
    }
    const prefixes = value['x-id-prefixes'] as readonly string[] | undefined;
    if (prefixes !== undefined) cleaned['x-refers-to'] = this.#kindsOf(prefixes);
    if (value['x-served-ports'] === true) cleaned.pattern = domainHostport(this.#ports);
    return annotatedOutside(openMap(cleaned));
  }

  #cleanFields(properties: JsonMap): JsonMap {
    const fields = Object.entries(properties).map(
      ([name, schema]) => [name, this.#clean(schema, name)] as const,
    );
    return Object.fromEntries(fields);
  }

  #kindsOf(prefixes: readonly string[]): string[] {
    return prefixes.map((prefix) => this.#kinds.get(prefix)).filter((name) => name !== undefined);
  }
}

/** Returns the schema of a request body and its name; null for an operation without one. */
function bodyOf(endpoint: Endpoint): { readonly name: string; readonly schema: TObject } | null {
  const named = (name: string, schema: TObject | undefined) =>
    schema === undefined ? null : { name, schema };
  if (endpoint.verb === 'standalone') {
    const { body } = endpoint.standalone;
    return body === undefined ? null : named(body.schemaName, body.write);
  }
  const { kind, verb } = endpoint;
  switch (verb) {
    case 'create':
      return named(`${kind.schemaName}Create`, kind.create);
    case 'update':
      return named(`${kind.schemaName}Update`, kind.update);
    case 'addElement':
      return named(`${endpoint.elements.schemaName}Create`, endpoint.elements.create);
    case 'updateElement':
      return named(`${endpoint.elements.schemaName}Update`, endpoint.elements.update);
    case 'putModule':
      return named(writeName(endpoint.module), endpoint.module.write);
    default:
      return null;
  }
}

/** The schema of a page with the items in the field `key`. */
function pageSchema(key: string, items: JsonMap): JsonMap {
  return {
    type: 'object',
    required: [key, 'uri', 'next_page_uri'],
    properties: {
      [key]: items,
      uri: { type: 'string', description: 'URL of this page of the list.' },
      next_page_uri: { type: ['string', 'null'], description: 'URL of the next page; null on the last one.' },
    },
  };
}

/** The first of the examples that a request's body is defined with. */
export function exampleOf(endpoint: Endpoint): Json | undefined {
  const schema: object = bodyOf(endpoint)?.schema ?? {};
  const { examples }: { examples?: Json } = schema;
  return Array.isArray(examples) ? examples[0] : undefined;
}

/** Names of modules in requests; several kinds share a module. */
const writeNames = new WeakMap<ModuleDefinition, string>();

function writeName(module: ModuleDefinition): string {
  const { schemaName, write, read } = module;
  const known = writeNames.get(module);
  if (known !== undefined) return known;
  const name = isDeepStrictEqual(plain(write), plain(read)) ? schemaName : `${schemaName}Mutate`;
  writeNames.set(module, name);
  return name;
}

function innerNames(kinds: readonly KindSurface[]): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const names = new Map<string, Map<string, string>>();
  const add = (field: string, schema: object, name: string) => {
    const ofField = names.get(field) ?? new Map<string, string>();
    names.set(field, ofField.set(JSON.stringify(schema), name));
  };
  for (const it of kinds.flatMap((kind) => kind.modules)) add(it.name, it.write, writeName(it));
  for (const it of kinds.flatMap((kind) => kind.modules)) add(it.name, it.read, it.schemaName);
  for (const it of kinds.flatMap((kind) => kind.elements ?? [])) {
    add(it.name, it.create, `${it.schemaName}Create`);
    add(it.name, it.read, it.schemaName);
  }
  return names;
}

/** The schema's own name, if it has one. */
function nameOf(schema: { readonly $id?: unknown }, name: string): string {
  return typeof schema.$id === 'string' ? schema.$id : name;
}

/** A schema as the JSON that it is, without what its library keeps beside it. */
function plain(schema: object): JsonMap {
  return JSON.parse(JSON.stringify(schema)) as JsonMap;
}
