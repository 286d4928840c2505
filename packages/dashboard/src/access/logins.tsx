/** Logins of visitors at names with a login module. */
import type { VisitorLogin } from '@underpass/client';
import { dateTime } from '@underpass/ui/format.ts';
import type { Column } from '@underpass/ui/table.tsx';
import { useEffect } from 'preact/hooks';
import { useList } from '../api/list.ts';
import { DeleteRow } from './delete-row.tsx';
import { Head } from './parts.tsx';
import { Rows } from './rows.tsx';

const COLUMNS: readonly Column<VisitorLogin>[] = [
  { name: 'Visitor', width: 'minmax(0, 2fr)', cell: visitorOf },
  { name: 'Name', width: 'minmax(0, 2fr)', cell: ({ hostname }) => hostname },
  {
    ...{ name: 'Provider', width: 'minmax(0, 2fr)', isWide: true },
    cell: (row) => `${row.module}: ${row.provider}`,
  },
  { name: 'Address', width: '10em', cell: ({ address }) => address, isWide: true },
  { name: 'Since', width: '12.5em', cell: (row) => dateTime(row.created_at), isWide: true },
  {
    ...{ name: 'Actions', width: '4em', align: 'end' },
    cell: (row) => (
      <DeleteRow name={`login of ${visitorOf(row)}`} path={`/visitor_logins/${row.id}`} verb="End">
        <p>The visitor must log in again at {row.hostname}.</p>
      </DeleteRow>
    ),
  },
];

export function Logins() {
  const list = useList<VisitorLogin>('/visitor_logins?limit=100');
  const { rows, more } = list;
  // A page can be empty although more follows.
  useEffect(() => {
    if (rows.length === 0) more?.();
  }, [rows.length, more === undefined]);
  return (
    <>
      <Head title="Visitors' logins" />
      <Rows
        {...{ list, label: "Visitors' logins", columns: COLUMNS }}
        nothing="No visitor is logged in. Names with the module oidc, oauth or saml have logins."
        command="underpass http 3000 --oidc https://accounts.example.com"
      />
    </>
  );
}

function visitorOf({ email, name, user_id: id }: VisitorLogin): string {
  return email || name || id;
}
