/** One session of an agent: its tunnels, the effect of its end, and actions. */
import type { Tunnel, TunnelSession } from '@underpass/client';
import { Facts } from '@underpass/ui/facts.tsx';
import { dateTime } from '@underpass/ui/format.ts';
import { Empty, Failure, Loading } from '@underpass/ui/states.tsx';
import { type Column, Table } from '@underpass/ui/table.tsx';
import { AgentActions } from '../agents/actions.tsx';
import { affectedBy, nameOfTunnel, nameOfUrl } from '../agents/affected.ts';
import { AffectedView } from '../agents/affected-view.tsx';
import { useAll } from '../api/all.ts';
import { useGet } from '../api/cache.ts';
import type { PageProps } from '../page.ts';
import { href } from '../router.ts';

const COLUMNS: readonly Column<Tunnel>[] = [
  { name: 'Name', width: 'minmax(0, 3fr)', cell: nameOfTunnel },
  { name: 'Protocol', width: '6em', cell: ({ proto }) => proto ?? 'labels', isWide: true },
  { name: 'Forwards to', width: 'minmax(0, 2fr)', cell: ({ forwards_to }) => forwards_to },
  { name: 'Metadata', width: 'minmax(0, 2fr)', cell: ({ metadata }) => metadata, isWide: true },
  { name: 'Since', width: '13em', cell: ({ started_at }) => dateTime(started_at), isWide: true },
];

export default function Agent({ params }: PageProps) {
  const id = params.id ?? '';
  const entry = useGet<TunnelSession>(`/tunnel_sessions/${encodeURIComponent(id)}`);
  const { rows: all, isComplete } = useAll<Tunnel>('/tunnels?limit=100');
  const { value: error } = entry.error;
  const session = entry.data.value;
  if (error?.status === 404) return <Offline id={id} />;
  if (error !== null && session === undefined)
    return (
      <>
        <h1>Agent</h1>
        <Failure error={error} retry={() => void entry.refresh()} />
      </>
    );
  if (session === undefined) return <Loading what={id} />;
  const own = all.filter(({ tunnel_session }) => tunnel_session.id === id);
  const affected = affectedBy(id, all);
  return (
    <>
      <p class="crumbs">
        <a href={href(['agents'])}>Agents</a>
      </p>
      <header class="page-head">
        <h1>{session.metadata || session.ip}</h1>
        <div class="actions">
          <AgentActions {...{ id, affected, isComplete }} />
        </div>
      </header>
      <Facts facts={factsOf(session)} />
      <h2>Tunnels</h2>
      {own.length === 0 && <Empty title="It has no tunnel." command="underpass http 3000" />}
      {own.length > 0 && (
        <Table
          label="Tunnels"
          columns={COLUMNS}
          rows={own}
          keyOf={(tunnel) => tunnel.id}
          hrefOf={({ public_url = '', id: tunnel }) =>
            public_url === '' ? href(['id', tunnel]) : href(['names', nameOfUrl(public_url)])
          }
        />
      )}
      <section class="related" aria-label="Without this agent">
        <h2>Without this agent</h2>
        {!isComplete && <p class="remark">Compared with the newest {all.length} tunnels only.</p>}
        <AffectedView affected={affected} isComplete={isComplete} />
      </section>
    </>
  );
}

function factsOf({
  id,
  agent_version,
  os,
  ip,
  node,
  region,
  transport,
  started_at,
  credential,
}: TunnelSession) {
  return [
    { name: 'Session', value: <code>{id}</code>, copied: id },
    { name: 'Version', value: agent_version },
    { name: 'System', value: os },
    { name: 'Address', value: ip },
    { name: 'Node', value: node },
    { name: 'Region', value: region },
    { name: 'Protocol', value: transport },
    { name: 'Since', value: dateTime(started_at) },
    { name: 'Credential', value: <a href={href(['id', credential.id])}>{credential.id}</a> },
  ];
}

function Offline({ id }: { id: string }) {
  return (
    <>
      <h1>Agent</h1>
      <Empty
        title={`The session ${id} has ended. An agent that reconnects has a new one.`}
        command="underpass http 3000"
      >
        <p>
          <a href={href(['agents'])}>All agents</a>
        </p>
      </Empty>
    </>
  );
}
