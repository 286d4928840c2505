/**
 * Writes another body of a resource, with its links and claimed names.
 * Invariant: links and names of a newer version stay, because an older daemon on the database knows neither the field
 * nor the name.
 */
import type { JsonObject, Link, NameClaim, WriteOperation } from '../store/store.ts';
import type { DocumentOf, StoredKind } from './definition.ts';
import { linksOf } from './references.ts';

interface Attached {
  readonly links: readonly Link[];
  readonly names: readonly NameClaim[];
}

export function attachedTo(kind: StoredKind, body: JsonObject, account: string): Attached {
  return { links: linksOf(kind.references, body), names: kind.claims?.(body, account) ?? [] };
}

/** `document` is the resource as it was read. */
export function replacementOf(
  kind: StoredKind,
  { id, account, revision, body: before }: Pick<DocumentOf, 'id' | 'account' | 'revision' | 'body'>,
  body: JsonObject,
): WriteOperation & { readonly op: 'replace' } {
  const had = attachedTo(kind, before, account);
  const has = attachedTo(kind, body, account);
  const links = had.links.filter(
    ({ field, to }) => !has.links.some((one) => one.field === field && one.to === to),
  );
  const names = had.names.filter(
    (name) => !has.names.some((one) => one.kind === name.kind && one.value === name.value),
  );
  return { op: 'replace', id, revision, body, ...has, dropped: { links, names } };
}
