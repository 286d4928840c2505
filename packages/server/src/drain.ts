/**
 * The orderly end of traffic: what has come is served, what is under way ends, and nothing new is taken. Never that a connection which was
 * accepted is closed without having had the time for one request.
 */
import type { Api } from './api/server.ts';
import type { Edge } from './edge/edge.ts';

/** For the handshakes of connections that were accepted, in milliseconds. */
const ARRIVAL_MS = 2000;
/** For the next request of a connection that has none; its answer says that the connection ends. In milliseconds. */
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
  await edge.stopAccepting(Math.min(ARRIVAL_MS, drainMs));
  const left = Math.max(0, end - performance.now());
  const quiet = Math.min(QUIET_MS, left);
  await Promise.all([edge.finish(left, quiet), api.close(left, quiet)]);
}
