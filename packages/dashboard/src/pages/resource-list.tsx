/** The resources of one kind. */
import { dateTime } from '@underpass/ui/format.ts';
import { Empty, Failure, Loading } from '@underpass/ui/states.tsx';
import { type Column, Table } from '@underpass/ui/table.tsx';
import { useEffect } from 'preact/hooks';
import { useList } from '../api/list.ts';
import { mayWrite } from '../api/session.ts';
import { useSettled } from '../api/settled.ts';
import { FilterField } from '../resources/filter-field.tsx';
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
  const text = query.value.get('q') ?? '';
  const filter = query.value.get('filter') ?? '';
  const q = useSettled(text);
  const search = new URLSearchParams({ limit: '100', ...(q && { q }), ...(filter && { filter }) });
  const list = useList<Row>(`${collectionPath(kind, '')}?${search}`);
  const { rows, error, isLoading, more, refresh } = list;
  const isChosen = q !== '' || filter !== '';
  const fault = error?.field === 'filter' ? error.message : '';
  // A page of a filtered list can be empty although more follows.
  useEffect(() => {
    if (rows.length === 0) more?.();
  }, [rows.length, more === undefined]);
  const isSearching = rows.length === 0 && (isLoading || more !== undefined || list.isFetching);
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
        <FilterField {...{ filter, fault }} set={(to) => setQuery({ filter: to })} />
        <div class="actions">
          {kind.create !== null && mayWrite() && (
            <a class="button primary" href={href(['resources', kind.name, 'new'])}>
              New
            </a>
          )}
        </div>
      </header>
      {error !== null && fault === '' && <Failure error={error} retry={refresh} />}
      {isSearching && error === null && <Loading what={kind.kind.tag} />}
      {!isSearching && error === null && rows.length === 0 && (
        <Nothing {...{ kind }} wanted={isChosen ? [q, filter].filter(Boolean) : []} />
      )}
      {rows.length > 0 && (
        <Table
          label={kind.kind.tag}
          columns={COLUMNS}
          rows={rows}
          keyOf={(row) => row.id}
          hrefOf={(row) => href(['resources', kind.name, row.id])}
          more={more}
        />
      )}
    </>
  );
});

function Nothing({ kind, wanted }: Pick<KindPageProps, 'kind'> & { readonly wanted: readonly string[] }) {
  if (wanted.length > 0)
    return (
      <Empty title={`No resource matches ${wanted.map((text) => `"${text}"`).join(' and ')}.`}>
        <button type="button" onClick={() => setQuery({ q: null, filter: null })}>
          Show all
        </button>
      </Empty>
    );
  const command = `underpass api ${kind.name.replaceAll('_', '-').replace(/y$/, 'ie')}s create --help`;
  if (kind.create === null) return <Empty title={`There is not ${kind.kind.one} at the moment.`} />;
  return <Empty title={`There is no ${kind.kind.one.replace(/^an? /, '')} yet.`} command={command} />;
}
