/** Joins the first page of a list, read again after a change, with the pages that are shown below it. Pure. */

export interface Pages<T> {
  readonly rows: readonly T[];
  /** Address of the page after them; null for none. */
  readonly next: string | null;
}

/** Rows that are held below the first page. A list that grows by itself starts again beyond them. */
const MOST_BELOW = 20_000;

/**
 * Lists are in descending order of ids, so rows below the last one of the first page stay. `gone`: ids of rows that were deleted.
 * A first page that does not reach the shown rows starts the list again.
 */
export function mergePages<T>(shown: Pages<T>, first: Pages<T>, gone: ReadonlySet<string>): Pages<T> {
  const last = first.rows.at(-1);
  if (first.next === null || last === undefined || idOf(last) === '') return first;
  const at = shown.rows.findIndex((row) => idOf(row) === idOf(last));
  if (at < 0) return first;
  const below = shown.rows.slice(at + 1).filter((row) => !gone.has(idOf(row)));
  return below.length === 0 || below.length > MOST_BELOW
    ? first
    : { rows: [...first.rows, ...below], next: shown.next };
}

function idOf(row: unknown): string {
  const isRow = typeof row === 'object' && row !== null && 'id' in row;
  return isRow && typeof row.id === 'string' ? row.id : '';
}
