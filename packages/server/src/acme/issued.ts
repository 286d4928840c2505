/**
 * Checks certificates from the authority.
 * Invariant: a certificate is accepted only if it can be served for the ordered names.
 */
import { X509Certificate } from 'node:crypto';
import type { HostPattern } from '../core/names/hostname.ts';
import {
  isCertificateFault,
  maxCertificatePem,
  readCertificate,
  type UploadedCertificate,
} from '../pki/uploaded-certificate.ts';
import { AcmeFailure } from './acme-failure.ts';
import type { Issued } from './order.ts';
import type { Lifetime } from './schedule.ts';

/** Throws AcmeFailure. `now` is in milliseconds since 1970. */
export function readIssued(
  { chain, privateKeyPem }: Issued,
  names: readonly HostPattern[],
  now: number,
): UploadedCertificate & { readonly lifetime: Lifetime } {
  if (chain.length > maxCertificatePem)
    throw new AcmeFailure(`the certificate authority sent a chain of ${chain.length} bytes`);
  const read = readCertificate(chain, privateKeyPem);
  if (isCertificateFault(read))
    throw new AcmeFailure(
      `the certificate authority sent a certificate that cannot be served (${read.error})`,
    );
  const leaf = new X509Certificate(chain);
  const lifetime = { notBefore: leaf.validFromDate.getTime(), notAfter: leaf.validToDate.getTime() };
  const covered: readonly string[] = read.facts.subject_alternative_names.dns_names;
  if (!names.every((name) => covered.includes(name)) || lifetime.notAfter <= now)
    throw new AcmeFailure(
      `the certificate authority sent a certificate that is not valid for ${names.join(', ')}`,
    );
  return { ...read, lifetime };
}
