/** Resources that belong to one, and resources that use it. */
import type { UsedBy, UsedByList } from '@underpass/client';
import type { Json } from '@underpass/ui/form/openapi.ts';
import type { Reference } from '@underpass/ui/form/reference.ts';
import { useGet } from '../api/cache.ts';
import { mayWrite } from '../api/session.ts';
import { href } from '../router.ts';
import { childrenOf, fieldOfChildren, type KindOperations, nameOf } from './kinds.ts';

type Row = { [key: string]: Json };

interface ChildrenParts {
  readonly reference: Reference;
  readonly kind: KindOperations;
  readonly row: Row;
  readonly id: string;
}

export function Children({ reference, kind, row, id }: ChildrenParts) {
  return childrenOf(reference, kind).map((child) => (
    <section key={child.name} class="related">
      <h2>{child.kind.tag}</h2>
      <ul>
        {rowsIn(row[fieldOfChildren(child)]).map((one) => (
          <li key={String(one.id)}>
            <a href={href(['resources', child.name, String(one.id)], { parent: id })}>
              {nameOf(one) || String(one.id)}
            </a>
          </li>
        ))}
      </ul>
      {child.create !== null && mayWrite() && (
        <a class="button" href={href(['resources', child.name, 'new'], { parent: id })}>
          New: {child.kind.one.replace(/^an? /, '')}
        </a>
      )}
    </section>
  ));
}

interface UsedByParts {
  readonly reference: Reference;
  readonly kind: KindOperations;
  readonly path: string;
}

/** The resources that refer to this one; nothing if the kind has no such list. */
export function UsedByOthers({ reference, kind, path }: UsedByParts) {
  const isKnown = reference.operationAt('GET', `${kind.kind.collection}/{id}/used_by`) !== null;
  const { data } = useGet<UsedByList>(isKnown ? `${path}/used_by` : null);
  const users = data.value?.used_by ?? [];
  if (users.length === 0) return null;
  return (
    <section class="related" aria-label="Used by">
      <h2>Used by</h2>
      <ul>
        {users.map((user) => (
          <li key={`${user.id} ${user.field}`}>
            <a href={hrefOf(reference, user)}>{user.id}</a>{' '}
            <span class="remark">
              {reference.document['x-kinds'][user.kind]?.one ?? user.kind}, {user.field}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The parent of a route is in its URL, in the place where the collection has its parameter. */
function hrefOf(reference: Reference, { id, uri, kind }: UsedBy): string {
  const collection = reference.document['x-kinds'][kind]?.collection ?? '';
  const at = collection.split('/').findIndex((part) => part.startsWith('{'));
  const parent = at < 0 ? '' : (new URL(uri).pathname.split('/')[at] ?? '');
  return href(['resources', kind, id], parent === '' ? {} : { parent });
}

function rowsIn(value: Json | undefined): readonly Row[] {
  if (!Array.isArray(value)) return [];
  return value.filter((one): one is Row => typeof one === 'object' && one !== null && 'id' in one);
}
