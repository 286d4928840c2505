/** The names and backends that nothing serves after the end of a session. */
import type { UsedBy, UsedByList } from '@underpass/client';
import { useGet } from '../api/cache.ts';
import { href } from '../router.ts';
import type { Affected } from './affected.ts';

/** Names that a dialog or a page lists. */
const SHOWN_MAX = 50;

interface AffectedParts {
  readonly affected: Affected;
  /** All tunnels are known. */
  readonly isComplete: boolean;
}

export function AffectedView({ affected, isComplete }: AffectedParts) {
  const { names, backends } = affected;
  if (!isComplete && names.length === 0 && backends.length === 0)
    return <p>Not all tunnels are known, so something may go offline without it.</p>;
  if (names.length === 0 && backends.length === 0)
    return <p>Nothing goes offline without it: other agents serve the same.</p>;
  return (
    <ul>
      {names.slice(0, SHOWN_MAX).map((name) => (
        <li key={name}>
          <a href={href(['names', name])}>{name}</a> <span class="remark">no other agent serves it</span>
        </li>
      ))}
      {names.length > SHOWN_MAX && <li class="remark">{names.length - SHOWN_MAX} more names</li>}
      {backends.slice(0, SHOWN_MAX).map((id) => (
        <Backend key={id} id={id} />
      ))}
    </ul>
  );
}

function Backend({ id }: { id: string }) {
  const { data } = useGet<UsedByList>(`/backends/tunnel_group/${id}/used_by`);
  const users = data.value?.used_by ?? [];
  return (
    <li>
      <a href={href(['id', id])}>{id}</a>{' '}
      <span class="remark">
        {users.length === 0 ? 'no other agent, and unused' : 'no other agent, used by'}
      </span>{' '}
      {users.map((user) => (
        <a key={`${user.id} ${user.field}`} href={hrefOf(user)}>
          {user.id}{' '}
        </a>
      ))}
    </li>
  );
}

/** The edge of a route is in its URL. */
function hrefOf({ id, uri }: UsedBy): string {
  const edge = /\/edges\/https\/([^/]+)\/routes\//.exec(uri)?.[1];
  return href(['id', id], edge === undefined ? {} : { parent: edge });
}
