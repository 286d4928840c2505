import type { Detachment, KindSurface, ModuleDefinition, Operation } from '../resources/definition.ts';

type Verb = Operation | 'putModule' | 'getModule' | 'deleteModule' | 'detach';

/** One method on one path: what the API can be asked to do. */
export interface Endpoint {
  /** Unique and stable: `tls_edge_get`, `tls_edge_backend_put`. In OpenAPI, logs and metrics. */
  readonly operation: string;
  readonly verb: Verb;
  readonly kind: KindSurface;
  readonly module: ModuleDefinition | null;
  readonly detachment: Detachment | null;
  readonly takesBody: boolean;
  readonly status: 200 | 201 | 204;
}

export interface Path {
  /** `/edges/tls/{id}`. */
  readonly template: string;
  readonly hasId: boolean;
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

/** Every path of every kind, in the order of the kinds. */
export function pathsOf(kinds: readonly KindSurface[]): readonly Path[] {
  return kinds.flatMap((kind) => [
    path(kind.path, resourceEndpoints(kind, COLLECTION)),
    path(`${kind.path}/{id}`, resourceEndpoints(kind, ITEM)),
    ...kind.modules.map((module) => path(`${kind.path}/{id}/${module.name}`, moduleEndpoints(kind, module))),
    ...(kind.detachments ?? []).map((one) =>
      path(`${kind.path}/{id}/${one.name}`, [['DELETE', detachEndpoint(kind, one)]]),
    ),
  ]);
}

/** The path that a request target leads to, as the router would find it, for requests that do not get that far. */
export function pathAt(paths: readonly Path[], pathname: string): Path | undefined {
  const segments = pathname.split('/');
  return paths.find(({ template }) => {
    const wanted = template.split('/');
    return (
      wanted.length === segments.length &&
      wanted.every((segment, i) => (segment === '{id}' ? segments[i] !== '' : segment === segments[i]))
    );
  });
}

function path(template: string, endpoints: [string, Endpoint][]): Path {
  return {
    template,
    hasId: template.includes('{id}'),
    endpoints: new Map(endpoints),
    methods: endpoints.map(([method]) => method),
  };
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
    takesBody: method === 'POST' || method === 'PATCH' || method === 'PUT',
    status: method === 'POST' ? 201 : method === 'DELETE' ? 204 : 200,
  };
}
