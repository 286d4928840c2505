/**
 * Makes the paths of the API from the kinds.
 * Invariant: only its template identifies a path.
 */
import type { ElementsDefinition, KindSurface } from '../resources/definition.ts';
import type {
  StandaloneOperation,
  StandaloneRuns,
  StandaloneStreams,
} from '../resources/standalone/definition.ts';
import {
  actionMethods,
  collectionMethods,
  detachmentMethods,
  type Endpoint,
  elementListMethods,
  elementMethods,
  type KindEndpoint,
  type Methods,
  moduleMethods,
  resourceMethods,
  type StandaloneEndpoint,
  standaloneEndpoint,
  usedByMethods,
  viewMethods,
} from './endpoints.ts';

/** Roles of the parameters of a path. */
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
  /** Kind of the path with the roles of its parameters. Null for operations that belong to no kind. */
  readonly place: { readonly kind: KindSurface; readonly roles: PathRoles } | null;
  readonly endpoints: ReadonlyMap<string, Endpoint>;
  /** The methods of `endpoints`, HEAD if GET is one of them, and OPTIONS; for `Allow`. */
  readonly methods: readonly string[];
}

/** A path of a kind. */
export interface KindPath extends Path {
  readonly place: NonNullable<Path['place']>;
  readonly endpoints: ReadonlyMap<string, KindEndpoint>;
}

const READING = ['GET', 'HEAD'];

/** Every path of every kind, in the order of the kinds. */
export function pathsOf(kinds: readonly KindSurface[]): readonly KindPath[] {
  return kinds.flatMap((kind) => {
    const parent = parametersOf(kind.path)[0] ?? null;
    const item = `${kind.path}/{id}`;
    const roles: PathRoles = { id: 'id', parent, key: null };
    const below = (name: string, methods: Methods) => path(kind, `${item}/${name}`, roles, methods);
    return [
      path(kind, kind.path, { ...roles, id: null }, collectionMethods(kind)),
      path(kind, item, roles, resourceMethods(kind)),
      ...kind.modules.map((one) => below(one.name, moduleMethods(kind, one))),
      ...(kind.detachments ?? []).map((one) => below(one.name, detachmentMethods(kind, one))),
      ...(kind.source === 'stored' ? [below('used_by', usedByMethods(kind))] : []),
      ...(kind.views ?? []).map((one) => below(one.name, viewMethods(kind, one))),
      ...(kind.actions ?? []).map((one) => below(one.name, actionMethods(kind, one))),
      ...(kind.elements === undefined ? [] : elementPaths(kind, kind.elements, parent)),
    ].filter(({ endpoints }) => endpoints.size > 0);
  });
}

function elementPaths(
  kind: KindSurface,
  elements: ElementsDefinition,
  parent: string | null,
): readonly KindPath[] {
  const list = `${kind.path}/{${elements.parameter}}/${elements.name}`;
  const roles: PathRoles = { id: elements.parameter, parent, key: null };
  const one = { ...roles, key: elements.key };
  return [
    path(kind, list, roles, elementListMethods(kind, elements)),
    path(kind, `${list}/{${elements.key}}`, one, elementMethods(kind, elements)),
  ];
}

function path(kind: KindSurface, template: string, roles: PathRoles, methods: Methods): KindPath {
  return {
    template,
    parameters: parametersOf(template),
    place: { kind, roles },
    endpoints: new Map(methods),
    methods: methodNames(methods.map(([method]) => method)),
  };
}

/** The parts of the daemon that run operations of no kind, and open their streams. */
export interface StandaloneParts {
  readonly runs: StandaloneRuns;
  readonly streams?: StandaloneStreams;
}

/** The paths of operations that belong to no kind. `parts`: absent for a document without a daemon. */
export function standalonePaths(
  operations: readonly StandaloneOperation[],
  parts?: StandaloneParts,
): readonly Path[] {
  return [...Map.groupBy(operations, (one) => one.path)].map(([template, here]) => ({
    template,
    parameters: parametersOf(template),
    place: null,
    endpoints: new Map(here.map((one) => [one.method, endpointOf(one, parts)])),
    methods: methodNames(here.map(({ method }) => method)),
  }));
}

function endpointOf(operation: StandaloneOperation, parts: StandaloneParts | undefined): StandaloneEndpoint {
  if (parts === undefined) return standaloneEndpoint(operation, undescribed, null);
  const { [operation.operation]: run } = parts.runs;
  const open = parts.streams?.[operation.operation];
  const isThere = operation.events === undefined ? run !== undefined : open !== undefined;
  if (!isThere) throw new Error(`no part of the daemon runs ${operation.operation}`);
  return standaloneEndpoint(operation, run ?? undescribed, open ?? null);
}

async function undescribed(): Promise<never> {
  throw new Error('only described, not run');
}

function methodNames(methods: readonly string[]): readonly string[] {
  return [...methods.flatMap((method) => (method === 'GET' ? READING : [method])), 'OPTIONS'];
}

function parametersOf(template: string): readonly string[] {
  return Array.from(template.matchAll(/\{(\w+)\}/g), ([, name]) => name!);
}
