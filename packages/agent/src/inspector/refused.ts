/** Keeps requests that the service refused, beside those that came. */
import type { RefusedVisit } from '../refused-visits.ts';
import { inBytes } from './head.ts';
import type { Store } from './store.ts';

/**
 * Keeps a refused visit. `tunnel`: id of the tunnel that the visitor wanted. A connection without HTTP has its host
 * in place of a path.
 */
export function keepRefused(store: Store, tunnel: number, visit: RefusedVisit): void {
  const { method, client, status, reason, code, module } = visit;
  const host = lineOf(visit.host);
  const target = method === '' ? host : lineOf(visit.path);
  const origin = { tunnel, client, replayOf: null, method: lineOf(method), target, startedAt: visit.at };
  const lines = method === '' ? '' : `${origin.method} ${target}\r\nHost: ${host}\r\n\r\n`;
  const exchange = store.add({ ...origin, scheme: 'https', refusal: { code, module } }, lines);
  exchange.status = status;
  exchange.failed(reason);
  exchange.end(status !== null);
}

/** Text of the service as part of a line of a head. */
function lineOf(text: string): string {
  return inBytes(text.replace(/[\r\n]/g, ' '));
}
