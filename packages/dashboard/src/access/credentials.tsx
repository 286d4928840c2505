/** Credentials of agents, or of SSH clients, with a test of their bind rules. */
import type { Credential } from '@underpass/client';
import type { Column } from '@underpass/ui/table.tsx';
import { useList } from '../api/list.ts';
import { mayWrite } from '../api/session.ts';
import { href } from '../router.ts';
import { BindTester } from './bind-tester.tsx';
import { DeleteRow } from './delete-row.tsx';
import { CredentialEnds } from './ends.tsx';
import { LAST_USE } from './last-use.tsx';
import { Head } from './parts.tsx';
import { Rows } from './rows.tsx';

/** The fields that both kinds have. */
type Row = Omit<Credential, 'token'>;

interface CredentialsParts {
  readonly kind: 'credential' | 'ssh_credential';
  readonly title: string;
}

export function Credentials({ kind, title }: CredentialsParts) {
  const path = `/${kind}s`;
  const list = useList<Row>(`${path}?limit=100`);
  const columns: readonly Column<Row>[] = [
    { name: 'Description', width: 'minmax(0, 2fr)', cell: (row) => row.description || row.id },
    {
      ...{ name: 'Binds', width: 'minmax(0, 2fr)', isWide: true },
      cell: (row) => (row.acl.length === 0 ? 'everything' : row.acl.join(', ')),
    },
    ...LAST_USE,
    {
      ...{ name: 'Actions', width: '8.5em', align: 'end', isWide: true },
      cell: (row) => (
        <>
          <a
            class="button small above"
            href={href(kind === 'credential' ? ['access'] : ['access', 'ssh-credentials'], {
              credential: row.id,
            })}
            aria-label={`Test ${row.description || row.id}`}
          >
            Test
          </a>{' '}
          <DeleteRow name={row.description || row.id} path={`${path}/${row.id}`}>
            <CredentialEnds id={row.id} path={`${path}/${row.id}`} />
          </DeleteRow>
        </>
      ),
    },
  ];
  return (
    <>
      <Head title={title}>
        {mayWrite() && (
          <a class="button primary" href={href(['resources', kind, 'new'])}>
            New credential
          </a>
        )}
      </Head>
      <BindTester credentials={list.rows} />
      <Rows
        {...{ list, label: title, columns }}
        nothing={`There are no ${title} yet.`}
        command={`underpass api ${kind.replace('_', '-')}s create --help`}
        hrefOf={(row) => href(['resources', kind, row.id])}
      />
    </>
  );
}
