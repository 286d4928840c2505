/** Days until the end of certificates, and their order. Pure. */

const DAY_MS = 86_400_000;
/** Days before the end from which a certificate needs attention. */
const SOON_DAYS = 21;

/** Whole days until a time; negative after it. */
export function daysUntil(time: string, now: number): number {
  return Math.floor((Date.parse(time) - now) / DAY_MS);
}

/** The end in words. */
export function expiryText(days: number): string {
  if (days < 0) return 'expired';
  return days === 1 ? '1 day' : `${days} days`;
}

/** The class of the status: 2 good, 4 soon, 5 ended. */
export function expiryKind(days: number): 2 | 4 | 5 {
  if (days < 0) return 5;
  return days < SOON_DAYS ? 4 : 2;
}

/** The soonest end first. */
export function soonestFirst<T extends { readonly not_after: string }>(rows: readonly T[]): readonly T[] {
  return [...rows].sort((a, b) => Date.parse(a.not_after) - Date.parse(b.not_after));
}
