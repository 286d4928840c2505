/** The requests, the newest first, and what chooses among them. */
import { useSignal } from '@preact/signals';
import { bytes, duration, time } from '@underpass/ui/format.ts';
import type { ExchangeSummary } from '../api-types.ts';
import { type Filter, isFiltering, NO_FILTER } from '../filter.ts';
import { Result } from './result.tsx';
import { exchanges, filter, listed, searched, selected, status } from './state.ts';

/** Rows that are shown at first; the user can request more. */
const ROWS = 200;

export function List() {
  const rows = useSignal(ROWS);
  const all = listed.value;
  const slowest = Math.max(1, ...all.slice(0, rows.value).map(({ durationMs }) => durationMs ?? 0));
  return (
    <section class="list" aria-label="Requests">
      <Filters />
      <div class="scrolled">
        {all.length === 0 && <Nothing />}
        <ol>
          {all.slice(0, rows.value).map((it) => (
            <Row key={it.id} exchange={it} slowest={slowest} />
          ))}
        </ol>
        {all.length > rows.value && (
          <button type="button" class="more" onClick={() => (rows.value += ROWS)}>
            {all.length - rows.value} older ones
          </button>
        )}
      </div>
    </section>
  );
}

function Nothing() {
  const urls =
    status.value?.tunnels.flatMap(({ url, proto }) => (url !== null && proto === 'http' ? [url] : [])) ?? [];
  if (exchanges.value.length > 0) return <p class="nothing">No request is as the filter says.</p>;
  return (
    <p class="nothing">
      Requests appear here as they come. {urls.length > 0 && 'Ask for '}
      {urls.map((url) => (
        <a key={url} href={url} target="_blank" rel="noreferrer">
          {url}
        </a>
      ))}
    </p>
  );
}

function Row({ exchange, slowest }: { exchange: ExchangeSummary; slowest: number }) {
  const { id, method, path, startedAt, durationMs, responseSize, messages, replayOf } = exchange;
  const isRefused = exchange.refusal !== null;
  return (
    <li>
      <a href={`#${id}`} class="row" aria-current={selected.value === id} id={`row-${id}`}>
        <span class="method">{method}</span>
        <span class="path" title={path}>
          {path}
        </span>
        <Result exchange={exchange} />
        <span class="when">
          {time(startedAt)}
          {replayOf !== null && <span title={`Replay of ${replayOf}`}> ↻</span>}
        </span>
        <span class="size">
          {isRefused ? 'refused' : messages === null ? bytes(responseSize) : `${messages} msgs`}
        </span>
        <span class="took">
          <span class="bar" style={{ width: `${((durationMs ?? 0) / slowest) * 100}%` }} />
          {duration(durationMs)}
        </span>
      </a>
    </li>
  );
}

function change(part: Partial<Filter>): void {
  filter.value = { ...filter.value, ...part };
}

function reset(): void {
  filter.value = NO_FILTER;
  searched.value = '';
}

const STATUSES = [
  ['', 'any status'],
  ['failed', 'failed'],
  ['2', '2xx'],
  ['3', '3xx'],
  ['4', '4xx'],
  ['5', '5xx'],
  ['1', '1xx'],
  ['grpc', 'gRPC failed'],
  ['none', 'no response'],
] as const;
const TIMES = [
  [0, 'any time'],
  [1, 'last minute'],
  [5, 'last 5 minutes'],
  [60, 'last hour'],
] as const;

function Filters() {
  const { path, method, status: wanted, minutes, tunnel } = filter.value;
  // The chosen method stays in the list if its requests are gone.
  const methods = [...new Set([method, ...exchanges.value.map((it) => it.method)])]
    .filter((it) => it !== '')
    .sort();
  const tunnels = status.value?.tunnels ?? [];
  return (
    <search class="filters">
      <input
        id="path"
        type="search"
        placeholder="Path"
        aria-label="Path"
        value={path}
        onInput={(event) => change({ path: event.currentTarget.value })}
      />
      <input
        id="search"
        type="search"
        placeholder="Search"
        aria-label="Search heads, bodies and messages"
        value={searched.value}
        onInput={(event) => (searched.value = event.currentTarget.value)}
      />
      <select
        aria-label="Method"
        value={method}
        onChange={(event) => change({ method: event.currentTarget.value })}
      >
        <option value="">any method</option>
        {methods.map((it) => (
          <option key={it}>{it}</option>
        ))}
      </select>
      <select
        aria-label="Status"
        value={wanted}
        onChange={(event) => change({ status: event.currentTarget.value })}
      >
        {STATUSES.map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
      <select
        aria-label="Time"
        value={minutes}
        onChange={(event) => change({ minutes: Number(event.currentTarget.value) })}
      >
        {TIMES.map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
      {tunnels.length > 1 && (
        <select
          aria-label="Tunnel"
          value={tunnel}
          onChange={(event) => change({ tunnel: Number(event.currentTarget.value) })}
        >
          <option value={0}>any tunnel</option>
          {tunnels.map(({ id, name, url }) => (
            <option key={id} value={id}>
              {name ?? url ?? id}
            </option>
          ))}
        </select>
      )}
      {(isFiltering(filter.value) || searched.value !== '') && (
        <button type="button" onClick={reset}>
          Reset
        </button>
      )}
    </search>
  );
}
