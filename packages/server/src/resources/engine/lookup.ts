/**
 * Finds the resource of a path for a caller.
 * Invariant: an id of another account gets the same response as an unknown id.
 */

import type { DocumentStore } from '../../documents/index.ts';
import { Problem } from '../../errors/problem.ts';
import { storedId } from '../aliases.ts';
import type {
  Collection,
  DocumentOf,
  KindSurface,
  LiveEntry,
  LiveKind,
  Principal,
  Reference,
  ShowContext,
  StoredKind,
} from '../definition.ts';

type Reading = Pick<DocumentStore, 'get'>;

/** Raises `idPrefixWrong` or `resourceNotFound`. */
export async function findDocument(
  store: Reading,
  kind: StoredKind,
  of: Collection,
  principal: Principal,
  id: string,
): Promise<DocumentOf> {
  checkParentPrefix(kind, of);
  checkPrefix(of.kind, id);
  const document = await store.get(storedId(kind, id));
  const own = document !== null && document.account === principal.account && document.kind === kind.name;
  // A resource below another one exists in the path of its parent only.
  const placed = own && (of.parent === undefined || document.parent === of.parent);
  if (!placed || !(kind.visible?.(document.body, principal) ?? true)) throw new Problem('resourceNotFound');
  return document;
}

/** The id of the parent in the path, '' when the kind has none. Raises Problem when the account does not have it. */
export async function findParent(
  store: Reading,
  kind: StoredKind,
  of: Collection,
  principal: Principal,
): Promise<string> {
  if (of.parent === undefined) return '';
  checkParentPrefix(kind, of);
  const document = await store.get(of.parent);
  if (document === null || document.account !== principal.account) throw new Problem('resourceNotFound');
  return of.parent;
}

/** Raises `idPrefixWrong` or `resourceNotFound`. */
export async function findLive(kind: LiveKind, id: string, context: ShowContext): Promise<LiveEntry> {
  checkPrefix(kind, id);
  const entry = await kind.find(id, context);
  if (entry === null) throw new Problem('resourceNotFound');
  return entry;
}

/** Returns the path parameters that a body may repeat. */
export function pathParameters(
  kind: StoredKind,
  { parent }: Collection,
  id?: string,
): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  if (id !== undefined) parameters.set('id', id);
  if (parent !== undefined) parameters.set(parentReferenceOf(kind).field, parent);
  return parameters;
}

/** Raises `idPrefixWrong`, naming the parameter that has the id. */
export function checkPrefix(kind: KindSurface, id: string, field = 'id'): void {
  if (!id.startsWith(`${kind.prefix}_`)) {
    throw new Problem('idPrefixWrong', { value: id, prefix: kind.prefix }, { field });
  }
}

function checkParentPrefix(kind: StoredKind, { parent }: Collection): void {
  if (parent === undefined) return;
  const { field, prefixes } = parentReferenceOf(kind);
  if (prefixes.some((prefix) => parent.startsWith(`${prefix}_`))) return;
  throw new Problem('idPrefixWrong', { value: parent, prefix: prefixes.join('_ or ') }, { field });
}

function parentReferenceOf(kind: StoredKind): Reference {
  const reference = kind.references.find((one) => one.parent === true);
  if (reference === undefined) throw new Error(`${kind.name} lives below nothing`);
  return reference;
}
