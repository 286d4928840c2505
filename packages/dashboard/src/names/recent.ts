/**
 * Figures of the last hour for the names in sight.
 * Invariant: at most 100 keys of a kind are in a request, and a key is requested at most four times a minute.
 */
import { signal } from '@preact/signals';
import type { NameEntry, RecentTraffic } from '@underpass/client';
import { useEffect } from 'preact/hooks';
import { send } from '../api/http.ts';

export interface Recent {
  /** Requests of each minute; the running one is the last. */
  readonly requests: readonly number[];
  readonly errors: readonly number[];
}

const AGAIN_MS = 15_000;
/** Milliseconds without scrolling before figures are requested. */
const CALM_MS = 250;
const MOST = 100;
const KEPT = 2_000;

/** Figures by key, such as `edge/edghts_…`. */
const figures = signal<ReadonlyMap<string, Recent & { readonly at: number }>>(new Map());

/** The kind and the id of the series of a name; null: it has none. */
export function seriesOf({
  served_by,
  resource,
  name,
}: NameEntry): readonly ['edge' | 'endpoint', string] | null {
  if (served_by === 'nothing') return null;
  return served_by === 'edge' ? ['edge', resource.id] : ['endpoint', name];
}

/** Undefined until the figures arrived, and for a name that nothing serves. */
export function recentOf(row: NameEntry): Recent | undefined {
  const key = seriesOf(row);
  return key === null ? undefined : figures.value.get(key.join('/'));
}

/** Keeps the figures of these names fresh. */
export function useRecent(rows: readonly NameEntry[]): void {
  const names = rows.map(({ name }) => name).join(' ');
  useEffect(() => {
    if (rows.length === 0) return;
    const update = () => {
      if (document.visibilityState === 'visible') void load(rows);
    };
    const calm = setTimeout(update, CALM_MS);
    const again = setInterval(update, AGAIN_MS);
    return () => {
      clearTimeout(calm);
      clearInterval(again);
    };
  }, [names]);
}

/** Never rejects: a list without figures is of use, too. */
async function load(rows: readonly NameEntry[]): Promise<void> {
  const due = Date.now() - AGAIN_MS + CALM_MS;
  for (const by of ['edge', 'endpoint'] as const) {
    const wanted = rows.flatMap((row) => {
      const [kind, id] = seriesOf(row) ?? [];
      return kind === by && id !== undefined ? [id] : [];
    });
    const ids = [...new Set(wanted)].filter((id) => (figures.value.get(`${by}/${id}`)?.at ?? 0) < due);
    if (ids.length === 0) continue;
    const search = new URLSearchParams({ by, ids: ids.slice(0, MOST).join(',') });
    try {
      const { data } = await send<RecentTraffic>({ method: 'GET', path: `/traffic/recent?${search}` });
      const next = new Map([...figures.value].slice(-KEPT));
      for (const { key, ...line } of data.keys) next.set(`${by}/${key}`, { ...line, at: Date.now() });
      figures.value = next;
    } catch {
      // The next round tries again.
    }
  }
}

/** Requests per second in the last complete minute. */
export function rateOf({ requests }: Recent): number {
  return (requests.at(-2) ?? 0) / 60;
}

/** Share of errors in the hour from 0 to 1; null without a request. */
export function errorShareOf({ requests, errors }: Recent): number | null {
  const all = sum(requests);
  return all === 0 ? null : sum(errors) / all;
}

/** Minutes since the last request, 0 for the running minute; null: none in the hour. */
export function idleMinutesOf({ requests }: Recent): number | null {
  const last = requests.findLastIndex((count) => count > 0);
  return last < 0 ? null : requests.length - 1 - last;
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
