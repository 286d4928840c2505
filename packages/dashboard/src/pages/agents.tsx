/** Sessions of the agents that are connected. */
import type { Tunnel, TunnelSession } from '@underpass/client';
import { dateTime } from '@underpass/ui/format.ts';
import { LiveBar } from '@underpass/ui/live-bar.tsx';
import { Empty, Failure, Loading } from '@underpass/ui/states.tsx';
import { type Column, Table } from '@underpass/ui/table.tsx';
import { nameOfTunnel } from '../agents/affected.ts';
import { useAll } from '../api/all.ts';
import { useList } from '../api/list.ts';
import { useLiveRows } from '../api/live-rows.ts';
import { mayWrite } from '../api/session.ts';
import { Search } from '../parts/search.tsx';
import { href, query } from '../router.ts';

const keyOf = ({ id }: TunnelSession) => id;

export default function Agents() {
  const text = query.value.get('q') ?? '';
  return (
    <>
      <header class="page-head">
        <h1>Agents</h1>
        <Search label="Search agents" name="q" />
        {mayWrite() && (
          <div class="actions">
            <a class="button" href={href(['add-agent'])}>
              Add an agent
            </a>
          </div>
        )}
      </header>
      <Sessions key={text} text={text} />
    </>
  );
}

/** Drawn anew for another search, so that a pause ends with it. */
function Sessions({ text }: { text: string }) {
  const search = text === '' ? '' : `&q=${encodeURIComponent(text)}`;
  const { rows, error, isLoading, more, refresh } = useList<TunnelSession>(
    `/tunnel_sessions?limit=100${search}`,
  );
  const { rows: tunnels, isComplete } = useAll<Tunnel>('/tunnels?limit=100');
  const list = useLiveRows(rows, keyOf);
  const shown = list.shown.value;
  return (
    <>
      {error !== null && <Failure error={error} retry={refresh} />}
      {isLoading && <Loading what="the agents" />}
      {!isLoading && error === null && rows.length === 0 && <Nothing text={text} more={more} />}
      {shown.length > 0 && (
        <>
          <LiveBar list={list} />
          <Table
            label="Agents"
            columns={columnsOf(bySession(tunnels), isComplete)}
            rows={shown}
            keyOf={keyOf}
            hrefOf={({ id }) => href(['agents', id])}
            more={more}
            reading={(isReading) => isReading && list.pause()}
          />
        </>
      )}
    </>
  );
}

/** A search reads page by page, so a page may be empty although more follow. */
function Nothing({ text, more }: { text: string; more: (() => void) | undefined }) {
  if (more !== undefined)
    return (
      <Empty title={`No agent of this page matches "${text}".`}>
        <button type="button" onClick={more}>
          Search further
        </button>
      </Empty>
    );
  if (text !== '') return <Empty title={`No agent matches "${text}".`} />;
  return <Empty title="No agent is connected." command="underpass http 3000" />;
}

function columnsOf(
  tunnels: ReadonlyMap<string, readonly Tunnel[]>,
  isComplete: boolean,
): readonly Column<TunnelSession>[] {
  const of = ({ id }: TunnelSession) => tunnels.get(id) ?? [];
  const serves = (row: TunnelSession) => of(row).map(nameOfTunnel).join(', ') || '—';
  return [
    { name: 'Agent', width: 'minmax(0, 3fr)', cell: ({ metadata, ip }) => metadata || ip },
    { name: 'Serves', width: 'minmax(0, 4fr)', cell: serves },
    { name: 'Version', width: '6em', cell: ({ agent_version }) => agent_version, isWide: true },
    { name: 'System', width: 'minmax(0, 2fr)', cell: ({ os }) => os, isWide: true },
    { name: 'Address', width: 'minmax(0, 2fr)', cell: ({ ip }) => ip, isWide: true },
    { name: 'Node', width: 'minmax(0, 1fr)', cell: ({ node }) => node || '—', isWide: true },
    {
      name: 'Tunnels',
      width: '5em',
      align: 'end',
      cell: (row) => (isComplete ? of(row).length : `${of(row).length}+`),
    },
    { name: 'Since', width: '13em', cell: ({ started_at }) => dateTime(started_at), isWide: true },
  ];
}

function bySession(tunnels: readonly Tunnel[]): ReadonlyMap<string, readonly Tunnel[]> {
  return Map.groupBy(tunnels, ({ tunnel_session }) => tunnel_session.id);
}
