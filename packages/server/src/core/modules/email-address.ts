/**
 * E-mail addresses and domains in the form in which lists compare them.
 * Invariant: two addresses with the same form differ at most in the case of ASCII letters and in how the domain is encoded.
 */
import { domainToASCII, domainToUnicode } from 'node:url';

/** Folds A to Z alone: other letters, such as the Kelvin sign, must not become an ASCII letter. */
export function asciiLower(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** Returns true if the text has exactly one `@`, text on both sides and no white space. */
export function isEmailAddress(text: string): boolean {
  return /^[^\s@]+@[^\s@]+$/.test(text);
}

export interface ComparableAddress {
  readonly address: string;
  readonly domain: string;
}

/** The address in the form that lists compare; null: it is no address, or its domain has no such form. */
export function comparableAddress(text: string): ComparableAddress | null {
  if (!isEmailAddress(text)) return null;
  const at = text.indexOf('@');
  const domain = comparableDomain(text.slice(at + 1));
  return domain === null ? null : { address: `${asciiLower(text.slice(0, at))}@${domain}`, domain };
}

/**
 * Returns the whole domain in lower case, an internationalized one in its ASCII form (RFC 5890). Returns null if a label
 * is empty, also because of a final dot. Returns null, too, if IDNA would map the text to something else, because the
 * provider and this service could mean two domains.
 */
export function comparableDomain(text: string): string | null {
  const lower = asciiLower(text);
  if (!/^[^\s@.]+(?:\.[^\s@.]+)*$/.test(lower)) return null;
  if (!/[^\x21-\x7e]/.test(lower)) return lower;
  const ascii = domainToASCII(lower);
  return ascii !== '' && domainToUnicode(ascii) === lower ? ascii : null;
}
