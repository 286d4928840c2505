/** Every name and address: what serves and protects it, and its traffic of the last hour. */
import { useSignal } from '@preact/signals';
import type { NameEntry } from '@underpass/client';
import { Spark } from '@underpass/ui/spark.tsx';
import { Empty, Failure, Loading } from '@underpass/ui/states.tsx';
import { Status } from '@underpass/ui/status.tsx';
import { type Column, Table } from '@underpass/ui/table.tsx';
import { mayWrite } from '../api/session.ts';
import { useNames } from '../names/names-list.ts';
import { errorShareOf, idleMinutesOf, rateOf, recentOf, sum, useRecent } from '../names/recent.ts';
import { idleText, isOpen, moduleWord, rateText, STATES, serverWords, shareText } from '../names/words.ts';
import { href, query, setQuery } from '../router.ts';

/** Values of the list "Show" in the address, with their label and the filter of the API. */
const CHOICES: Readonly<Record<string, readonly [label: string, filter: string]>> = {
  '': ['All names', ''],
  edge: ['Served by an edge', 'served_by = edge'],
  agent: ['Served by an agent', 'served_by = agent'],
  faults: ['Not served', 'state != served'],
  open: ['Without protection', 'served_by != nothing and protection = none'],
  partly: ['Partly protected', 'protection = some'],
};

const COLUMNS: readonly Column<NameEntry>[] = [
  { name: 'Name', width: 'minmax(0, 2.4fr)', cell: ({ name }) => <bdi title={name}>{name}</bdi> },
  { name: 'Served by', width: 'minmax(0, 1.6fr)', isWide: true, cell: (row) => serverWords(row) },
  { name: 'Protected by', width: 'minmax(0, 1.8fr)', isWide: true, cell: (row) => <Protection row={row} /> },
  { name: 'State', width: '6.8em', cell: (row) => <State row={row} /> },
  {
    ...{ name: 'Req/s', width: '3.2em', align: 'end' },
    cell: (row) => figure(row, (recent) => rateText(rateOf(recent))),
  },
  {
    ...{ name: 'Errors', width: '4.5em', align: 'end', isWide: true },
    cell: (row) => figure(row, (recent) => shareText(errorShareOf(recent))),
  },
  {
    ...{ name: 'Last', width: '4.5em', align: 'end', isWide: true },
    cell: (row) => figure(row, (recent) => idleText(idleMinutesOf(recent))),
  },
  { name: 'Last hour', width: '100px', isWide: true, cell: (row) => <Line row={row} /> },
];

export default function Names() {
  const text = query.value.get('q') ?? '';
  const show = query.value.get('show') ?? '';
  const filter = CHOICES[show]?.[1] ?? '';
  const search = new URLSearchParams({
    ...(text === '' ? {} : { q: text }),
    ...(filter === '' ? {} : { filter }),
  });
  const list = useNames(search.toString());
  const { rows, waiting } = list.view.value;
  const { value: error } = list.error;
  const drawn = useSignal<readonly [from: number, to: number]>([0, 0]);
  useRecent(rows.slice(...drawn.value).slice(0, 100));
  const isEmpty = !list.isLoading.value && error === null && rows.length === 0;
  return (
    <>
      <header class="page-head">
        <h1>Names</h1>
        <input
          type="search"
          aria-label="Search names"
          placeholder="Search"
          value={text}
          onInput={(event) => setQuery({ q: event.currentTarget.value })}
        />
        <select
          aria-label="Show"
          value={show}
          onChange={(event) => setQuery({ show: event.currentTarget.value })}
        >
          {Object.entries(CHOICES).map(([value, [label]]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
        <div class="actions">
          {mayWrite() && (
            <a class="button" href={href(['resources', 'reserved_domain', 'new'])}>
              Reserve a domain
            </a>
          )}
        </div>
      </header>
      {error !== null && (
        <Failure error={error} retry={() => (rows.length === 0 ? list.more() : list.refresh())} />
      )}
      {list.isLoading.value && <Loading what="names" />}
      {isEmpty && text === '' && filter === '' && (
        <Empty title="No name is served yet." command="underpass http 3000" />
      )}
      {isEmpty && (text !== '' || filter !== '') && <Empty title="No name matches." />}
      {waiting > 0 && (
        <p class="live-bar" role="status">
          <button type="button" class="primary" onClick={list.release}>
            {waiting === 1 ? '1 name came or went: show' : `${waiting} names came or went: show`}
          </button>
        </p>
      )}
      {rows.length > 0 && (
        <Table
          label="Names"
          columns={COLUMNS}
          rows={rows}
          keyOf={({ name }) => name}
          hrefOf={({ name }) => href(['names', name])}
          more={list.hasMore.value ? list.more : undefined}
          reading={list.hold}
          sight={(from, to) => {
            list.see(from);
            const [before, end] = drawn.peek();
            if (before !== from || end !== to) drawn.value = [from, to];
          }}
        />
      )}
    </>
  );
}

function State({ row }: { row: NameEntry }) {
  const [text, colour] = STATES[row.state];
  return <Status kind={colour}>{text}</Status>;
}

function Protection({ row }: { row: NameEntry }) {
  const { protection, protected_by: modules } = row;
  const words = modules.length === 0 ? 'nothing' : modules.map(moduleWord).join(', ');
  const text = protection === 'some' ? `partly: ${words}` : words;
  if (row.served_by === 'nothing') return <>—</>;
  if (!isOpen(row) || !mayWrite()) return <>{text}</>;
  return (
    <>
      {text}{' '}
      <a
        class="button small above"
        href={href(['names', row.name], { hint: 'protect' })}
        aria-label={`Protect ${row.name}`}
        tabIndex={-1}
      >
        protect
      </a>
    </>
  );
}

function Line({ row }: { row: NameEntry }) {
  const recent = recentOf(row);
  if (recent === undefined) return null;
  return <Spark values={recent.requests} label={`${sum(recent.requests)} requests in the last hour`} />;
}

function figure(row: NameEntry, text: (recent: NonNullable<ReturnType<typeof recentOf>>) => string) {
  const recent = recentOf(row);
  return recent === undefined ? '—' : text(recent);
}
