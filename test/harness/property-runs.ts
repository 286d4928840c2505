/** How often a property is tried with values that are drawn. */

/** As often as `runs` where CI is set; elsewhere a quarter of it, which finds most mistakes and lets the suite be run often. */
export function propertyRuns(runs: number): number {
  return process.env.CI === 'true' ? runs : Math.ceil(runs / 4);
}
