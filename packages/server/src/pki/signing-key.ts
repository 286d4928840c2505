/**
 * The key pair with which the service signs its SAML requests, and the certificate by which an identity provider knows it.
 * RSA with SHA-256 is what every provider takes.
 */
import { webcrypto } from 'node:crypto';
import { x509 } from './on-demand.ts';
import { distinguishedName, exportPrivateKey, serialNumber } from './x509.ts';

const algorithm = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  modulusLength: 2048,
  publicExponent: new Uint8Array([1, 0, 1]),
};
const day = 24 * 60 * 60_000;
const lifetimeDays = 3650;
/** Clocks of identity providers may be behind ours. */
const backdateMs = 60 * 60_000;

export interface SigningKey {
  readonly certificatePem: string;
  /** PKCS#8. */
  readonly privateKeyPem: string;
}

/** Self-signed: a provider trusts this very certificate. */
export async function makeSigningKey(commonName: string, nowMs: number): Promise<SigningKey> {
  const { BasicConstraintsExtension, KeyUsageFlags, KeyUsagesExtension, X509CertificateGenerator } = x509();
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const notBefore = new Date(nowMs - backdateMs);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    notBefore,
    notAfter: new Date(notBefore.getTime() + lifetimeDays * day),
    serialNumber: serialNumber(),
    name: distinguishedName(commonName),
    keys,
    signingAlgorithm: algorithm,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
    ],
  });
  return {
    certificatePem: certificate.toString('pem'),
    privateKeyPem: await exportPrivateKey(keys.privateKey),
  };
}
