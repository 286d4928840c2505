/**
 * Measures requests between two moments of a load. The handshakes are complete before the first moment, because they
 * cost more than the few requests that follow.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuMicroseconds } from './cpu.ts';
import { drive, type Load } from './driver.ts';
import type { Loaded, MeasuredLoad } from './measured-load.ts';
import type { Target } from './peers/peer.ts';

/** Requests of each connection before the first moment. */
const FIRST_REQUESTS = 10;
/** Fewer requests cost too few of the steps in which the kernel counts CPU time. */
const LEAST_REQUESTS = 10_000;
const MOST_SECONDS = 60;
const POLL_MS = 100;

export type WindowLoad = Omit<Load, 'seconds'>;
export type MeasuredWindow = Omit<MeasuredLoad, 'p99Ms'>;

export interface Window {
  readonly load: WindowLoad;
  /** The window's least length. */
  readonly seconds: number;
  /** The port of the upstream, which counts requests. */
  readonly upstream: number;
}

/** Throws if no requests arrive for a minute. */
export async function measureWindow(
  { target, pids }: Loaded,
  { load, seconds, upstream }: Window,
): Promise<MeasuredWindow> {
  const sample = async () => ({
    requests: await requestsAt(upstream),
    cpu: cpuMicroseconds(pids),
    at: Date.now(),
  });
  return await underLoad(target, load, upstream, async () => {
    const from = await sample();
    let to = from;
    do {
      await sleep(seconds * 1000);
      to = await sample();
    } while (to.requests - from.requests < LEAST_REQUESTS && to.at - from.at < MOST_SECONDS * 1000);
    const requests = to.requests - from.requests;
    if (requests === 0) throw new Error(`no requests arrived from ${target.host}`);
    return { perSecond: (requests * 1000) / (to.at - from.at), cpu: (to.cpu - from.cpu) / requests };
  });
}

/** Runs `during` once all connections of the load have made some requests, and ends the load then. */
export async function underLoad<Result>(
  target: Target,
  load: WindowLoad,
  upstream: number,
  during: () => Promise<Result>,
): Promise<Result> {
  const ending = new AbortController();
  const until = (await requestsAt(upstream)) + load.connections * FIRST_REQUESTS;
  const driven = drive(target, { ...load, seconds: 3 * MOST_SECONDS }, ending.signal).catch(() => {});
  try {
    const deadline = Date.now() + MOST_SECONDS * 1000;
    while ((await requestsAt(upstream)) < until) {
      if (Date.now() > deadline) throw new Error(`too few requests arrived from ${target.host}`);
      await sleep(POLL_MS);
    }
    return await during();
  } finally {
    ending.abort();
    await driven;
  }
}

/** The number of requests that the upstream has received, this one among them. */
export async function requestsAt(upstream: number): Promise<number> {
  return Number(await (await fetch(`http://127.0.0.1:${upstream}/requests`)).text());
}
