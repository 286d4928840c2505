/** Reads a list with a filter further until it has some rows, because a page of it may be short although more follows. */
import { useEffect } from 'preact/hooks';
import type { ListState } from './list.ts';

/** Returns true while rows are on their way. `least`: rows after which only the user reads further. */
export function useFilled<T>(
  { rows, error, isLoading, more, isFetching }: ListState<T>,
  least: number,
): boolean {
  const isShort = rows.length < least && error === null;
  useEffect(() => {
    if (isShort) more?.();
  }, [isShort, rows.length, more === undefined]);
  return isLoading || (isShort && (more !== undefined || isFetching));
}
