/**
 * Makes the two kinds of certificate that the local CA needs: its own, and a server's (RFC 5280). Never that it decides who
 * is signed for.
 */
import { createPrivateKey, KeyObject, webcrypto } from 'node:crypto';
import type { HostPattern } from '../core/hostname.ts';
import {
  commonName,
  extensions,
  keyIdentifier,
  signCertificate,
  type Validity,
} from './certificate-writer.ts';
import { x509 } from './on-demand.ts';

/** RFC 5280, appendix A: the upper bound of a common name. */
const maxCommonName = 64;

/** Who signs: what is said of the CA in its certificate, and its private key. */
export interface Signer {
  /** In DER. */
  readonly name: Buffer;
  readonly keyIdentifier: Buffer;
  readonly privateKey: KeyObject;
}

export function generateKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
    'sign',
    'verify',
  ]) as Promise<webcrypto.CryptoKeyPair>;
}

/** PKCS#8 PEM. */
export function exportPrivateKey(key: CryptoKey): string {
  return KeyObject.from(key).export({ type: 'pkcs8', format: 'pem' }) as string;
}

export function openSigner(certificatePem: string, privateKeyPem: string): Signer {
  const { SubjectKeyIdentifierExtension, X509Certificate } = x509();
  const certificate = new X509Certificate(certificatePem);
  // As the CA states it: a client that computes it anew might not arrive at the same (RFC 5280, 4.2.1.1).
  const identifier = certificate.getExtension(SubjectKeyIdentifierExtension);
  if (identifier === null) throw new Error('the CA has no subject key identifier');
  return {
    name: Buffer.from(certificate.subjectName.toArrayBuffer()),
    keyIdentifier: Buffer.from(identifier.keyId, 'hex'),
    privateKey: createPrivateKey(privateKeyPem),
  };
}

/** A self-signed CA that may sign servers but no further CA. PEM. */
export function makeAuthorityCertificate(
  name: string,
  { publicKey, privateKey }: webcrypto.CryptoKeyPair,
  validity: Validity,
): string {
  const contents = {
    ...validity,
    issuer: commonName(name),
    subject: commonName(name),
    publicKey,
    extensions: [
      extensions.basicConstraints(true),
      extensions.signsCertificates(),
      extensions.subjectKey(keyIdentifier(publicKey)),
    ],
  };
  return signCertificate(contents, KeyObject.from(privateKey));
}

/** A server certificate for one name or wildcard. A name too long to be a common name stands in subjectAltName alone. PEM. */
export function makeServerCertificate(
  hostname: HostPattern,
  publicKey: CryptoKey,
  validity: Validity,
  signer: Signer,
): string {
  const isNamed = hostname.length <= maxCommonName;
  const contents = {
    ...validity,
    issuer: signer.name,
    subject: commonName(isNamed ? hostname : null),
    publicKey,
    extensions: [
      extensions.basicConstraints(false),
      extensions.signsData(),
      extensions.ofServers(),
      extensions.dnsName(hostname, !isNamed),
      extensions.subjectKey(keyIdentifier(publicKey)),
      extensions.authorityKey(signer.keyIdentifier),
    ],
  };
  return signCertificate(contents, signer.privateKey);
}
