/**
 * SSH keys and certificates, as OpenSSH reads them. Never that a key in a second encoding is taken, or that RSA signs with
 * SHA-1.
 */
export { type CertificateContent, issueCertificate } from './certificate.ts';
export {
  type Curve,
  fingerprint,
  formatPublicKey,
  isKeyFault,
  type PublicKey,
  parseBlob,
  parsePem,
  parsePublicKey,
} from './public-key.ts';
export { certifiedAlgorithm, readCertificate, type SshCertificate } from './read-certificate.ts';
export {
  generateSigningKey,
  type KeyChoice,
  openSigningKey,
  type SigningKey,
  signBlob,
} from './signing-key.ts';
export { isSignedBy, signatureAlgorithms } from './verify.ts';
export { boolean, mpint, Reader, string, uint32, WireError } from './wire.ts';
