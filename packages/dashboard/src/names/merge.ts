/** Puts a page of names into the list that is shown. Pure. */

interface Named {
  readonly name: string;
}

/** A page of the list: the names after `after`, until `to` inclusive. */
export interface Part<T> {
  /** '' for the first page. */
  readonly after: string;
  readonly rows: readonly T[];
  /** Null: until the end of the list. */
  readonly to: string | null;
}

/** Replaces the names of the part's range. Both lists are sorted by name. */
export function mergePart<T extends Named>(known: readonly T[], { after, rows, to }: Part<T>): readonly T[] {
  const before = known.filter(({ name }) => name <= after);
  return [...before, ...rows, ...(to === null ? [] : known.filter(({ name }) => name > to))];
}

/** The names of `held` in the state of `latest`, and the number of names that only one of the two has. */
export function holdRows<T extends Named>(held: readonly T[], latest: readonly T[]) {
  const byName = new Map(latest.map((row) => [row.name, row]));
  const known = new Set(held.map(({ name }) => name));
  const rows = held.map((row) => byName.get(row.name) ?? row);
  const gone = held.filter(({ name }) => !byName.has(name)).length;
  return { rows, waiting: gone + latest.filter(({ name }) => !known.has(name)).length };
}
