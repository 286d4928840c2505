/** Times as ages, for tables. Pure. */

/** The form in which the API writes times. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

/** Seconds in each unit, the largest first. */
const UNITS = [
  ['y', 365 * 86_400],
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
  ['s', 1],
] as const;

export function isTime(value: unknown): value is string {
  return typeof value === 'string' && TIME.test(value);
}

/** The time since or until `time` in one unit: `3h`, `in 89d`. `now` is in milliseconds since 1970. */
export function ageText(time: string, now: number): string {
  const seconds = Math.floor((now - Date.parse(time)) / 1000);
  // Clocks differ by a few seconds.
  const isFuture = seconds < -60;
  const length = Math.max(0, isFuture ? -seconds : seconds);
  const [unit, size] = UNITS.find(([, it]) => length >= it * (it === UNITS[0][1] ? 2 : 1)) ?? ['s', 1];
  return `${isFuture ? 'in ' : ''}${Math.floor(length / size)}${unit}`;
}
