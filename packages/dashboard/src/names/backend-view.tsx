/** A backend, what it consists of, and the tunnels and agents behind it. */
import type {
  FailoverBackend,
  HTTPResponseBackend,
  StaticBackend,
  Tunnel,
  TunnelGroupBackend,
  WeightedBackend,
} from '@underpass/client';
import { Status } from '@underpass/ui/status.tsx';
import { useGet } from '../api/cache.ts';
import { href } from '../router.ts';

/** Backends inside one another. */
const DEEPEST = 3;
/** Tunnels of a group that are shown. */
const MOST_TUNNELS = 8;

/** Kinds and paths by the prefix of the id. */
const KINDS: Readonly<Record<string, readonly [kind: string, path: string]>> = {
  bkdtg: ['tunnel_group_backend', 'tunnel_group'],
  bkdfo: ['failover_backend', 'failover'],
  bkdwd: ['weighted_backend', 'weighted'],
  bkdhr: ['http_response_backend', 'http_response'],
  bkdsc: ['static_backend', 'static'],
};

type AnyBackend = Partial<
  Omit<TunnelGroupBackend, 'id'> &
    Omit<StaticBackend, 'id'> &
    Pick<HTTPResponseBackend, 'status_code'> & {
      readonly backends: FailoverBackend['backends'] | WeightedBackend['backends'];
    }
>;

export function BackendView({ id, depth = 0 }: { readonly id: string; readonly depth?: number }) {
  const [kind, path] = KINDS[id.split('_')[0] ?? ''] ?? ['', ''];
  const { data, error } = useGet<AnyBackend>(path === '' ? null : `/backends/${path}/${id}`);
  const { value: backend } = data;
  const link = (text: string) => <a href={href(['resources', kind, id])}>{text}</a>;
  if (error.value !== null) return <Status kind="5">{error.value.message}</Status>;
  if (backend === undefined) return <span class="remark">{id}</span>;
  const { labels, tunnels = [], backends, address, status_code: status } = backend;
  if (labels !== undefined)
    return (
      <>
        {link(`group ${labelsText(labels)}`)} <Tunnels ids={tunnels.map((one) => one.id)} />
      </>
    );
  if (address !== undefined) return <>{link(`static ${address}`)}</>;
  if (status !== undefined) return <>{link(`fixed response ${status}`)}</>;
  const members = Array.isArray(backends)
    ? backends.map((one): readonly [string, string] => [one, ''])
    : Object.entries(backends ?? {}).map(([one, weight]): readonly [string, string] => [one, `${weight} ×`]);
  return (
    <>
      {link(Array.isArray(backends) ? 'failover' : 'weighted')}
      <ol class="members">
        {members.map(([one, weight]) => (
          <li key={one}>
            {weight} {depth < DEEPEST ? <BackendView id={one} depth={depth + 1} /> : one}
          </li>
        ))}
      </ol>
    </>
  );
}

function labelsText(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}=${value}`)
    .join(', ');
}

function Tunnels({ ids }: { readonly ids: readonly string[] }) {
  if (ids.length === 0) return <Status kind="4">○ no agent is online</Status>;
  return (
    <>
      <Status kind="2">● {ids.length} online</Status>
      <ul class="members">
        {ids.slice(0, MOST_TUNNELS).map((id) => (
          <li key={id}>
            <TunnelView id={id} />
          </li>
        ))}
        {ids.length > MOST_TUNNELS && <li class="remark">{ids.length - MOST_TUNNELS} more</li>}
      </ul>
    </>
  );
}

/** A tunnel, with the address that its agent forwards to. */
export function TunnelView({ id }: { readonly id: string }) {
  const { data } = useGet<Tunnel>(`/tunnels/${id}`);
  const { value: tunnel } = data;
  if (tunnel === undefined) return <span class="remark">{id}</span>;
  const { tunnel_session: session, forwards_to: to, node } = tunnel;
  return (
    <>
      <a href={href(['resources', 'tunnel_session', session.id])}>agent</a> &gt; {to || 'its own code'}
      {node !== '' && <span class="remark"> on {node}</span>}
    </>
  );
}
