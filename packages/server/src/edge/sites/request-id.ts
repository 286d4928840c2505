/** By what a request is found in the log. Never that one request has two ids. */
import { randomUUID } from 'node:crypto';
import type { RequestFacts } from './facts.ts';

/** Made when somebody asks for it: what goes to the backend, what comes back, and what is logged have it in common. */
const ids = new WeakMap<RequestFacts, string>();

export function requestIdOf(request: RequestFacts): string {
  let id = ids.get(request);
  if (id === undefined) {
    id = randomUUID();
    ids.set(request, id);
  }
  return id;
}
