/** Resources that belong to one, and resources that use it. */
import type { Json } from '@underpass/ui/form/openapi.ts';
import type { Reference } from '@underpass/ui/form/reference.ts';
import { useGet } from '../data/cache.ts';
import { mayWrite } from '../data/session.ts';
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

/** Empty if the service does not know it. */
export function UsedBy({ reference, path }: { reference: Reference; path: string }) {
  const template = path.replace(/\/[^/]+$/, '/{id}/used_by');
  const isKnown = reference.operationAt('GET', template) !== null;
  const { data } = useGet<Row>(isKnown ? `${path}/used_by` : null);
  const users = Object.values(data.value ?? {}).flatMap(rowsIn);
  if (users.length === 0) return null;
  return (
    <section class="related">
      <h2>Used by</h2>
      <ul>
        {users.map((user) => (
          <li key={String(user.id)}>
            <a href={href(['id', String(user.id)])}>{nameOf(user) || String(user.id)}</a>
          </li>
        ))}
      </ul>
    </section>
  );
}

function rowsIn(value: Json | undefined): readonly Row[] {
  if (!Array.isArray(value)) return [];
  return value.filter((one): one is Row => typeof one === 'object' && one !== null && 'id' in one);
}
