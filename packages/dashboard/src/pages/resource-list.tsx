/** The resources of one kind. */
import { dateTime } from '@underpass/ui/format.ts';
import { Empty, Failure, Loading } from '@underpass/ui/states.tsx';
import { type Column, Table } from '@underpass/ui/table.tsx';
import { useList } from '../data/list.ts';
import { mayWrite } from '../data/session.ts';
import { collectionPath, nameOf } from '../resources/kinds.ts';
import { type KindPageProps, withKind } from '../resources/with-kind.tsx';
import { href, query, setQuery } from '../router.ts';

type Row = Readonly<Record<string, unknown>> & { readonly id: string };

const COLUMNS: readonly Column<Row>[] = [
  { name: 'Name', width: 'minmax(0, 2fr)', cell: (row) => nameOf(row) || '—' },
  { name: 'Id', width: 'minmax(0, 2fr)', cell: (row) => <code>{row.id}</code>, isWide: true },
  { name: 'Created', width: '13em', cell: (row) => dateTime(row.created_at), isWide: true },
];

export default withKind(({ kind, title: _ }: KindPageProps) => {
  const { rows, error, isLoading, more, refresh } = useList<Row>(`${collectionPath(kind, '')}?limit=100`);
  const text = query.value.get('q') ?? '';
  const shown = rows.filter((row) => matches(row, text.toLowerCase()));
  return (
    <>
      <header class="page-head">
        <h1>{kind.kind.tag}</h1>
        <input
          type="search"
          aria-label="Search these resources"
          placeholder="Search"
          value={text}
          onInput={(event) => setQuery({ q: event.currentTarget.value })}
        />
        <div class="actions">
          {kind.create !== null && mayWrite() && (
            <a class="button primary" href={href(['resources', kind.name, 'new'])}>
              New
            </a>
          )}
        </div>
      </header>
      {error !== null && <Failure error={error} retry={refresh} />}
      {isLoading && <Loading what={kind.kind.tag} />}
      {!isLoading && error === null && rows.length === 0 && <Nothing {...{ kind }} />}
      {rows.length > 0 && shown.length === 0 && <Empty title={`No resource matches "${text}".`} />}
      {shown.length > 0 && (
        <Table
          label={kind.kind.tag}
          columns={COLUMNS}
          rows={shown}
          keyOf={(row) => row.id}
          hrefOf={(row) => href(['resources', kind.name, row.id])}
          more={more}
        />
      )}
    </>
  );
});

function Nothing({ kind }: Pick<KindPageProps, 'kind'>) {
  const command = `underpass api ${kind.name.replaceAll('_', '-').replace(/y$/, 'ie')}s create --help`;
  if (kind.create === null) return <Empty title={`There is not ${kind.kind.one} at the moment.`} />;
  return <Empty title={`There is no ${kind.kind.one.replace(/^an? /, '')} yet.`} command={command} />;
}

function matches(row: Row, text: string): boolean {
  return text === '' || JSON.stringify(row).toLowerCase().includes(text);
}
