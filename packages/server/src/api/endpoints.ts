/** The endpoints of the API, each made together with its `run`. */
import { Problem } from '../errors/problem.ts';
import type {
  ActionDefinition,
  Collection,
  Detachment,
  ElementsDefinition,
  KindSurface,
  ModuleDefinition,
  Operation,
  Principal,
  ResourceEngine,
  ViewDefinition,
} from '../resources/definition.ts';
import type { RequestState } from '../resources/request-state.ts';
import type {
  StandaloneCall,
  StandaloneOperation,
  StandaloneRun,
  StandaloneStream,
} from '../resources/standalone/definition.ts';
import { validate } from '../resources/validate.ts';
import type { JsonObject, JsonValue } from '../store/store.ts';
import {
  elementsQuery,
  emptyQuery,
  mixedQuery,
  nextQuery,
  type Page,
  pageQuery,
  type Query,
} from './query.ts';
import { queryValues } from './query-values.ts';
import { type ResourceWords, selectionIn } from './selection.ts';

/** A request of a kind that passed every check but those of the resource itself. */
export interface Call {
  readonly engine: ResourceEngine;
  readonly baseUrl: string;
  readonly principal: Principal;
  readonly of: Collection;
  /** '' for a collection. */
  readonly id: string;
  /** The key of an element; '' if there is none. */
  readonly key: string;
  /** The page that the endpoint read from the query. */
  readonly page: Page;
  readonly body: JsonValue;
  /** The condition of the request, and the state in its response. */
  readonly state: RequestState;
}

interface Named {
  /** Unique and stable: `tls_edge_get`, `tls_edge_backend_put`. In OpenAPI, logs and metrics. */
  readonly operation: string;
  /** Reads the query in the words of a client; null: in ours. Raises Problem. */
  readonly page: (query: string, words: ResourceWords | null) => Query;
}

interface Doing extends Named {
  readonly kind: KindSurface;
  /** Calls the engine, and returns the JSON of the response; null for none. Raises Problem. */
  readonly run: (call: Call) => Promise<JsonObject | null>;
}

/** The body and the status that a method implies. `ignored`: a body may be sent, but is not read. */
interface Manner {
  readonly body: 'json' | 'none' | 'ignored';
  readonly status: 200 | 201 | 204;
}

type Target =
  | { readonly verb: Operation | 'usedBy' }
  | { readonly verb: 'getModule' | 'putModule' | 'deleteModule'; readonly module: ModuleDefinition }
  | { readonly verb: 'detach'; readonly detachment: Detachment }
  | { readonly verb: 'view'; readonly view: ViewDefinition }
  | { readonly verb: 'act'; readonly action: ActionDefinition }
  | {
      readonly verb: 'addElement' | 'listElements' | 'getElement' | 'updateElement' | 'removeElement';
      readonly elements: ElementsDefinition;
    };

/** One method on one path of a kind. */
export type KindEndpoint = Doing & Manner & Target;

/** An operation that belongs to no kind. */
export interface StandaloneEndpoint extends Named, Manner {
  readonly verb: 'standalone';
  readonly standalone: StandaloneOperation;
  /** Returns the JSON of the response; null for none. Raises Problem. */
  readonly run: StandaloneRun;
  /** Opens the stream of an operation that has one; null for others. */
  readonly open: StandaloneStream | null;
}

/** One method on one path. */
export type Endpoint = KindEndpoint | StandaloneEndpoint;

/** Returns true if the endpoint can write documents. */
export function writesDocuments(endpoint: Endpoint): boolean {
  if (endpoint.verb === 'standalone') return !endpoint.standalone.isRead;
  return endpoint.kind.source === 'stored' && !isRead(endpoint);
}

/** Returns true if a response has a page of resources of an account. */
export function isPaged({ verb }: Endpoint): boolean {
  return verb === 'list' || verb === 'usedBy';
}

/** Returns true if responses have the tag of a stored state. That of a removed part is of the rest. */
export function showsState(endpoint: Endpoint): boolean {
  return endpoint.verb !== 'standalone' && endpoint.kind.source === 'stored' && !STATELESS.has(endpoint.verb);
}

const STATELESS: ReadonlySet<Endpoint['verb']> = new Set([
  'list',
  'usedBy',
  'listElements',
  'delete',
  'view',
  'act',
]);

/** Returns true if the endpoint changes a stored resource, and a request can require its state. */
export function canRequireState(endpoint: Endpoint): boolean {
  return writesDocuments(endpoint) && CHANGES.has(endpoint.verb);
}

