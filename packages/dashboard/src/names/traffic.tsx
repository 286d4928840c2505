/** Traffic of a name: requests, errors and latencies over time, and the latest requests. */
import { computed } from '@preact/signals';
import type { NameEntry, TrafficRequest, TrafficRequestList, TrafficSeries } from '@underpass/client';
import { duration } from '@underpass/ui/format.ts';
import { liveList } from '@underpass/ui/live.ts';
import { LiveBar } from '@underpass/ui/live-bar.tsx';
import { Empty, Failure, Loading } from '@underpass/ui/states.tsx';
import { Status } from '@underpass/ui/status.tsx';
import { type Column, Table } from '@underpass/ui/table.tsx';
import { useEffect, useMemo } from 'preact/hooks';
import { type Entry, useGet } from '../api/cache.ts';
import { Chart } from '../chart.tsx';
import { href, query, setQuery } from '../router.ts';
import { seriesOf } from './recent.ts';
import { rateText } from './words.ts';

interface Range {
  readonly label: string;
  readonly resolution: '1s' | '1m' | '1h';
  /** Length of a step in seconds. */
  readonly step: number;
  /** Seconds before now. */
  readonly since: number;
  /** Seconds before now at which a second request begins, because a response has at most 1,440 steps. 0: there is one. */
  readonly split: number;
  readonly againMs: number;
}

const RANGES: Readonly<Record<string, Range>> = {
  '10m': { label: '10 minutes', resolution: '1s', step: 1, since: 600, split: 0, againMs: 5_000 },
  '24h': { label: '24 hours', resolution: '1m', step: 60, since: 86_400, split: 0, againMs: 30_000 },
  '90d': {
    label: '90 days',
    resolution: '1h',
    step: 3_600,
    since: 7_776_000,
    split: 3_888_000,
    againMs: 300_000,
  },
};
const LATEST_MS = 5_000;

export function Series({ row }: { readonly row: NameEntry }) {
  const [by, id] = seriesOf(row) ?? ['', ''];
  const chosen = query.value.get('range') ?? '10m';
  const range = RANGES[chosen] ?? (RANGES['10m'] as Range);
  const { resolution, since, split } = range;
  const pathOf = (span: Readonly<Record<string, string>>) =>
    `/traffic/series?${new URLSearchParams({ by, id, resolution, ...span })}`;
  const begin = useGet<TrafficSeries>(
    id === '' || split === 0 ? null : pathOf({ since: String(since), until: String(split) }),
  );
  const entry = useGet<TrafficSeries>(id === '' ? null : pathOf({ since: String(split || since) }));
  useRepeated(entry, range.againMs);
  const { value: series } = entry.data;
  const earlier = split === 0 ? null : begin.data.value;
  const { value: error } = entry.error;
  const shown = useMemo(
    () =>
      series === undefined || earlier === undefined
        ? null
        : shownSeries(earlier === null ? [series] : [earlier, series], range.step),
    [series, earlier],
  );
  if (id === '') return null;
  return (
    <section class="related" aria-label="Traffic">
      <header class="page-head">
        <h2>Traffic</h2>
        <div class="actions">
          {Object.entries(RANGES).map(([value, { label }]) => (
            <button
              key={value}
              type="button"
              aria-pressed={RANGES[value] === range}
              onClick={() => setQuery({ range: value })}
            >
              {label}
            </button>
          ))}
        </div>
      </header>
      {shown === null && error !== null && <Failure error={error} retry={() => void entry.refresh()} />}
      {shown === null && error === null && <Loading what="traffic" />}
      {shown !== null && (
        <div class="charts">
          <div>
            <p class="remark">
              Requests per second, <Status kind="5">errors</Status>
            </p>
            <Chart label="Requests per second" times={shown.times} series={shown.rates} format={rateText} />
          </div>
          <div>
            <p class="remark">
              Latency: half, <Status kind="4">95 %</Status>
            </p>
            <Chart label="Latency" times={shown.times} series={shown.latencies} format={duration} />
          </div>
        </div>
      )}
    </section>
  );
}

