/**
 * Orders the certificate of a reserved domain again, before its renewal is due.
 * Invariant: a renewal is ordered at most once an hour, and never beside an order that is under way.
 */
import type { ManagedCertificate, ReservedDomainDocument } from '../documents/index.ts';
import { Problem } from '../errors/problem.ts';
import type { ActionContext, StoredAction } from './definition.ts';
import { shownStatus, showStatus } from './managed-certificates.ts';

/** Milliseconds between two certificates that callers order. */
const BETWEEN_MS = 3_600_000;
/** Milliseconds between two attempts after an error in DNS, which costs no order. */
const BETWEEN_ATTEMPTS_MS = 60_000;

export const domainRenewal: StoredAction<ReservedDomainDocument> = {
  name: 'renew',
  summary: 'Renew the managed certificate of a reserved domain now',
  result: { schemaName: 'ReservedDomainRenewal', read: shownStatus },

  async change({ body }, context) {
    const { settings, now } = context;
    const managed = body.certificate_management_policy ?? null;
    const value = body.domain;
    if (managed === null) throw new Problem('renewalNoPolicy', { value });
    if (settings.managedCertificates === null) throw new Problem('managedCertificateUnavailable', { value });
    const waitMs = (await notBefore(body, managed, context)) - now();
    if (waitMs > 0) {
      const seconds = Math.ceil(waitMs / 1000);
      throw new Problem('renewalTooSoon', { value, seconds }, {}, seconds);
    }
    const job = { started_at: now(), failure: null };
    return { ...body, certificate_management_policy: { ...managed, job } };
  },

  async run({ body }, { settings }) {
    const managed = body.certificate_management_policy ?? null;
    if (managed === null) throw new Problem('renewalNoPolicy', { value: body.domain });
    return showStatus(managed, settings);
  },
};

/** Returns the milliseconds since 1970 from which a renewal may be ordered. Raises Problem. */
async function notBefore(
  { domain, certificate_id: id }: ReservedDomainDocument,
  { job }: ManagedCertificate,
  { store }: Pick<ActionContext, 'store'>,
): Promise<number> {
  if (job !== null && job.failure === null) throw new Problem('renewalUnderWay', { value: domain });
  if (job?.failure?.error_code === 'DNS_ERROR') return job.started_at + BETWEEN_ATTEMPTS_MS;
  // The authority counts failed orders, so the pause after one is kept.
  if (job?.failure) return job.failure.retries_at;
  const certificate = id ? await store.get(id) : null;
  const issuedAt = certificate?.kind === 'tls_certificate' ? (certificate.body.issued_at ?? 0) : 0;
  return issuedAt + BETWEEN_MS;
}