const CHANGES: ReadonlySet<Endpoint['verb']> = new Set([
  'update',
  'delete',
  'putModule',
  'deleteModule',
  'detach',
  'updateElement',
  'removeElement',
]);

/** Returns true if the endpoint changes nothing. */
export function isRead(endpoint: Endpoint): boolean {
  if (endpoint.verb === 'standalone') return endpoint.standalone.isRead;
  if (endpoint.verb === 'act') return endpoint.action.isRead === true;
  return READS.has(endpoint.verb);
}

/** Returns true if a user who only reads may call it. */
export function isForViewers(endpoint: Endpoint): boolean {
  return isRead(endpoint) || (endpoint.verb === 'standalone' && endpoint.standalone.isForViewers === true);
}

const READS: ReadonlySet<Endpoint['verb']> = new Set([
  'usedBy',
  'list',
  'get',
  'getModule',
  'view',
  'listElements',
  'getElement',
]);

/** Endpoints by their methods. */
export type Methods = readonly (readonly [string, KindEndpoint])[];

const manners = {
  GET: { body: 'none', status: 200 },
  POST: { body: 'json', status: 201 },
  PUT: { body: 'json', status: 200 },
  PATCH: { body: 'json', status: 200 },
  DELETE: { body: 'none', status: 204 },
} as const satisfies Record<string, Manner>;

type Made = Omit<Doing, 'page'> & Partial<Pick<Doing, 'page'> & Manner> & Target;

function on(method: keyof typeof manners, made: Made): readonly [string, KindEndpoint] {
  return [method, { ...manners[method], page: emptyQuery, ...made }];
}

/** The endpoint of an operation that belongs to no kind. */
export function standaloneEndpoint(
  standalone: StandaloneOperation,
  run: StandaloneRun,
  open: StandaloneStream | null,
): StandaloneEndpoint {
  const { operation, query, body, result, events, method } = standalone;
  return {
    verb: 'standalone',
    operation,
    standalone,
    body: body !== undefined ? 'json' : method === 'POST' ? 'ignored' : 'none',
    status: result === null && events === undefined ? 204 : 200,
    page:
      query === undefined ? emptyQuery : (text) => ({ ...emptyQuery(''), values: queryValues(query, text) }),
    run: async (call) => run(checked(call, standalone)),
    open,
  };
}

/** Raises Problem. */
function checked(call: StandaloneCall, { prefixes = {}, body }: StandaloneOperation): StandaloneCall {
  for (const [field, prefix] of Object.entries(prefixes)) {
    const value = call.path[field] ?? '';
    if (!value.startsWith(`${prefix}_`)) throw new Problem('idPrefixWrong', { value, prefix }, { field });
  }
  return body === undefined ? call : { ...call, body: validate(body.write, call.body) };
}

export function collectionMethods(kind: KindSurface): Methods {
  const named = (verb: Operation) => ({ kind, operation: `${kind.name}_${verb}` });
  const page = (query: string, words: ResourceWords | null) =>
    pageQuery(query, kind.prefix, (text) => selectionIn(kind, words, text));
  return possible(kind, [
    on('GET', { ...named('list'), verb: 'list', page, run: list }),
    on('POST', {
      ...named('create'),
      verb: 'create',
      run: ({ engine, of, principal, body, state }) => engine.create(of, principal, body, state),
    }),
  ]);
}

export function resourceMethods(kind: KindSurface): Methods {
  const named = (verb: Operation) => ({ kind, operation: `${kind.name}_${verb}` });
  return possible(kind, [
    on('GET', {
      ...named('get'),
      verb: 'get',
      run: ({ engine, of, principal, id, state }) => engine.get(of, principal, id, state),
    }),
    on('PATCH', {
      ...named('update'),
      verb: 'update',
      run: ({ engine, of, principal, id, body, state }) => engine.update(of, principal, id, body, state),
    }),
    on('DELETE', {
      ...named('delete'),
      verb: 'delete',
      run: ({ engine, of, principal, id, state }) => nothing(engine.remove(of, principal, id, state)),
    }),
  ]);
}

export function moduleMethods(kind: KindSurface, module: ModuleDefinition): Methods {
  const { name } = module;
  const named = (verb: string) => ({ kind, module, operation: `${kind.name}_${name}_${verb}` });
  return [
    on('GET', {
      ...named('get'),
      verb: 'getModule',
      run: ({ engine, of, principal, id, state }) => engine.getModule(of, principal, id, name, state),
    }),
    on('PUT', {
      ...named('put'),
      verb: 'putModule',
      run: ({ engine, of, principal, id, body, state }) =>
        engine.putModule(of, principal, id, name, body, state),
    }),
    on('DELETE', {
      ...named('delete'),
      verb: 'deleteModule',
      run: ({ engine, of, principal, id, state }) =>
        nothing(engine.removeModule(of, principal, id, name, state)),
    }),
  ];
}

