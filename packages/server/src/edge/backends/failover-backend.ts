/**
 * Picks the first reachable backend of a list (open points, decision 12).
 * Invariant: its responses never cause a failover.
 */

import type { StoredDocument } from '../../documents/index.ts';
import type { ErrorName } from '../../errors/catalogue.ts';
import type { ExplainedBackend } from '../sites/site.ts';
import type { BackendContext } from './backend-context.ts';
import { isReachable, previewOfChosen } from './preview.ts';

export function failoverBackend(
  { id, body }: StoredDocument<'failover_backend'>,
  { child }: BackendContext,
): ExplainedBackend {
  const children = body.backends.map(child);
  return {
    id,
    pick(tried) {
      let reason: ErrorName = 'noBackendAvailable';
      for (const one of children) {
        const picked = one.pick(tried);
        if (typeof picked !== 'string') return picked;
        reason = picked;
      }
      return reason;
    },
    leadsTo: (opener) => children.some((one) => one.leadsTo(opener)),
    tunnels() {
      for (const one of children) {
        const tunnels = one.tunnels();
        if (tunnels === null || tunnels.length > 0) return tunnels;
      }
      return [];
    },
    preview(connection) {
      const all = children.map((one) => one.preview(connection));
      const chosen = all.find(isReachable);
      const why =
        chosen === undefined
          ? `None of ${all.length} backends can be reached.`
          : `${chosen.id} is the first of ${all.length} backends that can be reached.`;
      return previewOfChosen(id, all, chosen, why);
    },
  };
}
