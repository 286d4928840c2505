/** Times of repeated checks for a change outside the service. */
import { setTimeout as pause } from 'node:timers/promises';

const FIRST_MS = 200;
const LONGEST_MS = 5000;

/** Yields at once, then at growing intervals until `limitMs` have passed. Rejects when the signal aborts. */
export async function* polls(signal: AbortSignal, limitMs = Number.POSITIVE_INFINITY): AsyncGenerator<void> {
  let waitedMs = 0;
  for (let ms = FIRST_MS; ; ms = Math.min(ms * 1.5, LONGEST_MS)) {
    yield;
    waitedMs += ms;
    if (waitedMs > limitMs) return;
    await pause(ms, undefined, { signal, ref: false });
  }
}
