/**
 * A live list that holds still while a user reads it.
 * Invariant: a paused list shows the same rows, in their latest state, until the user continues.
 */
import { computed, type ReadonlySignal, signal } from '@preact/signals';

export interface LiveList<T> {
  /** The rows to show. */
  readonly shown: ReadonlySignal<readonly T[]>;
  /** Number of rows that arrived since the list paused. */
  readonly waiting: ReadonlySignal<number>;
  /** More rows arrived than `waiting`: the source has none of those that are shown any more. */
  readonly hasGap: ReadonlySignal<boolean>;
  readonly isPaused: ReadonlySignal<boolean>;
  pause(): void;
  resume(): void;
}

export interface LiveListOptions {
  /** Rows never end, so that one that left the source stays while the list is paused. */
  readonly isLog?: boolean;
}

/** `source`: the newest row first. `keyOf`: identifies a row. */
export function liveList<T>(
  source: ReadonlySignal<readonly T[]>,
  keyOf: (row: T) => string,
  { isLog = false }: LiveListOptions = {},
): LiveList<T> {
  /** Rows at the time of the pause by key, in their order; null while the list is live. */
  const held = signal<ReadonlyMap<string, T> | null>(null);
  const shown = computed(() => {
    const rows = held.value;
    if (rows === null) return source.value;
    const latest = byKey(source.value, keyOf);
    return [...rows].flatMap(([key, row]) => latest.get(key) ?? (isLog ? [row] : []));
  });
  const waiting = computed(() => {
    const rows = held.value;
    if (rows === null) return 0;
    return source.value.reduce((count, row) => count + (rows.has(keyOf(row)) ? 0 : 1), 0);
  });
  return {
    shown,
    waiting,
    hasGap: computed(
      () =>
        isLog && (held.value?.size ?? 0) > 0 && waiting.value > 0 && waiting.value === source.value.length,
    ),
    isPaused: computed(() => held.value !== null),
    pause: () => {
      held.value ??= byKey(source.value, keyOf);
    },
    resume: () => {
      held.value = null;
    },
  };
}

function byKey<T>(rows: readonly T[], keyOf: (row: T) => string): ReadonlyMap<string, T> {
  return new Map(rows.map((row) => [keyOf(row), row]));
}
