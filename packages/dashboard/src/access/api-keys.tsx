/** API keys with their owners and their last use. */
import type { APIKey } from '@underpass/client';
import type { Column } from '@underpass/ui/table.tsx';
import { useList } from '../api/list.ts';
import { mayWrite } from '../api/session.ts';
import { href } from '../router.ts';
import { DeleteRow } from './delete-row.tsx';
import { KeyEnds } from './ends.tsx';
import { LAST_USE } from './last-use.tsx';
import { Owner, useOwners } from './owners.tsx';
import { Head } from './parts.tsx';
import { Rows } from './rows.tsx';

export function ApiKeys() {
  const list = useList<APIKey>('/api_keys?limit=100');
  const owners = useOwners();
  const columns: readonly Column<APIKey>[] = [
    { name: 'Description', width: 'minmax(0, 2fr)', cell: (row) => row.description || row.id },
    {
      ...{ name: 'Owner', width: 'minmax(0, 1fr)', isWide: true },
      cell: (row) => <Owner id={row.owner_id} owners={owners} />,
    },
    ...LAST_USE,
    {
      ...{ name: 'Actions', width: '6em', align: 'end', isWide: true },
      cell: (row) => (
        <DeleteRow name={row.description || row.id} path={`/api_keys/${row.id}`}>
          <KeyEnds id={row.id} />
        </DeleteRow>
      ),
    },
  ];
  return (
    <>
      <Head title="API keys">
        {mayWrite() && (
          <a class="button primary" href={href(['resources', 'api_key', 'new'])}>
            New API key
          </a>
        )}
      </Head>
      <Rows
        {...{ list, label: 'API keys', columns }}
        nothing="There are no API keys yet."
        command="underpass api api-keys create --help"
        hrefOf={(row) => href(['resources', 'api_key', row.id])}
      />
    </>
  );
}
