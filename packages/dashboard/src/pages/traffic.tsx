/** Requests and connections of visitors, newest first, with the decision about each. */
import type { TrafficRequest } from '@underpass/client';
import { duration, time } from '@underpass/ui/format.ts';
import { LiveBar } from '@underpass/ui/live-bar.tsx';
import { Empty, Failure, Loading } from '@underpass/ui/states.tsx';
import { type Column, Table } from '@underpass/ui/table.tsx';
import { useList } from '../api/list.ts';
import { useLiveRows } from '../api/live-rows.ts';
import { href, query, setQuery } from '../router.ts';
import { Recordings } from '../traffic/recording.tsx';
import { useRefresh } from '../traffic/refresh.ts';
import { SaveHar } from '../traffic/save-har.tsx';
import { Result, refusalOf, titleOf } from '../traffic/words.tsx';

const COLUMNS: readonly Column<TrafficRequest>[] = [
  { name: 'Time', width: '6em', cell: ({ end_ts }) => time(Date.parse(end_ts)) },
  { name: 'Result', width: '5.5em', cell: (row) => <Result request={row} /> },
  { name: 'Request', width: 'minmax(0, 3fr)', cell: titleOf },
  { name: 'From', width: '10em', cell: ({ client_ip }) => client_ip, isWide: true },
  { name: 'Decision', width: 'minmax(0, 2fr)', cell: refusalOf, isWide: true },
  { name: 'Took', width: '5em', align: 'end', cell: (row) => duration(row.duration_ms), isWide: true },
];

/** Filters behind the buttons, in the grammar of the API. */
const QUICK: readonly (readonly [label: string, filter: string])[] = [
  ['All', ''],
  ['Errors', 'status_code >= 500'],
  ['Refused', 'error_code != null'],
  ['Not found', 'status_code = 404'],
];
/** Milliseconds between reads of the newest requests. */
const READ_MS = 2_000;

const keyOf = ({ id }: TrafficRequest) => id;

export default function Traffic() {
  const filter = query.value.get('filter') ?? '';
  return (
    <>
      <header class="page-head">
        <h1>Traffic</h1>
        <input
          type="search"
          aria-label="Filter of requests"
          placeholder="host = shop.example.com and status_code >= 400"
          value={filter}
          onChange={(event) => setQuery({ filter: event.currentTarget.value.trim() })}
        />
        <div class="actions">
          {QUICK.map(([label, value]) => (
            <button
              key={label}
              type="button"
              class="small"
              aria-pressed={filter === value}
              onClick={() => setQuery({ filter: value })}
            >
              {label}
            </button>
          ))}
        </div>
      </header>
      <Recordings />
      <Requests key={filter} filter={filter} />
    </>
  );
}

/** Drawn anew for another filter, so that a pause ends with it. */
function Requests({ filter }: { filter: string }) {
  const search = new URLSearchParams({ limit: '100', ...(filter === '' ? {} : { filter }) });
  const { rows, error, isLoading, more, refresh } = useList<TrafficRequest>(`/traffic/requests?${search}`);
  const list = useLiveRows(rows, keyOf, { isLog: true });
  useRefresh(refresh, READ_MS, error === null);
  const shown = list.shown.value;
  return (
    <>
      {error !== null && <Failure error={error} retry={refresh} />}
      {isLoading && <Loading what="requests" />}
      {!isLoading && error === null && rows.length === 0 && <Nothing filter={filter} />}
      {shown.length > 0 && (
        <>
          <div class="list-head">
            <LiveBar list={list} />
            <SaveHar rows={shown} />
          </div>
          <Table
            label="Requests"
            columns={COLUMNS}
            rows={shown}
            keyOf={keyOf}
            hrefOf={({ id }) => href(['traffic', id])}
            more={more}
            reading={(isReading) => isReading && list.pause()}
          />
        </>
      )}
    </>
  );
}

function Nothing({ filter }: { filter: string }) {
  if (filter !== '') return <Empty title="No request matches the filter." />;
  return <Empty title="No request is recorded. Failures always are, and others while this page is open." />;
}
