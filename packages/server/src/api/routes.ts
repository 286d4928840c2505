/**
 * Makes the paths of the API from the kinds.
 * Invariant: only its template identifies a path.
 */
import type { ElementsDefinition, KindSurface } from '../resources/definition.ts';
import {
  actionMethods,
  collectionMethods,
  detachmentMethods,
  type Endpoint,
  elementListMethods,
  elementMethods,
  type Methods,
  moduleMethods,
  resourceMethods,
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
  readonly roles: PathRoles;
  readonly kind: KindSurface;
  readonly endpoints: ReadonlyMap<string, Endpoint>;
  /** The methods of `endpoints`, HEAD if GET is one of them, and OPTIONS; for `Allow`. */
  readonly methods: readonly string[];
}

const READING = ['GET', 'HEAD'];

/** Every path of every kind, in the order of the kinds. */
export function pathsOf(kinds: readonly KindSurface[]): readonly Path[] {
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
): readonly Path[] {
  const list = `${kind.path}/{${elements.parameter}}/${elements.name}`;
  const roles: PathRoles = { id: elements.parameter, parent, key: null };
  const one = { ...roles, key: elements.key };
  return [
    path(kind, list, roles, elementListMethods(kind, elements)),
    path(kind, `${list}/{${elements.key}}`, one, elementMethods(kind, elements)),
  ];
}

function path(kind: KindSurface, template: string, roles: PathRoles, methods: Methods): Path {
  return {
    template,
    parameters: parametersOf(template),
    roles,
    kind,
    endpoints: new Map(methods),
    methods: [...methods.flatMap(([method]) => (method === 'GET' ? READING : [method])), 'OPTIONS'],
  };
}

function parametersOf(template: string): readonly string[] {
  return Array.from(template.matchAll(/\{(\w+)\}/g), ([, name]) => name!);
}
