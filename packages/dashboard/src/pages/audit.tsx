/** The audit trail: each change with its actor, and the old and the new fields. */
import type { Change } from '@underpass/client';
import { dateTime } from '@underpass/ui/format.ts';
import { LiveBar } from '@underpass/ui/live-bar.tsx';
import { Empty, Failure, Loading } from '@underpass/ui/states.tsx';
import { type Column, Table } from '@underpass/ui/table.tsx';
import { useList } from '../api/list.ts';
import { useLiveRows } from '../api/live-rows.ts';
import { actorOf, ChangeView, titleOf } from '../audit/change-view.tsx';
import { FilterForm } from '../audit/filter-form.tsx';
import { changesPath, FILTERS } from '../audit/filters.ts';
import { href, query, setQuery } from '../router.ts';

const COLUMNS: readonly Column<Change>[] = [
  { name: 'Change', width: 'minmax(0, 3fr)', cell: titleOf },
  { name: 'Actor', width: 'minmax(0, 2fr)', cell: actorOf, isWide: true },
  { name: 'Fields', width: 'minmax(0, 3fr)', cell: fieldsOf, isWide: true },
  { name: 'Resource', width: 'minmax(0, 3fr)', cell: ({ resource_id }) => resource_id, isWide: true },
  { name: 'Time', width: '15em', cell: ({ created_at }) => dateTime(created_at) },
];

const keyOf = ({ id }: Change) => id;

export default function Audit() {
  const path = changesPath(query.value);
  return (
    <>
      <h1>Audit</h1>
      <FilterForm />
      <Changes key={path} path={path} />
    </>
  );
}

/** Drawn anew for other filters, so that a pause ends with them. */
function Changes({ path }: { path: string }) {
  const { rows, error, isLoading, more, refresh } = useList<Change>(path);
  const list = useLiveRows(rows, keyOf, { isLog: true });
  const shown = list.shown.value;
  const id = query.value.get('change') ?? '';
  const opened = rows.find((row) => row.id === id);
  const isFiltered = FILTERS.some((name) => query.value.has(name));
  return (
    <>
      {error !== null && <Failure error={error} retry={refresh} />}
      {isLoading && <Loading what="the changes" />}
      {!isLoading && error === null && rows.length === 0 && <Nothing {...{ isFiltered, more }} />}
      {shown.length > 0 && (
        <>
          <LiveBar list={list} />
          <Table
            label="Changes"
            columns={COLUMNS}
            rows={shown}
            keyOf={keyOf}
            hrefOf={(row) => href(['audit'], { ...Object.fromEntries(query.value), change: row.id })}
            more={more}
            reading={(isReading) => isReading && list.pause()}
          />
        </>
      )}
      {opened !== undefined && <ChangeView change={opened} close={() => setQuery({ change: null })} />}
    </>
  );
}

/** A filter reads page by page, so a page may be empty although more follow. */
function Nothing({ isFiltered, more }: { isFiltered: boolean; more: (() => void) | undefined }) {
  if (more !== undefined)
    return (
      <Empty title="No change of this page matches.">
        <button type="button" onClick={more}>
          Search further
        </button>
      </Empty>
    );
  if (isFiltered) return <Empty title="No change matches these filters." />;
  return <Empty title="Nothing was changed yet." command="underpass api ip-policies create --help" />;
}

function fieldsOf({ fields, fields_left_out }: Change): string {
  const more = fields_left_out > 0 ? `, ${fields_left_out} more` : '';
  return `${fields.map(({ field }) => field).join(', ')}${more}` || '—';
}
