/**
 * The certificate by which a name answers a certificate authority in a TLS handshake (RFC 8737, section 3). Never that a client which wants
 * anything else takes it for one of the name: it is signed by itself.
 */
import { createHash, KeyObject } from 'node:crypto';
import type { Hostname } from '../core/hostname.ts';
import { commonName, extension, extensions, signCertificate } from './certificate-writer.ts';
import { octetString } from './der.ts';
import { exportPrivateKey, generateKeys } from './x509.ts';

const ACME_IDENTIFIER = '1.3.6.1.5.5.7.1.31';
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
  const keys = await generateKeys();
  const digest = createHash('sha256').update(keyAuthorization).digest();
  const contents = {
    notBefore: new Date(now - VALID_MS),
    notAfter: new Date(now + VALID_MS),
    issuer: commonName('ACME validation'),
    subject: commonName('ACME validation'),
    publicKey: keys.publicKey,
    extensions: [
      extensions.signsData(),
      extensions.dnsName(hostname, false),
      extension(ACME_IDENTIFIER, true, octetString(digest)),
    ],
  };
  const cert = signCertificate(contents, KeyObject.from(keys.privateKey));
  return { cert, key: exportPrivateKey(keys.privateKey) };
}
