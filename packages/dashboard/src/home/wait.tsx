/** Waits for the agent of a credential, for its tunnel, and for the first response of its URL. */
import type { TrafficRequest, Tunnel, TunnelSession } from '@underpass/client';
import { Status } from '@underpass/ui/status.tsx';
import { useGet } from '../api/cache.ts';
import { connection } from '../api/stream.ts';
import { href } from '../router.ts';
import { useRefresh } from '../traffic/refresh.ts';

/** Milliseconds between two looks for a response, and for the agent while no stream reports it. */
const LOOK_MS = 3_000;

interface Sessions {
  readonly tunnel_sessions: readonly TunnelSession[];
}
interface Tunnels {
  readonly tunnels: readonly Tunnel[];
}
interface Requests {
  readonly requests: readonly TrafficRequest[];
}

/** The stream reports agents and tunnels; a response is requested only while one is awaited. */
export function Wait({ credential }: { credential: string }) {
  const sessions = useGet<Sessions>(listPath('/tunnel_sessions', 'credential.id', credential));
  const session = sessions.data.value?.tunnel_sessions[0];
  const tunnels = useGet<Tunnels>(session ? listPath('/tunnels', 'tunnel_session.id', session.id) : null);
  const tunnel = session && tunnels.data.value?.tunnels[0];
  const host = hostOf(tunnel);
  const requests = useGet<Requests>(host === '' ? null : listPath('/traffic/requests', 'host', host));
  const response = firstResponse(requests.data.value?.requests ?? [], tunnel);
  useRefresh(() => {
    const late = connection.value === 'live' ? [] : [sessions, tunnels];
    for (const entry of [...late, ...(response === undefined ? [requests] : [])])
      if (entry.path !== '') void entry.refresh();
  }, LOOK_MS);
  if (session === undefined)
    return (
      <p role="status">
        <Status kind={1}>○ waiting for your agent…</Status>
      </p>
    );
  return (
    <p role="status">
      <Status kind={2}>● online</Status> <a href={href(['agents', session.id])}>the agent</a>{' '}
      {tunnel === undefined && 'It has no tunnel yet: start one with the last command.'}
      {tunnel?.public_url && (
        <>
          <a href={tunnel.public_url} target="_blank" rel="noreferrer">
            Open {tunnel.public_url}
          </a>{' '}
        </>
      )}
      {host !== '' && response === undefined && 'Open it: its first response appears here.'}
      {response !== undefined && (
        <Status kind={Math.floor(response.status_code / 100)}>answers {response.status_code}</Status>
      )}
    </p>
  );
}

/** The newest rows with this value. */
function listPath(path: string, field: string, value: string): string {
  return `${path}?${new URLSearchParams({ limit: '10', filter: `${field} = "${value}"` })}`;
}

/** Host of the tunnel for HTTP; '' for none. */
function hostOf(tunnel: Tunnel | undefined): string {
  const url = tunnel?.public_url ?? '';
  return url.startsWith('https://') ? new URL(url).hostname : '';
}

/** Requests for the name before this tunnel went elsewhere, or nowhere. */
function firstResponse(
  requests: readonly TrafficRequest[],
  tunnel: Tunnel | undefined,
): TrafficRequest | undefined {
  return requests.find(({ served_by, backend }) => served_by === tunnel?.id || backend === tunnel?.id);
}
