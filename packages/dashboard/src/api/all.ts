/** All rows of a list of the API, up to a number of pages, for pages that compare rows with each other. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { type ListState, useList } from './list.ts';

/** Rows of a page of the API are at most 100. */
const PAGES_MAX = 10;
const ROWS_MAX = 100 * PAGES_MAX;

export interface AllRows<T> extends Pick<ListState<T>, 'rows' | 'error' | 'isLoading' | 'refresh'> {
  /** False while rows are on their way, and if there are more than 1000. */
  readonly isComplete: boolean;
}

/** `path`: of the list, with `limit=100`. Fetches at most 10 pages. */
export function useAll<T>(path: string | null): AllRows<T> {
  const { rows, error, isLoading, more, refresh } = useList<T>(path);
  const fetched = useSignal(0);
  useEffect(() => {
    if (more === undefined || error !== null || rows.length >= ROWS_MAX || fetched.value === rows.length)
      return;
    fetched.value = rows.length;
    more();
  }, [rows.length, more === undefined]);
  const isComplete = !isLoading && error === null && more === undefined && rows.length < ROWS_MAX;
  return { rows, error, isLoading, refresh, isComplete };
}
