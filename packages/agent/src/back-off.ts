/** How long to wait before the service is tried again. */
const BASE_MS = 500;
const CEILING_MS = 30_000;

/** Milliseconds to wait before attempt `attempt` (0 = the first repeat): full jitter below 0.5 s doubling up to 30 s. `random` is in [0, 1). */
export function backOffMs(attempt: number, random: () => number): number {
  return random() * Math.min(CEILING_MS, BASE_MS * 2 ** Math.min(attempt, 16));
}
