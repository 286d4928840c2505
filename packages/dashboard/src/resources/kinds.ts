/** Paths and operations of kinds of resources. Pure. */
import type { Kind, Operation } from '@underpass/ui/form/openapi.ts';
import type { Reference } from '@underpass/ui/form/reference.ts';

/** A kind with what can be done with it; null: it cannot be done. */
export interface KindOperations {
  readonly name: string;
  readonly kind: Kind;
  /** The name of the parameter for the resource that it belongs to; null for none. */
  readonly parent: string | null;
  readonly list: Operation | null;
  readonly create: Operation | null;
  readonly get: Operation | null;
  readonly update: Operation | null;
  readonly remove: Operation | null;
}

/** Null: there is no such kind. */
export function kindNamed(reference: Reference, name: string): KindOperations | null {
  const kinds = reference.document['x-kinds'];
  const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
  if (kind === undefined) return null;
  const { collection } = kind;
  const item = `${collection}/{id}`;
  return {
    ...{ name, kind, parent: /\{(\w+)\}/.exec(collection)?.[1] ?? null },
    list: reference.operationAt('GET', collection),
    create: reference.operationAt('POST', collection),
    get: reference.operationAt('GET', item),
    update: reference.operationAt('PATCH', item),
    remove: reference.operationAt('DELETE', item),
  };
}

/** Kinds whose resources belong to one of this kind, with the field that lists them. */
export function childrenOf(reference: Reference, { kind }: KindOperations): readonly KindOperations[] {
  return Object.entries(reference.document['x-kinds'])
    .filter(([, child]) => child.collection.startsWith(`${kind.collection}/{`))
    .flatMap(([name]) => kindNamed(reference, name) ?? []);
}

/** The field of the parent that lists the resources of a child: the last segment of the collection. */
export function fieldOfChildren({ kind }: KindOperations): string {
  return kind.collection.slice(kind.collection.lastIndexOf('/') + 1);
}

/** The path of a collection. `parent`: id of the resource that it belongs to. */
export function collectionPath({ kind }: Pick<KindOperations, 'kind'>, parent: string): string {
  return kind.collection.replace(/\{\w+\}/, encodeURIComponent(parent));
}

export function itemPath(kind: Pick<KindOperations, 'kind'>, parent: string, id: string): string {
  return `${collectionPath(kind, parent)}/${encodeURIComponent(id)}`;
}

/** Fields by which people know a resource, the surest first. */
const NAMES = [
  'name',
  'domain',
  'addr',
  'email',
  'match',
  'cidr',
  'public_url',
  'description',
  'subject_common_name',
];

/** A name for people; '' for none. */
export function nameOf(resource: Readonly<Record<string, unknown>>): string {
  for (const field of NAMES) {
    const value = resource[field];
    if (typeof value === 'string' && value !== '') return value;
  }
  const ports = resource.hostports;
  return Array.isArray(ports) && typeof ports[0] === 'string' ? ports[0] : '';
}
