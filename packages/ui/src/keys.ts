/** Helps pages with keys: fields keep theirs, and j and k go through a list. */

/** Number of rows by which each key moves the selection. */
const STEPS: ReadonlyMap<string, number> = new Map([
  ['j', 1],
  ['ArrowDown', 1],
  ['k', -1],
  ['ArrowUp', -1],
]);

/** Null: the key moves nothing. */
export function stepOf(key: string): number | null {
  return STEPS.get(key) ?? null;
}

/** True if the key belongs to the browser or to a field that has the focus. */
export function isTaken(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return true;
  return event.target instanceof Element && event.target.closest('input, textarea, select') !== null;
}

/** The value that is `step` places from `current`; the first one if `current` is not in the list. */
export function neighbour<T>(values: readonly T[], current: T | null, step: number): T | undefined {
  const at = current === null ? -1 : values.indexOf(current);
  return values[at < 0 ? 0 : Math.min(Math.max(at + step, 0), values.length - 1)];
}
