/**
 * Number of runs of a property with random values, and rows of long tables.
 * Invariant: it is at least one on slow machines.
 */

/** Returns `runs` if CI is set; elsewhere a quarter of it, which finds most mistakes faster. */
export function propertyRuns(runs: number): number {
  return process.env.CI === 'true' ? runs : Math.ceil(runs / 4);
}

/**
 * A property that passes over the values that come after `ms`, so that a test ends in time. The first is tried however long it takes, and
 * none is left half tried, as fast-check's own limits have it.
 */
export function whileTimeLasts<T>(
  ms: number,
  property: (value: T) => Promise<void>,
): (value: T) => Promise<void> {
  const end = performance.now() + ms;
  let isFirst = true;
  return async (value) => {
    if (!isFirst && performance.now() >= end) return;
    isFirst = false;
    await property(value);
  };
}

/**
 * Returns all rows of a table if CI is set; elsewhere every fourth one, from `first` on. Tables of a test that have
 * another `first` each try other rows.
 */
export function rowsOf<T>(rows: Iterable<T>, first = 0): readonly T[] {
  return process.env.CI === 'true' ? [...rows] : [...rows].filter((_, index) => index % 4 === first % 4);
}
