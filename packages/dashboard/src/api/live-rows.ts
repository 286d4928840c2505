/** Rows of a page as a live list, which holds still while a user reads. */
import { useSignal } from '@preact/signals';
import { type LiveList, type LiveListOptions, liveList } from '@underpass/ui/live.ts';
import { useLayoutEffect, useMemo } from 'preact/hooks';

/** `rows`: the latest ones. `keyOf`: identifies a row; the same function and options in each call. */
export function useLiveRows<T>(
  rows: readonly T[],
  keyOf: (row: T) => string,
  options: LiveListOptions = {},
): LiveList<T> {
  const source = useSignal<readonly T[]>(rows);
  const list = useMemo(() => liveList(source, keyOf, options), []);
  useLayoutEffect(() => {
    if (!isSame(source.value, rows)) source.value = rows;
  });
  return list;
}

function isSame<T>(before: readonly T[], now: readonly T[]): boolean {
  return before.length === now.length && before.every((row, at) => row === now[at]);
}
