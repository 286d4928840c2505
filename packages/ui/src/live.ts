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
  readonly isPaused: ReadonlySignal<boolean>;
  pause(): void;
  resume(): void;
}

/** `source`: the newest row first. `keyOf`: identifies a row. */
export function liveList<T>(source: ReadonlySignal<readonly T[]>, keyOf: (row: T) => string): LiveList<T> {
  /** Keys at the time of the pause, in their order; null while the list is live. */
  const held = signal<readonly string[] | null>(null);
  const shown = computed(() => {
    const keys = held.value;
    if (keys === null) return source.value;
    const byKey = new Map(source.value.map((row) => [keyOf(row), row]));
    return keys.flatMap((key) => byKey.get(key) ?? []);
  });
  const waiting = computed(() => {
    const keys = held.value;
    if (keys === null) return 0;
    const known = new Set(keys);
    return source.value.reduce((count, row) => count + (known.has(keyOf(row)) ? 0 : 1), 0);
  });
  return {
    shown,
    waiting,
    isPaused: computed(() => held.value !== null),
    pause: () => {
      held.value ??= source.value.map(keyOf);
    },
    resume: () => {
      held.value = null;
    },
  };
}
