/**
 * SSH keys and certificates in the form of OpenSSH.
 * Invariant: a key has one encoding, and RSA never signs with SHA-1.
 */

export { type CertificateContent, issueCertificate } from './certificate.ts';
export { certifiedAlgorithm } from './certificate-type.ts';
export {
  type Curve,
  fingerprint,
  formatPublicKey,
  isKeyFault,
  type PublicKey,
  parseBlob,
  parsePublicKey,
} from './public-key.ts';
export { parsePublicKeyText } from './public-key-text.ts';
export { readCertificate, type SshCertificate } from './read-certificate.ts';
export { isSecurityKey } from './security-key.ts';
export {
  generateSigningKey,
  type KeyChoice,
  openSigningKey,
  type SigningKey,
  signBlob,
} from './signing-key.ts';
export { isSignedBy, signatureAlgorithms } from './verify.ts';
export { boolean, mpint, Reader, string, uint32, WireError } from './wire.ts';
