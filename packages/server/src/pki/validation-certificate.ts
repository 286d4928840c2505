/**
 * The certificate of a name for a certificate authority's TLS handshake (RFC 8737, section 3).
 * Invariant: it is self-signed, so other clients do not accept it.
 */
import { createHash } from 'node:crypto';
import type { Hostname } from '../core/names/hostname.ts';
import { x509 } from './on-demand.ts';
import { distinguishedName, exportPrivateKey, generateKeys, serialNumber } from './x509.ts';

const ACME_IDENTIFIER = '1.3.6.1.5.5.7.1.31';
const DER_OCTET_STRING = 4;
const VALID_MS = 24 * 60 * 60_000;

export interface ValidationCertificate {
  /** PEM. */
  readonly cert: string;
  /** PKCS#8 PEM. */
  readonly key: string;
}

export async function makeValidationCertificate(
  hostname: Hostname,
  keyAuthorization: string,
  now: number,
): Promise<ValidationCertificate> {
  const {
    Extension,
    KeyUsageFlags,
    KeyUsagesExtension,
    SubjectAlternativeNameExtension,
    X509CertificateGenerator,
  } = x509();
  const keys = await generateKeys();
  const digest = createHash('sha256').update(keyAuthorization).digest();
  const octets = Buffer.from([DER_OCTET_STRING, digest.length, ...digest]);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    serialNumber: serialNumber(),
    name: distinguishedName('ACME validation'),
    notBefore: new Date(now - VALID_MS),
    notAfter: new Date(now + VALID_MS),
    keys,
    signingAlgorithm: { name: 'ECDSA', hash: 'SHA-256' },
    extensions: [
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new SubjectAlternativeNameExtension([{ type: 'dns', value: hostname }]),
      new Extension(ACME_IDENTIFIER, true, octets),
    ],
  });
  return { cert: certificate.toString('pem'), key: await exportPrivateKey(keys.privateKey) };
}
