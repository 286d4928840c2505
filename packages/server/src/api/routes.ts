/** The paths of the API, from the definitions of the kinds. */
import type {
  ActionDefinition,
  Detachment,
  ElementsDefinition,
  KindSurface,
  ModuleDefinition,
  Operation,
} from '../resources/definition.ts';

type Verb =
  | Operation
  | 'putModule'
  | 'getModule'
  | 'deleteModule'
  | 'detach'
  | 'act'
  | 'addElement'
  | 'listElements'
  | 'getElement'
  | 'updateElement'
  | 'removeElement';

/** One method on one path: what the API can be asked to do. */
export interface Endpoint {
  /** Unique and stable: `tls_edge_get`, `tls_edge_backend_put`. In OpenAPI, logs and metrics. */
  readonly operation: string;
  readonly verb: Verb;
  readonly kind: KindSurface;
  readonly module: ModuleDefinition | null;
  readonly detachment: Detachment | null;
  readonly action: ActionDefinition | null;
  readonly elements: ElementsDefinition | null;
  /** `ignored`: a body may be sent and is not looked at. */
  readonly body: 'json' | 'none' | 'ignored';
  readonly status: 200 | 201 | 204;
}

/** What the parameters of a path stand for. */
export interface PathRoles {
  /** The id of the resource; null for a collection. */
  readonly id: string | null;
  /** The id of the parent of a kind that lives below another. */
  readonly parent: string | null;
  /** The key of an element. */
  readonly key: string | null;
}

export interface Path {
  /** `/edges/tls/{id}`. */
  readonly template: string;
  /** The names of the parameters, in the order of the path. */
  readonly parameters: readonly string[];
  readonly roles: PathRoles;
  readonly endpoints: ReadonlyMap<string, Endpoint>;
  /** The methods of `endpoints`, for `Allow`. */
  readonly methods: readonly string[];
}

const COLLECTION: readonly [string, Operation][] = [
  ['GET', 'list'],
  ['POST', 'create'],
];
const ITEM: readonly [string, Operation][] = [
  ['GET', 'get'],
  ['PATCH', 'update'],
  ['DELETE', 'delete'],
];
const MODULE: readonly [string, Verb, string][] = [
  ['GET', 'getModule', 'get'],
  ['PUT', 'putModule', 'put'],
  ['DELETE', 'deleteModule', 'delete'],
];

const ELEMENTS: readonly [string, Verb, string][] = [
  ['GET', 'listElements', 'list'],
  ['POST', 'addElement', 'create'],
];
const ELEMENT: readonly [string, Verb, string][] = [
  ['GET', 'getElement', 'get'],
  ['PATCH', 'updateElement', 'update'],
  ['DELETE', 'removeElement', 'delete'],
];

/** Every path of every kind, in the order of the kinds. */
export function pathsOf(kinds: readonly KindSurface[]): readonly Path[] {
  return kinds.flatMap((kind) => {
    const parent = parametersOf(kind.path)[0] ?? null;
    const item = `${kind.path}/{id}`;
    const roles: PathRoles = { id: 'id', parent, key: null };
    return [
      path(kind.path, { ...roles, id: null }, resourceEndpoints(kind, COLLECTION)),
      path(item, roles, resourceEndpoints(kind, ITEM)),
      ...kind.modules.map((module) => path(`${item}/${module.name}`, roles, moduleEndpoints(kind, module))),
      ...(kind.detachments ?? []).map((one) =>
        path(`${item}/${one.name}`, roles, [['DELETE', detachEndpoint(kind, one)]]),
      ),
      ...(kind.actions ?? []).map((one) =>
        path(`${item}/${one.name}`, roles, [['POST', actionEndpoint(kind, one)]]),
      ),
      ...elementPaths(kind, parent),
    ].filter(({ endpoints }) => endpoints.size > 0);
  });
}

/** The path that a request target leads to, as the router would find it, for requests that do not get that far. */
export function pathAt(paths: readonly Path[], pathname: string): Path | undefined {
  const segments = pathname.split('/');
  return paths.find(({ template }) => {
    const wanted = template.split('/');
    return (
      wanted.length === segments.length &&
      wanted.every((segment, i) => (segment.startsWith('{') ? segments[i] !== '' : segment === segments[i]))
    );
  });
}

function path(template: string, roles: PathRoles, endpoints: [string, Endpoint][]): Path {
  return {
    template,
    parameters: parametersOf(template),
    roles,
    endpoints: new Map(endpoints),
    methods: endpoints.map(([method]) => method),
  };
}

function parametersOf(template: string): readonly string[] {
  return Array.from(template.matchAll(/\{(\w+)\}/g), ([, name]) => name!);
}

function elementPaths(kind: KindSurface, parent: string | null): readonly Path[] {
  const { elements } = kind;
  if (elements === undefined) return [];
  const list = `${kind.path}/{${elements.parameter}}/${elements.name}`;
  const roles: PathRoles = { id: elements.parameter, parent, key: null };
  return [
    path(list, roles, elementEndpoints(kind, elements, ELEMENTS)),
    path(
      `${list}/{${elements.key}}`,
      { ...roles, key: elements.key },
      elementEndpoints(kind, elements, ELEMENT),
    ),
  ];
}

function resourceEndpoints(kind: KindSurface, methods: readonly [string, Operation][]): [string, Endpoint][] {
  return methods
    .filter(([, verb]) => kind.operations.includes(verb))
    .map(([method, verb]) => [method, endpoint(kind, null, method, verb, `${kind.name}_${verb}`)]);
}

function moduleEndpoints(kind: KindSurface, module: ModuleDefinition): [string, Endpoint][] {
  return MODULE.map(([method, verb, name]) => [
    method,
    endpoint(kind, module, method, verb, `${kind.name}_${module.name}_${name}`),
  ]);
}

function detachEndpoint(kind: KindSurface, detachment: Detachment): Endpoint {
  const operation = `${kind.name}_${detachment.name}_delete`;
  return { ...endpoint(kind, null, 'DELETE', 'detach', operation), detachment };
}

function actionEndpoint(kind: KindSurface, action: ActionDefinition): Endpoint {
  const operation = `${kind.name}_${action.name}`;
  return { ...endpoint(kind, null, 'POST', 'act', operation), action, body: 'ignored', status: 204 };
}

function elementEndpoints(
  kind: KindSurface,
  elements: ElementsDefinition,
  methods: readonly [string, Verb, string][],
): [string, Endpoint][] {
  return methods.map(([method, verb, name]) => [
    method,
    { ...endpoint(kind, null, method, verb, `${kind.name}_${elements.name}_${name}`), elements },
  ]);
}

function endpoint(
  kind: KindSurface,
  module: ModuleDefinition | null,
  method: string,
  verb: Verb,
  operation: string,
): Endpoint {
  return {
    operation,
    verb,
    kind,
    module,
    detachment: null,
    action: null,
    elements: null,
    body: method === 'POST' || method === 'PATCH' || method === 'PUT' ? 'json' : 'none',
    status: method === 'POST' ? 201 : method === 'DELETE' ? 204 : 200,
  };
}
