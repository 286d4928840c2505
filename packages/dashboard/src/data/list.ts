/** A list of the API, page by page, as one growing list of rows. */
import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { useGet } from './cache.ts';
import { ApiError, send } from './http.ts';

export interface ListState<T> {
  readonly rows: readonly T[];
  readonly error: ApiError | null;
  /** True until the first page arrived. */
  readonly isLoading: boolean;
  /** Fetches the next page; undefined if there is none or it is on its way. */
  readonly more: (() => void) | undefined;
  readonly refresh: () => void;
}

type ListReply = Readonly<Record<string, unknown>> & { readonly next_page_uri: string | null };

/** `path`: of the list, with its filter; null: nothing is fetched. A change of the list starts it again. */
export function useList<T>(path: string | null): ListState<T> {
  const first = useGet<ListReply>(path);
  const later = useSignal<readonly ListReply[]>([]);
  const isFetching = useSignal(false);
  const error = useSignal<ApiError | null>(null);
  const head = first.data.value;
  useEffect(() => {
    later.value = [];
  }, [path, head]);
  const pages = head === undefined ? [] : [head, ...later.value];
  const next = pages.at(-1)?.next_page_uri ?? null;
  const more = () => {
    if (next !== null) void fetchPage(next, later, isFetching, error);
  };
  return {
    rows: pages.flatMap((page) => rowsOf<T>(page)),
    error: first.error.value ?? error.value,
    isLoading: head === undefined && first.error.value === null,
    more: next === null || isFetching.value ? undefined : more,
    refresh: () => void first.refresh(),
  };
}

async function fetchPage(
  uri: string,
  later: Signal<readonly ListReply[]>,
  isFetching: Signal<boolean>,
  error: Signal<ApiError | null>,
): Promise<void> {
  const before = later.value;
  isFetching.value = true;
  try {
    const { pathname, search } = new URL(uri, location.href);
    const { data } = await send<ListReply>({ method: 'GET', path: `${pathname}${search}` });
    // The list may have started again meanwhile.
    if (later.value === before) later.value = [...before, data];
    error.value = null;
  } catch (cause) {
    error.value = cause instanceof ApiError ? cause : new ApiError(String(cause), 0);
  } finally {
    isFetching.value = false;
  }
}

/** The only list in the reply. */
function rowsOf<T>(reply: ListReply): readonly T[] {
  return (Object.values(reply).find(Array.isArray) ?? []) as readonly T[];
}
