/**
 * The id that finds a request in the log.
 * Invariant: a request has one id.
 */
import { randomUUID } from 'node:crypto';
import type { RequestFacts } from './facts.ts';

/** Ids by request, created at the first use. The backend's request, the response and the log share it. */
const ids = new WeakMap<RequestFacts, string>();

export function requestIdOf(request: RequestFacts): string {
  let id = ids.get(request);
  if (id === undefined) {
    id = randomUUID();
    ids.set(request, id);
  }
  return id;
}
