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
  parsePem,
  parsePublicKey,
} from './public-key.ts';
export {
  generateSigningKey,
  type KeyChoice,
  openSigningKey,
  type SigningKey,
} from './signing-key.ts';
