/** Reads a server certificate and its private key that were uploaded (open points, part B 1.20). */

import { createPrivateKey, type KeyObject, type X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import { type PemBlock, parsePem } from '../core/pem.ts';
import type { ServerFacts } from '../documents/index.ts';
import type { ErrorNeeding } from '../errors/values.ts';
import { serverFacts } from './certificate-facts.ts';
import { type CertificatesFault, plainPem, readCertificates } from './certificate-texts.ts';
import { isRsaTooLarge } from './rsa-limit.ts';

/** Bytes of PEM, of the bundle and of the key. */
export const maxCertificatePem = 64 * 1024;

/** Returns the place of the sealed key of a certificate. */
export function keyContext(id: string): string {
  return `${id}/private_key`;
}

export type KeyType = 'rsa' | 'ecdsa' | 'ed25519';

export interface UploadedCertificate {
  readonly facts: ServerFacts;
  readonly keyType: KeyType;
  /** PEM that every program reads, the leaf first: the text itself, unless it is in another form. */
  readonly certificatePem: string;
  /** PKCS#8 PEM. */
  readonly privateKeyPem: string;
}

export interface CertificateFault {
  readonly error: ErrorNeeding<'value' | 'allowed' | 'limit'>;
  readonly field: '/certificate_pem' | '/private_key_pem';
  readonly value?: string;
}

/** Key types by OpenSSL's names. */
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
  const read = readCertificates(certificatePem);
  if (typeof read === 'string') return { error: chainFaults[read], field: '/certificate_pem' };
  const key = readKey(keyPem);
  if (typeof key === 'string') return { error: key, field: '/private_key_pem' };
  const keyType = keyTypes.get(key.asymmetricKeyType);
  if (keyType === undefined) {
    const value = String(key.asymmetricKeyType);
    return { error: 'certificateKeyTypeInvalid', field: '/private_key_pem', value };
  }
  if (isRsaTooLarge(key)) return { error: 'certificateKeyTooLarge', field: '/private_key_pem' };
  const certificates = read.isOrdered ? read.certificates : inOrder(read.certificates, key);
  const disorder = checkOrder(certificates, key);
  if (disorder !== null) return disorder;
  const privateKeyPem = key.export({ type: 'pkcs8', format: 'pem' }) as string;
  try {
    // OpenSSL refuses some certificates, e.g. RSA keys of 512 bits. They would fail on every connection.
    createSecureContext({ cert: certificates.map(String).join(''), key: privateKeyPem });
  } catch {
    return { error: 'certificateUnusable', field: '/certificate_pem' };
  }
  try {
    const text = plainPem(certificatePem, certificates);
    return { facts: serverFacts(certificates[0]!), keyType, certificatePem: text, privateKeyPem };
  } catch {
    return { error: 'certificateMalformed', field: '/certificate_pem' };
  }
}

const chainFaults: Readonly<Record<CertificatesFault, CertificateFault['error']>> = {
  missing: 'certificateMissing',
  malformed: 'certificateMalformed',
  key: 'certificateHoldsKey',
  other: 'certificateMalformed',
  headers: 'certificateMalformed',
};

function readKey(pem: string): KeyObject | CertificateFault['error'] {
  if (pem.trim() === '') return 'certificateKeyMissing';
  if (!pem.includes('-----')) return readUnarmouredKey(pem) ?? 'certificateKeyMalformed';
  const blocks = parsePem(pem);
  if (blocks === null) return 'certificateKeyMalformed';
  // OpenSSL writes the parameters of a curve before its key.
  const keys = blocks.filter(({ label }) => label !== 'EC PARAMETERS');
  if (keys.some(({ label }) => label.endsWith('CERTIFICATE'))) return 'certificateKeyHoldsCertificate';
  const [key] = keys;
  if (key === undefined || keys.length > 1 || !keyLabel.test(key.label)) return 'certificateKeyMalformed';
  if (isEncrypted(key)) return 'certificateKeyEncrypted';
  try {
    return createPrivateKey(key.text);
  } catch {
    return 'certificateKeyMalformed';
  }
}

/** DER in base64, as some panels show it; null if it is none. */
function readUnarmouredKey(text: string): KeyObject | null {
  const key = Buffer.from(text, 'base64');
  for (const type of ['pkcs8', 'pkcs1', 'sec1'] as const) {
    try {
      return createPrivateKey({ key, format: 'der', type });
    } catch {
      // Of another type.
    }
  }
  return null;
}

/** PKCS#8 marks it in the label, the older formats in a header. */
function isEncrypted({ label, hasHeaders }: PemBlock): boolean {
  return label === 'ENCRYPTED PRIVATE KEY' || hasHeaders;
}

/** The certificate of the key first, then its issuers as far as they are there. */
function inOrder(certificates: readonly X509Certificate[], key: KeyObject): readonly X509Certificate[] {
  const leaf = certificates.find((certificate) => certificate.checkPrivateKey(key));
  if (leaf === undefined) return certificates;
  const chain = [leaf];
  const issuerOf = (issued: X509Certificate) =>
    certificates.find(
      (one) => !chain.includes(one) && issued.checkIssued(one) && issued.verify(one.publicKey),
    );
  for (let next = issuerOf(leaf); next !== undefined; next = issuerOf(next)) chain.push(next);
  return chain;
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
