/** Describes the certificate of a reserved domain. */

import type { Settings } from '../core/settings.ts';
import { checkName } from '../dns/name-check.ts';
import type { NameLookup } from '../dns/resolver.ts';
import { challengeTarget } from '../dns/targets.ts';
import type { DocumentStore } from '../documents/index.ts';
import type { Subject } from './issuer.ts';
import type { ManagedDomain } from './managed-domains.ts';

export interface DomainSubjectOptions {
  readonly store: Pick<DocumentStore, 'get'>;
  readonly lookup: NameLookup;
  readonly settings: Pick<Settings, 'domain'>;
}

export async function domainSubject(
  { store, lookup, settings }: DomainSubjectOptions,
  { id, account, body, managed }: ManagedDomain,
): Promise<Subject> {
  const former = body.certificate_id ? await store.get(body.certificate_id) : null;
  const isIssued = former?.kind === 'tls_certificate' && former.body.issued_at !== undefined;
  return {
    ...{ id, account, managed },
    names: [body.domain],
    check: () => checkName({ lookup, settings }, { id, ...body }),
    textName: challengeTarget(id, body.domain, settings),
    formerChain: isIssued ? former.body.certificate_pem : null,
  };
}
