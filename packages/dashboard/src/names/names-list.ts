/**
 * The list of names, page by page.
 * Invariant: while a user reads, rows neither come nor go; changes of their state are shown at once.
 */
import { batch, computed, signal, useSignal } from '@preact/signals';
import type { NameEntry, NameList } from '@underpass/client';
import { useEffect, useMemo } from 'preact/hooks';
import { ApiError, send } from '../api/http.ts';
import { useEvents } from '../api/stream.ts';
import { holdRows, mergePart } from './merge.ts';

/** Names of the first request, so that it is short, and of a refresh. */
const FIRST_PAGE = 100;
/** Names of each request after it, so that scrolling through all of them costs few. */
const NEXT_PAGE = 1_000;
/** Milliseconds between two requests for the rows in sight. */
const REFRESH_MS = 2_000;
const SETTLED_MS = 250;
const EVENTS: ReadonlySet<string> = new Set(['change', 'session', 'reset', 'dropped']);

export type NamesState = ReturnType<typeof createList>;

/** `query`: `filter` and `q` of the list, encoded. Another query begins another list. */
export function useNames(query: string): NamesState {
  const settled = useSettled(query);
  const list = useMemo(() => createList(settled), [settled]);
  useEffect(() => {
    list.more();
    return list.stop;
  }, [list]);
  useEvents(list.handle);
  return list;
}

/** The last text that stayed for a moment, so that not each letter of a search costs a request. */
function useSettled(text: string): string {
  const settled = useSignal(text);
  useEffect(() => {
    const timer = setTimeout(() => {
      settled.value = text;
    }, SETTLED_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled.value;
}

function createList(query: string) {
  const latest = signal<readonly NameEntry[]>([]);
  const held = signal<readonly NameEntry[] | null>(null);
  /** The query of the next page; null after the last one. */
  const next = signal<string | null>('');
  const error = signal<ApiError | null>(null);
  const gone = new AbortController();
  let isFetching = false;
  let timer: ReturnType<typeof setTimeout> | null = null;
  let top = 0;

  const fetchPage = async (after: string, limit = FIRST_PAGE) => {
    const search = new URLSearchParams(query);
    search.set('limit', String(limit));
    if (after !== '') search.set('after', after);
    const { data } = await send<NameList>({ method: 'GET', path: `/names?${search}`, signal: gone.signal });
    const to = data.next_page_uri === null ? null : new URL(data.next_page_uri).searchParams.get('after');
    return { rows: data.names, to };
  };
  const run = async (act: () => Promise<void>) => {
    if (isFetching) return;
    isFetching = true;
    try {
      await act();
      error.value = null;
    } catch (cause) {
      if (gone.signal.aborted) return;
      error.value = cause instanceof ApiError ? cause : new ApiError(String(cause), 0);
    } finally {
      isFetching = false;
    }
  };
  /** A search may find nothing on a page that is not the last. */
  const more = () =>
    void run(async () => {
      for (let found = 0; found === 0 && next.value !== null; ) {
        const after = next.value;
        const { rows, to } = await fetchPage(after, after === '' ? FIRST_PAGE : NEXT_PAGE);
        found = rows.length;
        batch(() => {
          latest.value = [...latest.value, ...rows];
          if (held.value !== null) held.value = [...held.value, ...rows];
          next.value = to;
        });
      }
    });
  /** Fetches the rows around those in sight. */
  const refresh = () =>
    void run(async () => {
      const after = latest.value[top - 1]?.name ?? '';
      const { rows, to } = await fetchPage(after);
      const end = latest.value.at(-1)?.name ?? '';
      batch(() => {
        latest.value = mergePart(latest.value, { after, rows, to });
        if (to === null || to >= end) next.value = to;
      });
    });
  const view = computed(() =>
    held.value === null ? { rows: latest.value, waiting: 0 } : holdRows(held.value, latest.value),
  );
  return {
    view,
    error,
    /** True until the first names arrived, or the end without any. */
    isLoading: computed(() => latest.value.length === 0 && next.value !== null && error.value === null),
    hasMore: computed(() => next.value !== null),
    more,
    refresh,
    /** `from`: first row that is drawn. */
    see: (from: number) => {
      top = from;
    },
    hold: () => {
      held.value ??= latest.value;
    },
    release: () => {
      held.value = null;
    },
    handle: ({ event }: { readonly event: string }) => {
      if (!EVENTS.has(event) || timer !== null) return;
      timer = setTimeout(() => {
        timer = null;
        refresh();
      }, REFRESH_MS);
    },
    stop: () => {
      if (timer !== null) clearTimeout(timer);
      gone.abort();
    },
  };
}
