/** IP policies, with a test of an address. */
import type { IPPolicy } from '@underpass/client';
import { dateTime } from '@underpass/ui/format.ts';
import type { Column } from '@underpass/ui/table.tsx';
import { useList } from '../api/list.ts';
import { mayWrite } from '../api/session.ts';
import { href } from '../router.ts';
import { AddressTester } from './address-tester.tsx';
import { Head } from './parts.tsx';
import { Rows } from './rows.tsx';

const COLUMNS: readonly Column<IPPolicy>[] = [
  { name: 'Description', width: 'minmax(0, 2fr)', cell: (row) => row.description || row.id },
  { name: 'Id', width: 'minmax(0, 2fr)', cell: (row) => <code>{row.id}</code>, isWide: true },
  { name: 'Created', width: '13em', cell: (row) => dateTime(row.created_at), isWide: true },
];

export function IpPolicies() {
  const list = useList<IPPolicy>('/ip_policies?limit=100');
  return (
    <>
      <Head title="IP policies">
        <a class="button" href={href(['resources', 'ip_restriction'])}>
          IP restrictions
        </a>
        {mayWrite() && (
          <a class="button primary" href={href(['resources', 'ip_policy', 'new'])}>
            New IP policy
          </a>
        )}
      </Head>
      <AddressTester />
      <Rows
        {...{ list, label: 'IP policies', columns: COLUMNS }}
        nothing="There are no IP policies yet."
        command="underpass api ip-policies create --help"
        hrefOf={(row) => href(['access', 'ip-policies', row.id])}
      />
    </>
  );
}
