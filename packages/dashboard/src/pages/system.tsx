/** The state of the service: version, daemons, database, warnings, and the sessions of the console. */
import type { Caller, ConsoleSession, ServiceStatus, Warning } from '@underpass/client';
import { Facts } from '@underpass/ui/facts.tsx';
import { dateTime } from '@underpass/ui/format.ts';
import { Empty, Failure, Loading } from '@underpass/ui/states.tsx';
import { Status } from '@underpass/ui/status.tsx';
import { type Column, Table } from '@underpass/ui/table.tsx';
import { invalidate, useGet } from '../api/cache.ts';
import { send } from '../api/http.ts';
import { useList } from '../api/list.ts';
import { Confirm } from '../parts/confirm.tsx';
import { href } from '../router.ts';

type Node = ServiceStatus['nodes'][number];

const NODES: readonly Column<Node>[] = [
  { name: 'Node', width: 'minmax(0, 2fr)', cell: ({ name }) => name || 'this daemon' },
  { name: 'State', width: 'minmax(0, 2fr)', cell: State },
  { name: 'Region', width: '6em', cell: ({ region }) => region, isWide: true },
  { name: 'Version', width: '8em', cell: ({ version }) => version, isWide: true },
];

const WARNINGS: readonly Column<Warning>[] = [
  { name: 'Warning', width: 'minmax(0, 4fr)', cell: ({ msg }) => msg },
  { name: 'Remedy', width: 'minmax(0, 4fr)', cell: ({ remedy }) => remedy, isWide: true },
];

export default function System() {
  const entry = useGet<ServiceStatus>('/status');
  const { data: caller } = useGet<Caller>('/me');
  const { value: error } = entry.error;
  const status = entry.data.value;
  return (
    <>
      <header class="page-head">
        <h1>System</h1>
        <div class="actions">
          <a class="button" href="/docs" target="_blank" rel="noreferrer">
            API reference
          </a>
        </div>
      </header>
      {error !== null && <Failure error={error} retry={() => void entry.refresh()} />}
      {status === undefined && error === null && <Loading what="the state of the service" />}
      {status !== undefined && <Details status={status} caller={caller.value} />}
      <Sessions />
    </>
  );
}

function Details({ status, caller }: { status: ServiceStatus; caller: Caller | undefined }) {
  const key = caller?.api_key ?? null;
  return (
    <>
      <Facts
        facts={[
          { name: 'Version', value: status.version },
          { name: 'Database', value: <Database state={status.database} /> },
          { name: 'Account', value: caller?.account.name || caller?.account.id },
          { name: 'Role', value: caller?.role },
          { name: 'API key', value: key !== null && <a href={href(['id', key.id])}>{key.id}</a> },
          { name: 'Address', value: caller?.address },
        ]}
      />
      <h2>Nodes</h2>
      <Table label="Nodes" columns={NODES} rows={status.nodes} keyOf={({ name }) => name} />
      <section class="related" aria-label="Warnings">
        <h2>Warnings ({status.warning_count})</h2>
        {status.warnings.length === 0 && <Empty title="Nothing needs attention." />}
        {status.warnings.length > 0 && (
          <Table
            label="Warnings"
            columns={WARNINGS}
            rows={status.warnings}
            keyOf={keyOfWarning}
            hrefOf={({ resource }) => (resource === null ? href(['system']) : href(['id', resource.id]))}
          />
        )}
      </section>
    </>
  );
}

function keyOfWarning({ code, resource, name }: Warning): string {
  return `${code} ${resource?.id ?? ''} ${name}`;
}

function State({ state, reasons }: Node) {
  const kind = state === 'ready' ? 2 : state === 'draining' ? 4 : 5;
  const text = [state.replaceAll('_', ' '), reasons.join(', ')].filter((part) => part !== '').join(': ');
  return <Status kind={kind}>{text}</Status>;
}

function Database({ state }: { state: ServiceStatus['database'] }) {
  return <Status kind={state === 'available' ? 2 : 5}>{state.replaceAll('_', ' ')}</Status>;
}

function Sessions() {
  const { rows, error, isLoading, more, refresh } = useList<ConsoleSession>('/console/sessions?limit=100');
  return (
    <section class="related" aria-label="Sessions of the console">
      <h2>Sessions of the console</h2>
      {error !== null && <Failure error={error} retry={refresh} />}
      {isLoading && <Loading what="the sessions" />}
      {rows.length > 0 && (
        <Table
          label="Sessions of the console"
          columns={SESSIONS}
          rows={rows}
          keyOf={({ id }) => id}
          more={more}
        />
      )}
    </section>
  );
}

const SESSIONS: readonly Column<ConsoleSession>[] = [
  { name: 'Browser', width: 'minmax(0, 3fr)', cell: ({ user_agent }) => user_agent || '—' },
  { name: 'Owner', width: 'minmax(0, 2fr)', cell: ({ owner_id }) => owner_id, isWide: true },
  { name: 'Address', width: '9em', cell: ({ last_address }) => last_address, isWide: true },
  { name: 'Last use', width: '13em', cell: ({ last_used_at }) => dateTime(last_used_at), isWide: true },
  { name: 'Session', width: '8em', cell: End },
];

/** Every user may end an own session. The API refuses sessions that are not the caller's, except for admins. */
function End({ id, is_current, user_agent }: ConsoleSession) {
  if (is_current) return 'this one';
  const end = async () => {
    await send({ method: 'DELETE', path: `/console/sessions/${encodeURIComponent(id)}` });
    invalidate('/console/sessions');
  };
  return (
    <Confirm
      label="End"
      question="End the session?"
      confirm="End session"
      done="The session ended"
      isDanger
      act={end}
    >
      <p>The browser must sign in again: {user_agent || id}</p>
    </Confirm>
  );
}
