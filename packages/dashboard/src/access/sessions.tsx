/** Browsers that are signed in to the console. */
import type { ConsoleSession } from '@underpass/client';
import { dateTime } from '@underpass/ui/format.ts';
import type { Column } from '@underpass/ui/table.tsx';
import { useList } from '../api/list.ts';
import { DeleteRow } from './delete-row.tsx';
import { Owner, useOwners } from './owners.tsx';
import { Head } from './parts.tsx';
import { Rows } from './rows.tsx';

export function Sessions() {
  const list = useList<ConsoleSession>('/console/sessions?limit=100');
  const owners = useOwners();
  const columns: readonly Column<ConsoleSession>[] = [
    { name: 'User', width: 'minmax(0, 1fr)', cell: (row) => <Owner id={row.owner_id} owners={owners} /> },
    {
      ...{ name: 'Browser', width: 'minmax(0, 2fr)', isWide: true },
      cell: (row) => (row.is_current ? 'this browser' : row.user_agent),
    },
    { name: 'Last address', width: '9em', cell: (row) => row.last_address },
    { name: 'Last used', width: '13em', cell: (row) => dateTime(row.last_used_at), isWide: true },
    { name: 'Ends', width: '13em', cell: (row) => dateTime(row.expires_at), isWide: true },
    {
      ...{ name: 'Actions', width: '4em', align: 'end' },
      cell: (row) => (
        <DeleteRow
          name={row.is_current ? 'this session' : `session from ${row.last_address}`}
          path={`/console/sessions/${row.id}`}
          verb="End"
          isForViewers
        >
          <p>The browser must sign in again.</p>
        </DeleteRow>
      ),
    },
  ];
  return (
    <>
      <Head title="Sessions" />
      <Rows {...{ list, label: 'Sessions', columns }} nothing="No browser is signed in." />
    </>
  );
}