/** `parts`: one after the other in time. `step`: seconds. */
function shownSeries(parts: readonly TrafficSeries[], step: number) {
  const rates = (one: 'requests' | 'requests_5xx', other: 'connections' | 'connections_failed') =>
    parts.flatMap((part) => part[one].map((count, at) => (count + (part[other][at] ?? 0)) / step));
  const times = parts.flatMap(({ since, requests }) =>
    requests.map((_, at) => Date.parse(since) / 1000 + at * step),
  );
  return {
    times,
    rates: [
      { name: 'Requests', values: rates('requests', 'connections') },
      { name: 'Errors', values: rates('requests_5xx', 'connections_failed'), colour: 'bad' as const },
    ],
    latencies: [
      { name: 'Half', values: parts.flatMap((part) => part.p50_ms) },
      { name: '95 %', values: parts.flatMap((part) => part.p95_ms), colour: 'warn' as const },
    ],
  };
}

const COLUMNS: readonly Column<TrafficRequest>[] = [
  { name: 'Time', width: '5.5em', cell: ({ end_ts: end }) => new Date(end).toTimeString().slice(0, 8) },
  { name: 'Status', width: '4.5em', cell: (one) => <Outcome one={one} /> },
  {
    ...{ name: 'Request', width: 'minmax(0, 2fr)' },
    cell: ({ method, path, kind }) => <bdi>{kind === 'bytes' ? 'connection' : `${method} ${path}`}</bdi>,
  },
  { name: 'From', width: '10em', isWide: true, cell: ({ client_ip: ip }) => ip },
  { name: 'Duration', width: '5.5em', align: 'end', isWide: true, cell: (one) => duration(one.duration_ms) },
  { name: 'Reason', width: 'minmax(0, 2fr)', isWide: true, cell: (one) => <bdi>{reasonOf(one)}</bdi> },
];

/** The latest requests of a name. They are recorded while the page is open. */
export function Latest({ row }: { readonly row: NameEntry }) {
  const filter = filterOf(row);
  const search = new URLSearchParams({ limit: '50', filter });
  const entry = useGet<TrafficRequestList>(filter === '' ? null : `/traffic/requests?${search}`);
  useRepeated(entry, LATEST_MS);
  const list = useMemo(
    () =>
      liveList(
        computed(() => entry.data.value?.requests ?? []),
        ({ id }) => id,
        { isLog: true },
      ),
    [entry],
  );
  const { value: error } = entry.error;
  const rows = list.shown.value;
  if (filter === '') return null;
  return (
    <section class="related" aria-label="Latest requests">
      <header class="page-head">
        <h2>Latest requests</h2>
        <a href={href(['traffic'], { filter })}>All</a>
      </header>
      {error !== null && <Failure error={error} retry={() => void entry.refresh()} />}
      {entry.data.value === undefined && error === null && <Loading what="requests" />}
      {entry.data.value !== undefined && rows.length === 0 && (
        <Empty title="No request was recorded yet." command={`curl -i ${row.url}`} />
      )}
      {rows.length > 0 && (
        <>
          <LiveBar list={list} />
          <Table
            label="Latest requests"
            columns={COLUMNS}
            rows={rows}
            keyOf={({ id }) => id}
            hrefOf={({ id }) => href(['traffic', id])}
            reading={list.pause}
          />
        </>
      )}
    </section>
  );
}

function Outcome({ one }: { readonly one: TrafficRequest }) {
  if (one.kind === 'bytes')
    return <Status kind={one.error_code === '' ? '2' : '5'}>{one.error_code === '' ? 'ok' : 'error'}</Status>;
  const { status_code: code } = one;
  return (
    <Status kind={code === 0 ? 'none' : (String(code)[0] ?? 'none')}>{code === 0 ? 'none' : code}</Status>
  );
}

function reasonOf({ error_code: code, error, reason, decisions }: TrafficRequest): string {
  if (code === '') return '';
  const module = decisions.at(-1)?.module ?? '';
  return [module, code.replace(/^.*_/, ''), reason || error].filter((part) => part !== '').join(' ');
}

/** The id of an agent's endpoint is another one after each reconnect; its host stays. */
function filterOf({ served_by: by, resource, name, url }: NameEntry): string {
  if (by === 'nothing') return '';
  const isHost = by === 'agent' && !url.startsWith('tcp:') && !name.startsWith('*');
  return isHost ? `host = ${JSON.stringify(name)}` : `site = ${JSON.stringify(resource.id)}`;
}

function useRepeated({ refresh, path }: Pick<Entry<unknown>, 'refresh' | 'path'>, everyMs: number): void {
  useEffect(() => {
    if (path === '') return;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void refresh();
    }, everyMs);
    return () => clearInterval(timer);
  }, [path, everyMs]);
}
