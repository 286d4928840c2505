/** A backend that serves nothing, with its reason. */
import type { ErrorName } from '../../errors/catalogue.ts';
import type { ExplainedBackend } from '../sites/site.ts';

export function unservedBackend(id: string, reason: ErrorName): ExplainedBackend {
  return {
    id,
    pick: () => reason,
    leadsTo: () => false,
    tunnels: () => [],
    preview: () => ({ id, instead: reason, why: reasons[reason] ?? 'Nothing serves it.' }),
  };
}

const reasons: { readonly [Name in ErrorName]?: string } = {
  nothingOnline: 'No agent of the account serves the name at the moment.',
  domainNotProven: 'The domain is not proven yet.',
  edgeWithoutBackend: 'No backend is set, or the backend was deleted, or the backend module is disabled.',
};
