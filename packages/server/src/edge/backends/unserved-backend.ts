/** A backend that serves nothing, with its reason. */
import type { ErrorName } from '../../errors/catalogue.ts';
import type { Backend } from '../sites/site.ts';

export function unservedBackend(id: string, reason: ErrorName): Backend {
  return { id, pick: () => reason, leadsTo: () => false, tunnels: () => [] };
}
