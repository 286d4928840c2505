/** Writes X.509 certificates (RFC 5280) and signs them, with ECDSA or RSA and SHA-256. Never that it decides what is in one. */
import { createHash, KeyObject, randomBytes, sign } from 'node:crypto';
import {
  bitString,
  explicit,
  implicit,
  integer,
  nothing,
  octetString,
  oid,
  sequence,
  set,
  time,
  utf8,
  yes,
} from './der.ts';

export interface Validity {
  readonly notBefore: Date;
  readonly notAfter: Date;
}

export interface CertificateContents extends Validity {
  /** Names in DER, as `commonName` writes them. */
  readonly issuer: Buffer;
  readonly subject: Buffer;
  readonly publicKey: CryptoKey;
  readonly extensions: readonly Buffer[];
}

const VERSION_3 = integer(Buffer.of(2));
const ALGORITHMS: Readonly<Record<string, Buffer>> = {
  ec: sequence(oid('1.2.840.10045.4.3.2')),
  rsa: sequence(oid('1.2.840.113549.1.1.11'), nothing),
};
/** The point of a P-256 key, which ends its SubjectPublicKeyInfo. */
const POINT_BYTES = 65;

/** PEM. */
export function signCertificate(contents: CertificateContents, privateKey: KeyObject): string {
  const algorithm = ALGORITHMS[privateKey.asymmetricKeyType ?? ''];
  if (algorithm === undefined)
    throw new Error(`no certificate is signed with ${privateKey.asymmetricKeyType}`);
  const { notBefore, notAfter, issuer, subject, publicKey, extensions } = contents;
  const signed = sequence(
    explicit(0, VERSION_3),
    integer(serialNumber()),
    algorithm,
    issuer,
    sequence(time(notBefore), time(notAfter)),
    subject,
    publicKeyInfo(publicKey),
    explicit(3, sequence(...extensions)),
  );
  const der = sequence(signed, algorithm, bitString(sign('sha256', signed, privateKey)));
  const lines = der.toString('base64').replace(/.{64}(?!$)/g, '$&\n');
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}

/** Null: a name without anything in it. */
export function commonName(text: string | null): Buffer {
  return text === null ? sequence() : sequence(set(sequence(oid('2.5.4.3'), utf8(text))));
}

/** How its issuer calls a P-256 key (section 4.2.1.2). */
export function keyIdentifier(publicKey: CryptoKey): Buffer {
  return createHash('sha1').update(publicKeyInfo(publicKey).subarray(-POINT_BYTES)).digest();
}

export const extensions = {
  /** Of a CA that signs no further CA, or of none. */
  basicConstraints: (isAuthority: boolean): Buffer =>
    extension('2.5.29.19', true, isAuthority ? sequence(yes, integer(Buffer.of(0))) : sequence()),
  signsCertificates: (): Buffer => extension('2.5.29.15', true, bitString(Buffer.of(0x06), 1)),
  signsData: (): Buffer => extension('2.5.29.15', true, bitString(Buffer.of(0x80), 7)),
  ofServers: (): Buffer => extension('2.5.29.37', false, sequence(oid('1.3.6.1.5.5.7.3.1'))),
  /** Critical where nothing else says whose the certificate is (section 4.2.1.6). */
  dnsName: (name: string, isCritical: boolean): Buffer =>
    extension('2.5.29.17', isCritical, sequence(implicit(2, Buffer.from(name)))),
  subjectKey: (identifier: Buffer): Buffer => extension('2.5.29.14', false, octetString(identifier)),
  authorityKey: (identifier: Buffer): Buffer =>
    extension('2.5.29.35', false, sequence(implicit(0, identifier))),
};

export function extension(id: string, isCritical: boolean, content: Buffer): Buffer {
  return sequence(oid(id), ...(isCritical ? [yes] : []), octetString(content));
}

function publicKeyInfo(key: CryptoKey): Buffer {
  return KeyObject.from(key).export({ type: 'spki', format: 'der' });
}

/** At most 20 octets and positive (section 4.1.2.2). */
function serialNumber(): Buffer {
  const bytes = randomBytes(16);
  bytes[0] = (bytes[0]! & 0x7f) | 0x40;
  return bytes;
}
