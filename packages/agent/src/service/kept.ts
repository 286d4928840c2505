/** The child's side of a keeper (`run-kept.ts`). */

/** Variable of a child that ends with its keeper. */
export const KEPT = 'UNDERPASS_KEPT';

/** Calls `end` once the keeper is gone. Does nothing without one. */
export function whenKeeperEnds(end: () => void): void {
  if (process.env[KEPT] !== '1') return;
  process.once('disconnect', end);
  // It may have ended before this program was loaded.
  if (process.connected !== true) end();
}
