/** Reads the certificate of an authority that was uploaded (open points, part B 1.5). */
import type { X509Certificate } from 'node:crypto';
import type { AuthorityFacts } from '../documents/index.ts';
import type { ErrorNeeding } from '../errors/values.ts';
import { authorityFacts } from './certificate-facts.ts';
import { type CertificatesFault, plainPem, readCertificates } from './certificate-texts.ts';
import { isRsaTooLarge } from './rsa-limit.ts';

/** Bytes of PEM. */
export const maxAuthorityPem = 16 * 1024;

/** Splits a bundle into a file for each certificate. */
export const splitCommand = 'csplit -z -f ca- FILE "/BEGIN CERTIFICATE/" "{*}"';

export type AuthorityError = ErrorNeeding<'limit' | 'command'>;

export interface UploadedAuthority {
  readonly facts: AuthorityFacts;
  /** PEM that every program reads: the text itself, unless it is in another form. */
  readonly pem: string;
}

const faults: Readonly<Record<CertificatesFault, AuthorityError>> = {
  missing: 'caPemMalformed',
  malformed: 'caPemMalformed',
  key: 'caPemType',
  other: 'caPemType',
  headers: 'caPemHeaders',
};

export function readAuthority(text: string): UploadedAuthority | AuthorityError {
  if (text.trim() === '') return 'caPemMissing';
  const read = readCertificates(text);
  if (typeof read === 'string') return faults[read];
  const [certificate, second] = read.certificates;
  if (certificate === undefined) return 'caPemMalformed';
  if (second !== undefined) return 'caPemSeveral';
  return readFacts(certificate, text);
}

function readFacts(certificate: X509Certificate, text: string): UploadedAuthority | AuthorityError {
  try {
    if (!certificate.ca) return 'caPemNotAuthority';
    if (isRsaTooLarge(certificate.publicKey)) return 'caKeyTooLarge';
    return { facts: authorityFacts(certificate), pem: plainPem(text, [certificate]) };
  } catch {
    return 'caPemMalformed';
  }
}
