/**
 * The orderly end of traffic: accepted requests are served, those in progress finish, and new ones are refused.
 * Invariant: no accepted connection is closed before it had the time for one request.
 */
import type { Api } from '../api/server.ts';
import type { Edge } from '../edge/edge.ts';

/** Milliseconds for the handshakes of accepted connections. */
const ARRIVAL_MS = 2000;
/** Milliseconds for the next request of an idle connection; its response announces the end of the connection. */
const QUIET_MS = 500;

export interface Traffic {
  readonly edge: Pick<Edge, 'drain' | 'stopAccepting' | 'finish'>;
  readonly api: Pick<Api, 'drain' | 'close'>;
}

/** Resolves when no visitor and no API client is left, at the latest after `drainMs`. */
export async function drainTraffic({ edge, api }: Traffic, drainMs: number): Promise<void> {
  const end = performance.now() + drainMs;
  edge.drain();
  api.drain();
  await edge.stopAccepting(Math.min(ARRIVAL_MS, drainMs), drainMs);
  const left = Math.max(0, end - performance.now());
  const quiet = Math.min(QUIET_MS, left);
  await Promise.all([edge.finish(left, quiet), api.close(left, quiet)]);
}
