/** Fingerprints of certificate authorities: SHA-256 of the DER, as `sha256:` and 64 hexadecimal digits. */
import type { X509Certificate } from 'node:crypto';

const DIGITS = 64;
const SHAPE = `Give "sha256:" and ${DIGITS} hexadecimal digits, as "underpassd ca fingerprint" prints it on the server.`;
const OWN_PREFIX = /^sha-?256(?: fingerprint)?\s*[:=]\s*/i;
/** The name of an algorithm. Two hexadecimal digits are the first byte of a fingerprint. */
const OTHER_PREFIX = /^(?![0-9a-f]{2}:)([a-z][\w-]{1,30})(?: fingerprint)?\s*[:=]/i;
const PAIRS = /^[0-9a-f]{2}(?::[0-9a-f]{2})*$/i;
/** Digits of MD5, SHA-1, SHA-384 and SHA-512. */
const OTHER_LENGTHS: ReadonlyMap<number, string> = new Map([
  [32, 'MD5'],
  [40, 'SHA-1'],
  [96, 'SHA-384'],
  [128, 'SHA-512'],
]);

export type FingerprintReading = { readonly fingerprint: string } | { readonly fault: string };

/**
 * Reads a fingerprint in lower or upper case, with or without colons and `sha256:`, also as openssl prints it. Returns
 * the form `sha256:<64 digits>`, or the fault as sentences.
 */
export function parseFingerprint(text: string): FingerprintReading {
  const trimmed = text.trim();
  const [, algorithm] = OWN_PREFIX.test(trimmed) ? [] : (OTHER_PREFIX.exec(trimmed) ?? []);
  if (algorithm !== undefined)
    return { fault: `The CA fingerprint is of the algorithm "${algorithm}", not SHA-256. ${SHAPE}` };
  const rest = trimmed.replace(OWN_PREFIX, '');
  const digits = (PAIRS.test(rest) ? rest.replaceAll(':', '') : rest).toLowerCase();
  if (digits === '') return { fault: `The CA fingerprint is empty. ${SHAPE}` };
  if (!/^[0-9a-f]*$/.test(digits))
    return { fault: `The CA fingerprint has other characters than hexadecimal digits. ${SHAPE}` };
  if (digits.length === DIGITS) return { fingerprint: `sha256:${digits}` };
  const other = OTHER_LENGTHS.get(digits.length);
  const guess = other === undefined ? '' : ` (one of ${other}?)`;
  return { fault: `The CA fingerprint has ${digits.length} digits instead of ${DIGITS}${guess}. ${SHAPE}` };
}

/** Returns the fingerprint of a certificate, in the form of `parseFingerprint`. */
export function fingerprintOf(certificate: X509Certificate): string {
  return `sha256:${certificate.fingerprint256.replaceAll(':', '').toLowerCase()}`;
}
