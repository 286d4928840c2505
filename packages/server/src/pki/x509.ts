/**
 * Creates the certificates of the local CA: its own, those of servers, and those of daemons (RFC 5280).
 * Invariant: the caller decides which names are signed.
 */
import { randomBytes, webcrypto } from 'node:crypto';
import type { ExtendedKeyUsage, Name, X509Certificate } from '@peculiar/x509';
import type { HostPattern } from '../core/names/hostname.ts';
import { x509 } from './on-demand.ts';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
/** RFC 5280, appendix A: the upper bound of a common name. */
const maxCommonName = 64;

export interface Validity {
  readonly notBefore: Date;
  readonly notAfter: Date;
}

/** The signer: the CA's certificate and its private key. */
export interface Signer {
  readonly certificate: X509Certificate;
  readonly privateKey: CryptoKey;
}

export function generateKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(algorithm, true, [
    'sign',
    'verify',
  ]) as Promise<webcrypto.CryptoKeyPair>;
}

/** PKCS#8 PEM. */
export async function exportPrivateKey(key: CryptoKey): Promise<string> {
  return x509().PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY');
}

export async function openSigner(certificatePem: string, privateKeyPem: string): Promise<Signer> {
  const { PemConverter, X509Certificate } = x509();
  const [pkcs8] = PemConverter.decode(privateKeyPem);
  return {
    certificate: new X509Certificate(certificatePem),
    privateKey: (await webcrypto.subtle.importKey('pkcs8', pkcs8!, algorithm, false, ['sign'])) as CryptoKey,
  };
}

/** A self-signed CA that may sign servers but no further CA. PEM. */
export async function makeAuthorityCertificate(
  commonName: string,
  keys: webcrypto.CryptoKeyPair,
  validity: Validity,
): Promise<string> {
  const {
    BasicConstraintsExtension,
    KeyUsageFlags,
    KeyUsagesExtension,
    SubjectKeyIdentifierExtension,
    X509CertificateGenerator,
  } = x509();
  const certificate = await X509CertificateGenerator.createSelfSigned({
    ...validity,
    serialNumber: serialNumber(),
    name: distinguishedName(commonName),
    keys,
    signingAlgorithm: algorithm,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return certificate.toString('pem');
}

/**
 * Returns a server certificate for one name or wildcard. A name that is too long for a common name is in
 * subjectAltName only. PEM.
 */
export function makeServerCertificate(
  hostname: HostPattern,
  publicKey: CryptoKey,
  validity: Validity,
  signer: Signer,
): Promise<string> {
  const { ExtendedKeyUsage } = x509();
  return makeLeaf(
    {
      commonName: hostname.length <= maxCommonName ? hostname : null,
      alternative: { type: 'dns', value: hostname },
      usages: [ExtendedKeyUsage.serverAuth],
    },
    publicKey,
    validity,
    signer,
  );
}

/** Returns a certificate for both ends of links between daemons. A URI names its daemon, and no host name does. PEM. */
export function makeNodeCertificate(
  uri: string,
  publicKey: CryptoKey,
  validity: Validity,
  signer: Signer,
): Promise<string> {
  const { ExtendedKeyUsage } = x509();
  return makeLeaf(
    {
      commonName: null,
      alternative: { type: 'url', value: uri },
      usages: [ExtendedKeyUsage.serverAuth, ExtendedKeyUsage.clientAuth],
    },
    publicKey,
    validity,
    signer,
  );
}

interface LeafNames {
  readonly commonName: string | null;
  readonly alternative: { readonly type: 'dns' | 'url'; readonly value: string };
  readonly usages: ExtendedKeyUsage[];
}

async function makeLeaf(
  { commonName, alternative, usages }: LeafNames,
  publicKey: CryptoKey,
  validity: Validity,
  signer: Signer,
): Promise<string> {
  const {
    AuthorityKeyIdentifierExtension,
    BasicConstraintsExtension,
    ExtendedKeyUsageExtension,
    KeyUsageFlags,
    KeyUsagesExtension,
    Name,
    SubjectAlternativeNameExtension,
    SubjectKeyIdentifierExtension,
    X509CertificateGenerator,
  } = x509();
  const certificate = await X509CertificateGenerator.create({
    ...validity,
    serialNumber: serialNumber(),
    subject: commonName === null ? new Name([]) : distinguishedName(commonName),
    issuer: signer.certificate.subjectName,
    publicKey,
    signingKey: signer.privateKey,
    signingAlgorithm: algorithm,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension(usages),
      // RFC 5280, 4.2.1.6: critical when the subject is empty.
      new SubjectAlternativeNameExtension([alternative], commonName === null),
      await SubjectKeyIdentifierExtension.create(publicKey),
      new AuthorityKeyIdentifierExtension(keyIdentifierOf(signer.certificate)),
    ],
  });
  return certificate.toString('pem');
}

/** Copies the CA's key identifier, because a computed one might differ (RFC 5280, 4.2.1.1). */
function keyIdentifierOf(authority: X509Certificate): string {
  const extension = authority.getExtension(x509().SubjectKeyIdentifierExtension);
  if (extension === null) throw new Error('the CA has no subject key identifier');
  return extension.keyId;
}

export function distinguishedName(commonName: string): Name {
  return new (x509().Name)([{ CN: [{ utf8String: commonName }] }]);
}

/** Returns at most 20 octets, positive (RFC 5280, 4.1.2.2), in hex. */
export function serialNumber(): string {
  const bytes = randomBytes(16);
  bytes[0] = (bytes[0]! & 0x7f) | 0x40;
  return bytes.toString('hex');
}
