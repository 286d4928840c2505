/**
 * A list of the API, page by page, as one growing list of rows.
 * Invariant: a change does not take away the rows that a user has scrolled to.
 */
import { type Signal, useSignal } from '@preact/signals';
import type { StreamChange } from '@underpass/client';
import { useCallback, useEffect, useRef } from 'preact/hooks';
import { useGet } from './cache.ts';
import { ApiError, send } from './http.ts';
import { mergePages, type Pages } from './merge.ts';
import { useEvents } from './stream.ts';

export interface ListState<T> {
  readonly rows: readonly T[];
  readonly error: ApiError | null;
  /** True until the first page arrived. */
  readonly isLoading: boolean;
  /** Fetches the next page; undefined if there is none, it is on its way, or it failed. */
  readonly more: (() => void) | undefined;
  /** True while the next page is on its way. */
  readonly isFetching: boolean;
  readonly refresh: () => void;
}

type ListReply = Readonly<Record<string, unknown>> & { readonly next_page_uri: string | null };

/** The pages of a path. */
interface Held<T> extends Pages<T> {
  readonly path: string | null;
}

/** `path`: of the list, with its filter; null: nothing is fetched. A change reads the first page again. */
export function useList<T>(path: string | null): ListState<T> {
  const first = useGet<ListReply>(path);
  const held = useSignal<Held<T>>({ path: null, rows: [], next: null });
  const isFetching = useSignal(false);
  const error = useSignal<ApiError | null>(null);
  const takeGone = useGone();
  const head = first.data.value;
  useEffect(() => {
    error.value = null;
    if (head === undefined) return;
    const before = held.value.path === path ? held.value : { rows: [], next: null };
    held.value = { path, ...mergePages(before, pageOf<T>(head), takeGone()) };
  }, [path, head]);
  const isHeld = held.value.path === path;
  const { rows, next } = isHeld || head === undefined ? held.value : pageOf<T>(head);
  const isReady = head !== undefined && isHeld && next !== null && !isFetching.value && error.value === null;
  return {
    rows: head === undefined ? [] : rows,
    error: first.error.value ?? error.value,
    isLoading: head === undefined && first.error.value === null,
    more: isReady ? () => void fetchPage(held, isFetching, error) : undefined,
    isFetching: isFetching.value,
    refresh: () => {
      error.value = null;
      void first.refresh();
    },
  };
}

/** Ids that are remembered between two reads of a first page. */
const GONE_MAX = 10_000;

/** Returns a function that takes the ids of resources that were deleted since its last call. */
function useGone(): () => ReadonlySet<string> {
  const gone = useRef(new Set<string>());
  useEvents(
    useCallback(({ event, data }) => {
      if (event !== 'change') return;
      const { what, id } = data as StreamChange;
      if (what === 'deleted' && gone.current.size < GONE_MAX) gone.current.add(id);
    }, []),
  );
  return () => {
    const taken = gone.current;
    gone.current = new Set();
    return taken;
  };
}

async function fetchPage<T>(
  held: Signal<Held<T>>,
  isFetching: Signal<boolean>,
  error: Signal<ApiError | null>,
): Promise<void> {
  const { path, next } = held.value;
  if (next === null || isFetching.value) return;
  isFetching.value = true;
  try {
    const { pathname, search } = new URL(next, location.href);
    const { data } = await send<ListReply>({ method: 'GET', path: `${pathname}${search}` });
    const page = pageOf<T>(data);
    // The list may have started again meanwhile.
    if (held.value.path === path && held.value.next === next)
      held.value = { path, rows: [...held.value.rows, ...page.rows], next: page.next };
  } catch (cause) {
    error.value = cause instanceof ApiError ? cause : new ApiError(String(cause), 0);
  } finally {
    isFetching.value = false;
  }
}

/** The only list in the reply. */
function pageOf<T>(reply: ListReply): Pages<T> {
  const rows = (Object.values(reply).find(Array.isArray) ?? []) as readonly T[];
  return { rows, next: reply.next_page_uri ?? null };
}
