/** Identifier of a certificate for its authority's renewal plan (RFC 9773, section 4.1). */
import { x509 } from './on-demand.ts';

/** `chain`: PEM, the leaf first. Null for a leaf that names no key of its issuer. */
export function certificateIdentifier(chain: string): string | null {
  const { AuthorityKeyIdentifierExtension, X509Certificate } = x509();
  const leaf = new X509Certificate(chain);
  const keyId = leaf.getExtension(AuthorityKeyIdentifierExtension)?.keyId;
  return keyId === undefined ? null : identifierOf(keyId, leaf.serialNumber);
}

/** Both in hex. */
export function identifierOf(keyId: string, serialNumber: string): string {
  return `${base64url(keyId)}.${base64url(derInteger(serialNumber))}`;
}

/** Positive: with a leading zero where the first bit is set. */
function derInteger(hex: string): string {
  return Number.parseInt(hex.slice(0, 2), 16) >= 0x80 ? `00${hex}` : hex;
}

function base64url(hex: string): string {
  return Buffer.from(hex, 'hex').toString('base64url');
}
