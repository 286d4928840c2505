/** Differences between two readings of a list. Pure. */
import type { Row } from './resources.ts';

export interface Change {
  readonly change: 'present' | 'added' | 'changed' | 'removed';
  readonly row: Row;
}

/** The differences, in the order of the list; all rows are `present` if nothing was read before. */
export function changesBetween(before: readonly Row[] | null, after: readonly Row[]): readonly Change[] {
  if (before === null) return after.map((row) => ({ change: 'present', row }));
  const [earlier, later] = [byKey(before), byKey(after)];
  const removed = before
    .filter((row) => !later.has(keyOf(row)))
    .map((row) => ({ change: 'removed', row }) as const);
  const others = after.flatMap((row): Change[] => {
    const old = earlier.get(keyOf(row));
    if (old === undefined) return [{ change: 'added', row }];
    return JSON.stringify(old) === JSON.stringify(row) ? [] : [{ change: 'changed', row }];
  });
  return [...removed, ...others];
}

function byKey(rows: readonly Row[]): ReadonlyMap<string, Row> {
  return new Map(rows.map((row) => [keyOf(row), row]));
}

/** Elements of an inner list have no id. */
function keyOf({ id, type }: Row): string {
  return typeof id === 'string' ? id : String(type);
}
