/** Reads a CA certificate that somebody uploaded (open points, part B 1.5). */

import { X509Certificate } from 'node:crypto';
import { parsePem } from '../core/pem.ts';
import type { AuthorityFacts } from '../documents/index.ts';
import type { ErrorNeeding } from '../errors/values.ts';
import { authorityFacts } from './certificate-facts.ts';
import { isRsaTooLarge } from './rsa-limit.ts';

/** Bytes of PEM. */
export const maxAuthorityPem = 16 * 1024;

export function readAuthority(pem: string): AuthorityFacts | ErrorNeeding<'limit'> {
  if (pem.trim() === '') return 'caPemMissing';
  const blocks = parsePem(pem);
  if (blocks === null || blocks[0] === undefined) return 'caPemMalformed';
  if (blocks.some(({ label }) => label !== 'CERTIFICATE')) return 'caPemType';
  if (blocks.some(({ hasHeaders }) => hasHeaders)) return 'caPemHeaders';
  if (blocks.length > 1) return 'caPemSeveral';
  try {
    const certificate = new X509Certificate(blocks[0].der);
    if (!certificate.ca) return 'caPemNotAuthority';
    return isRsaTooLarge(certificate.publicKey) ? 'caKeyTooLarge' : authorityFacts(certificate);
  } catch {
    return 'caPemMalformed';
  }
}
