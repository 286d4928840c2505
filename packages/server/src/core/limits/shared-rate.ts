/**
 * Rates that are of the whole installation, divided by the number of its daemons.
 * Invariant: each key may do one thing at a time, however many daemons there are.
 */
import type { Rate } from './token-buckets.ts';

let count = 1;

/** Notes the number of daemons that may live, this one included. */
export function noteDaemons(daemons: number): void {
  count = Math.max(1, daemons);
}

/** Returns this daemon's part of a rate at this moment. */
export function partOf({ burst, perSecond }: Rate): Rate {
  return { burst: Math.max(1, burst / count), perSecond: perSecond / count };
}
