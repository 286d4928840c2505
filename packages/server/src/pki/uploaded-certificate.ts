/** Reads a server certificate and its private key that somebody uploaded (open points, part B 1.20). */

import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import { type PemBlock, parsePem } from '../core/pem.ts';
import type { ServerFacts } from '../documents/index.ts';
import type { ErrorNeeding } from '../errors/values.ts';
import { serverFacts } from './certificate-facts.ts';
import { isRsaTooLarge } from './rsa-limit.ts';

/** Bytes of PEM, of the bundle and of the key. */
export const maxCertificatePem = 64 * 1024;

/** Where the sealed key of a certificate belongs. */
export function keyContext(id: string): string {
  return `${id}/private_key`;
}

export type KeyType = 'rsa' | 'ecdsa' | 'ed25519';

export interface UploadedCertificate {
  readonly facts: ServerFacts;
  readonly keyType: KeyType;
  /** PKCS#8 PEM. */
  readonly privateKeyPem: string;
}

export interface CertificateFault {
  readonly error: ErrorNeeding<'value' | 'allowed' | 'limit'>;
  readonly field: '/certificate_pem' | '/private_key_pem';
  readonly value?: string;
}

/** By what OpenSSL calls them. */
export const keyTypes: ReadonlyMap<string | undefined, KeyType> = new Map([
  ['rsa', 'rsa'],
  ['ec', 'ecdsa'],
  ['ed25519', 'ed25519'],
]);
const keyLabel = /PRIVATE KEY$/;

export function isCertificateFault(value: UploadedCertificate | CertificateFault): value is CertificateFault {
  return 'error' in value;
}

export function readCertificate(
  certificatePem: string,
  keyPem: string,
): UploadedCertificate | CertificateFault {
  const chain = readChain(certificatePem);
  if (typeof chain === 'string') return { error: chain, field: '/certificate_pem' };
  const key = readKey(keyPem);
  if (typeof key === 'string') return { error: key, field: '/private_key_pem' };
  const keyType = keyTypes.get(key.asymmetricKeyType);
  if (keyType === undefined) {
    const value = String(key.asymmetricKeyType);
    return { error: 'certificateKeyTypeInvalid', field: '/private_key_pem', value };
  }
  if (isRsaTooLarge(key)) return { error: 'certificateKeyTooLarge', field: '/private_key_pem' };
  const disorder = checkOrder(chain.certificates, key);
  if (disorder !== null) return disorder;
  const privateKeyPem = key.export({ type: 'pkcs8', format: 'pem' }) as string;
  try {
    // What OpenSSL refuses, such as an RSA key of 512 bits, would fail on every connection.
    createSecureContext({ cert: chain.text, key: privateKeyPem });
  } catch {
    return { error: 'certificateUnusable', field: '/certificate_pem' };
  }
  try {
    return { facts: serverFacts(chain.certificates[0]!), keyType, privateKeyPem };
  } catch {
    return { error: 'certificateMalformed', field: '/certificate_pem' };
  }
}

interface Chain {
  readonly certificates: readonly X509Certificate[];
  readonly text: string;
}

function readChain(pem: string): Chain | CertificateFault['error'] {
  if (pem.trim() === '') return 'certificateMissing';
  const blocks = parsePem(pem);
  if (blocks === null) return 'certificateMalformed';
  if (blocks.some(({ label }) => keyLabel.test(label))) return 'certificateHoldsKey';
  if (blocks.length === 0) return 'certificateMissing';
  if (blocks.some(({ label, hasHeaders }) => label !== 'CERTIFICATE' || hasHeaders))
    return 'certificateMalformed';
  try {
    const certificates = blocks.map(({ der }) => new X509Certificate(der));
    return { certificates, text: blocks.map(({ text }) => text).join('') };
  } catch {
    return 'certificateMalformed';
  }
}

function readKey(pem: string): KeyObject | CertificateFault['error'] {
  if (pem.trim() === '') return 'certificateKeyMissing';
  const blocks = parsePem(pem);
  if (blocks === null) return 'certificateKeyMalformed';
  // OpenSSL writes the parameters of a curve before its key.
  const keys = blocks.filter(({ label }) => label !== 'EC PARAMETERS');
  if (keys.some(({ label }) => label === 'CERTIFICATE')) return 'certificateKeyHoldsCertificate';
  const [key] = keys;
  if (key === undefined || keys.length > 1 || !keyLabel.test(key.label)) return 'certificateKeyMalformed';
  if (isEncrypted(key)) return 'certificateKeyEncrypted';
  try {
    return createPrivateKey(key.text);
  } catch {
    return 'certificateKeyMalformed';
  }
}

/** PKCS#8 says it in the label, the older formats in a header. */
function isEncrypted({ label, hasHeaders }: PemBlock): boolean {
  return label === 'ENCRYPTED PRIVATE KEY' || hasHeaders;
}

/** The leaf first, then each one's issuer. */
function checkOrder(certificates: readonly X509Certificate[], key: KeyObject): CertificateFault | null {
  const [leaf, ...issuers] = certificates;
  if (!leaf!.checkPrivateKey(key)) {
    const elsewhere = issuers.some((certificate) => certificate.checkPrivateKey(key));
    return elsewhere
      ? { error: 'certificateChainOrder', field: '/certificate_pem' }
      : { error: 'certificateKeyMismatch', field: '/private_key_pem' };
  }
  const inOrder = issuers.every((issuer, at) => {
    const issued = certificates[at]!;
    return issued.checkIssued(issuer) && issued.verify(issuer.publicKey);
  });
  return inOrder ? null : { error: 'certificateChainOrder', field: '/certificate_pem' };
}
