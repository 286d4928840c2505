/** Lists the agents, resources and sessions that end with a credential or an API key. */
import type { ConsoleSession, TunnelSession, UsedByList } from '@underpass/client';
import { Loading } from '@underpass/ui/states.tsx';
import { useGet } from '../api/cache.ts';
import { useList } from '../api/list.ts';
import { href } from '../router.ts';

/** `path`: of the credential. */
export function CredentialEnds({ id, path }: { readonly id: string; readonly path: string }) {
  const used = useGet<UsedByList>(`${path}/used_by`);
  const sessions = useList<TunnelSession>('/tunnel_sessions?limit=100');
  const own = sessions.rows.filter(({ credential }) => credential.id === id);
  if (sessions.isLoading) return <Loading what="its agents" />;
  return (
    <>
      <p>{own.length === 0 ? 'No agent is connected with it.' : 'These agents are disconnected:'}</p>
      <ul>
        {own.map((one) => (
          <li key={one.id}>
            <code>{one.id}</code> <span class="remark">from {one.ip}</span>
          </li>
        ))}
        {used.data.value?.used_by.map((user) => (
          <li key={`${user.id} ${user.field}`}>
            <a href={href(['id', user.id])}>{user.id}</a> <span class="remark">{user.field}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

/** `id`: of the API key. */
export function KeyEnds({ id }: { readonly id: string }) {
  const sessions = useList<ConsoleSession>('/console/sessions?limit=100');
  const own = sessions.rows.filter(({ api_key: key }) => key?.id === id);
  if (sessions.isLoading) return <Loading what="its sessions" />;
  if (own.length === 0) return <p>No session of the console ends with it.</p>;
  return (
    <>
      <p>These sessions of the console end with it:</p>
      <ul>
        {own.map((one) => (
          <li key={one.id}>
            {one.last_address} <span class="remark">{one.is_current ? 'this browser' : one.user_agent}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
