/**
 * Creates a key and its certificate request (RFC 2986).
 * Invariant: every certificate has its own key.
 */
import { webcrypto } from 'node:crypto';
import type { HostPattern } from '../core/names/hostname.ts';
import { x509 } from './on-demand.ts';
import { exportPrivateKey } from './x509.ts';

export interface CertificateRequest {
  /** PEM. */
  readonly request: string;
  /** PKCS#8 PEM. */
  readonly privateKeyPem: string;
}

const algorithms = {
  rsa: {
    name: 'RSASSA-PKCS1-v1_5',
    hash: 'SHA-256',
    modulusLength: 2048,
    publicExponent: Uint8Array.of(1, 0, 1),
  },
  ecdsa: { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' },
} as const;

/** The names are in subjectAltName only: a common name is shorter, and clients ignore it. */
export async function requestCertificate(
  names: readonly HostPattern[],
  keyType: keyof typeof algorithms,
): Promise<CertificateRequest> {
  const { Name, Pkcs10CertificateRequestGenerator, SubjectAlternativeNameExtension } = x509();
  const algorithm = algorithms[keyType];
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const request = await Pkcs10CertificateRequestGenerator.create({
    name: new Name([]),
    keys,
    signingAlgorithm: algorithm,
    extensions: [new SubjectAlternativeNameExtension(names.map((value) => ({ type: 'dns', value })))],
  });
  return { request: request.toString('pem'), privateKeyPem: await exportPrivateKey(keys.privateKey) };
}
