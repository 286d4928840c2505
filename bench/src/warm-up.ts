/** Loads a peer until its code is compiled: until its requests cost what they cost before. */
import { measureWindow, type Window } from './load-window.ts';
import type { Loaded } from './measured-load.ts';

/** Windows in a row that have to agree. */
const AGREEING = 3;
/** The largest part by which they may differ. */
const MOST_DEVIATION = 0.1;
const MOST_WINDOWS = 15;
const WINDOW_SECONDS = 2;

/** Returns false if the cost of requests still changed at the end. */
export async function warmUp(peer: Loaded, window: Window): Promise<boolean> {
  const costs: number[] = [];
  while (costs.length < MOST_WINDOWS) {
    costs.push((await measureWindow(peer, { ...window, seconds: WINDOW_SECONDS })).cpu);
    const last = costs.slice(-AGREEING);
    const isSteady = Math.max(...last) <= Math.min(...last) * (1 + MOST_DEVIATION);
    if (last.length === AGREEING && isSteady) return true;
  }
  return false;
}
