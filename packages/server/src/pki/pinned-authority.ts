/** Chooses the authority by which agents know the certificate of the service. */
import { X509Certificate } from 'node:crypto';
import { rootCertificates } from 'node:tls';
import { parsePem } from '../core/pem.ts';
import type { ServerCertificate } from './certificate-source.ts';
import { rootsOf } from './trusted-roots.ts';

/**
 * Returns the fingerprint of the authority in a served chain, `sha256:<64 digits>`: of its root, or else of its last
 * intermediate. Null if machines trust the chain anyway, or if it has no authority.
 */
export function pinOf(
  { cert }: Pick<ServerCertificate, 'cert'>,
  publicRoots = builtInRoots(),
): string | null {
  const chain = (parsePem(cert) ?? []).map(({ der }) => new X509Certificate(der));
  const [root] = rootsOf([chain], publicRoots).map((pem) => new X509Certificate(pem));
  if (root !== undefined && publicRoots.some((one) => one.fingerprint256 === root.fingerprint256))
    return null;
  const authority = root ?? chain.findLast((one) => one.ca);
  return authority === undefined || !authority.ca ? null : fingerprintOf(authority);
}

/** Returns the fingerprint in the form that agents read. */
export function fingerprintOf({ fingerprint256 }: X509Certificate): string {
  return `sha256:${fingerprint256.replaceAll(':', '').toLowerCase()}`;
}

function builtInRoots(): readonly X509Certificate[] {
  return rootCertificates.map((pem) => new X509Certificate(pem));
}