export function detachmentMethods(kind: KindSurface, detachment: Detachment): Methods {
  const { name } = detachment;
  return [
    on('DELETE', {
      kind,
      operation: `${kind.name}_${name}_delete`,
      verb: 'detach',
      detachment,
      run: ({ engine, of, principal, id, state }) => nothing(engine.detach(of, principal, id, name, state)),
    }),
  ];
}

/** The list of the resources that refer to one, for a stored kind. */
export function usedByMethods(kind: KindSurface): Methods {
  return [
    on('GET', {
      kind,
      operation: `${kind.name}_used_by`,
      verb: 'usedBy',
      page: mixedQuery,
      run: async ({ engine, baseUrl, of, principal, id, page }) => {
        const { items, next } = await engine.usedBy(of, principal, id, page);
        const uri = `${baseUrl}${pathOf(of)}/${id}/used_by`;
        return {
          used_by: items,
          uri,
          next_page_uri: next === null ? null : `${uri}${nextQuery(next, page)}`,
        };
      },
    }),
  ];
}

export function viewMethods(kind: KindSurface, view: ViewDefinition): Methods {
  const { name } = view;
  return [
    on('GET', {
      kind,
      operation: `${kind.name}_${name}`,
      verb: 'view',
      view,
      run: ({ engine, of, principal, id }) => engine.view(of, principal, id, name),
    }),
  ];
}

export function actionMethods(kind: KindSurface, action: ActionDefinition): Methods {
  const { name, result } = action;
  return [
    on('POST', {
      kind,
      operation: `${kind.name}_${name}`,
      verb: 'act',
      action,
      body: 'ignored',
      status: result === undefined ? 204 : 200,
      run: ({ engine, of, principal, id }) => engine.act(of, principal, id, name),
    }),
  ];
}

export function elementListMethods(kind: KindSurface, elements: ElementsDefinition): Methods {
  const { name } = elements;
  const named = (verb: string) => ({ kind, elements, operation: `${kind.name}_${name}_${verb}` });
  return [
    on('GET', {
      ...named('list'),
      verb: 'listElements',
      page: elementsQuery,
      run: async ({ engine, baseUrl, of, principal, id, page }) => ({
        [name]: await engine.listElements(of, principal, id, page),
        uri: `${baseUrl}${pathOf(of)}/${id}/${name}`,
      }),
    }),
    on('POST', {
      ...named('create'),
      verb: 'addElement',
      run: ({ engine, of, principal, id, body, state }) => engine.addElement(of, principal, id, body, state),
    }),
  ];
}

export function elementMethods(kind: KindSurface, elements: ElementsDefinition): Methods {
  const named = (verb: string) => ({ kind, elements, operation: `${kind.name}_${elements.name}_${verb}` });
  return [
    on('GET', {
      ...named('get'),
      verb: 'getElement',
      run: ({ engine, of, principal, id, key, state }) => engine.getElement(of, principal, id, key, state),
    }),
    on('PATCH', {
      ...named('update'),
      verb: 'updateElement',
      run: ({ engine, of, principal, id, key, body, state }) =>
        engine.updateElement(of, principal, id, key, body, state),
    }),
    on('DELETE', {
      ...named('delete'),
      verb: 'removeElement',
      run: ({ engine, of, principal, id, key, state }) =>
        nothing(engine.removeElement(of, principal, id, key, state)),
    }),
  ];
}

function possible({ operations }: KindSurface, methods: Methods): Methods {
  const verbs: readonly string[] = operations;
  return methods.filter(([, { verb }]) => verbs.includes(verb));
}

async function nothing(done: Promise<void>): Promise<null> {
  await done;
  return null;
}

function pathOf({ kind, parent = '' }: Collection): string {
  return kind.path.replace(/\{\w+\}/, parent);
}

async function list({ engine, baseUrl, of, principal, page }: Call): Promise<JsonObject> {
  const { items, next } = await engine.list(of, principal, page);
  const uri = `${baseUrl}${pathOf(of)}`;
  return {
    [of.kind.listKey]: items,
    uri,
    next_page_uri: next === null ? null : `${uri}${nextQuery(next, page)}`,
  };
}
