/**
 * Host names in one canonical form: lower case, ASCII (IDNA), no trailing dot, no port.
 * Invariant: one name has one spelling.
 */
import { domainToASCII, domainToUnicode } from 'node:url';

declare const brand: unique symbol;
/** A canonical DNS host name such as `api.example.com`; never an IP address, never a wildcard. */
export type Hostname = string & { readonly [brand]: 'Hostname' };
/** A `Hostname`, or `*.` and a `Hostname`. */
export type HostPattern = string & { readonly [brand]: 'Hostname' | 'HostPattern' };

/**
 * The reason why a text is no host name. `first` and `last` concern the first and last character of a label or of the
 * name.
 */
export interface HostnameFault {
  readonly fault:
    | 'empty'
    | 'character'
    | 'underscore'
    | 'first'
    | 'last'
    | 'double-dot'
    | 'double-hyphen'
    | 'label-length'
    | 'length'
    | 'punycode'
    | 'tld'
    | 'wildcard'
    | 'ip-address';
}

/** RFC 1035, section 2.3.4: 255 octets on the wire are 253 characters of text. */
const maxLength = 253;
const maxLabelLength = 63;
/** Characters of an input at most. Unicode text is longer than its ASCII form only by ignored characters. */
const maxInputLength = 4 * maxLength;

const canonicalShape = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

function fault(name: HostnameFault['fault']): HostnameFault {
  return { fault: name };
}

export function isFault(value: string | HostnameFault): value is HostnameFault {
  return typeof value === 'object';
}

/**
 * Converts a host name to its canonical form, or returns its fault. Accepts upper case, one trailing dot and Unicode
 * (UTS 46, as in the URL standard). Requires two labels, except for `localhost`.
 */
export function parseHostname(text: string): Hostname | HostnameFault {
  // Nearly every SNI and Host header has this form already. A double hyphen needs the check below.
  if (text.length <= maxLength && canonicalShape.test(text) && !text.includes('--')) return text as Hostname;
  if (text === '') return fault('empty');
  if (text.length > maxInputLength) return fault('length');
  if (text.includes('*')) return fault('wildcard');
  if (looksLikeIPv6(text)) return fault('ip-address');

  const ascii = toAscii(text);
  if (isFault(ascii)) return ascii;
  const name = ascii.endsWith('.') && !ascii.endsWith('..') ? ascii.slice(0, -1) : ascii;
  return checkName(name) ?? (name as Hostname);
}

/** Accepts a host name, or `*.` and a name with two labels, so that no whole top-level domain is covered. */
export function parseHostPattern(text: string): HostPattern | HostnameFault {
  if (!text.startsWith('*.')) return parseHostname(text);
  const base = parseHostname(text.slice(2));
  if (isFault(base)) return base.fault === 'empty' ? fault('wildcard') : base;
  return base.includes('.') ? (`*.${base}` as HostPattern) : fault('tld');
}

export function isWildcard(pattern: HostPattern): boolean {
  return pattern.startsWith('*.');
}

/**
 * Returns true if the pattern matches the name. A wildcard covers names at any depth below its base, but not the base
 * itself.
 */
export function covers(pattern: HostPattern, hostname: Hostname): boolean {
  if (!isWildcard(pattern)) return (pattern as string) === hostname;
  return hostname.length > pattern.length - 1 && hostname.endsWith(pattern.slice(1));
}

/** Returns the name without the `*.` of a wildcard. */
export function baseOf(pattern: HostPattern): Hostname {
  return (isWildcard(pattern) ? pattern.slice(2) : pattern) as Hostname;
}

/** Returns true if some name matches both. */
export function overlaps(one: HostPattern, other: HostPattern): boolean {
  if (one === other) return true;
  return (isWildcard(one) && covers(one, baseOf(other))) || (isWildcard(other) && covers(other, baseOf(one)));
}

/**
 * Returns the wildcards that cover a name, longest first: `a.b.example.com` gives `*.b.example.com`, `*.example.com`.
 */
export function parentPatterns(hostname: Hostname): HostPattern[] {
  const patterns: HostPattern[] = [];
  const lastDot = hostname.lastIndexOf('.');
  for (let dot = hostname.indexOf('.'); dot !== -1 && dot < lastDot; dot = hostname.indexOf('.', dot + 1)) {
    patterns.push(`*${hostname.slice(dot)}` as HostPattern);
  }
  return patterns;
}

/** Returns the name without its first label (`*` counts as one); null if only a top-level domain is left. */
export function parentOf(name: HostPattern): Hostname | null {
  const dot = name.indexOf('.');
  if (dot === -1) return null;
  const parent = name.slice(dot + 1);
  return parent.includes('.') || parent === 'localhost' ? (parent as Hostname) : null;
}

/**
 * Converts to lower-case ASCII. ASCII input never reaches the URL parser behind `domainToASCII`, which would decode
 * `%2e`, cut at `/` and turn numbers into addresses. In Unicode input these characters are refused first.
 */
function toAscii(text: string): string | HostnameFault {
  let unicode = false;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code > 0x7f) unicode = true;
    else if (code === 0x5f) return fault('underscore');
    else if (!isNameCharacter(code)) return fault('character');
  }
  // Not toLowerCase() on Unicode text: it maps differently from IDNA.
  if (!unicode) return text.toLowerCase();
  const mapped = domainToASCII(text);
  if (mapped !== '') return mapped;
  return fault(/(?:^|\.)xn--/i.test(text) ? 'punycode' : 'character');
}

function isNameCharacter(code: number): boolean {
  const lower = code | 0x20;
  return (lower >= 0x61 && lower <= 0x7a) || (code >= 0x30 && code <= 0x39) || code === 0x2d || code === 0x2e;
}

function looksLikeIPv6(text: string): boolean {
  return (
    text.startsWith('[') ||
    (text.includes(':') &&
      /^[0-9a-fA-F:.]+(?:%.*)?$/.test(text) &&
      text.indexOf(':') !== text.lastIndexOf(':'))
  );
}

function checkName(name: string): HostnameFault | null {
  // The mapping can return an empty text (for a soft hyphen alone), or characters that are checked only for ASCII input
  // above.
  if (name === '') return fault('empty');
  if (name.includes('_')) return fault('underscore');
  if (!/^[a-z0-9.-]*$/.test(name)) return fault('character');
  if (name.includes('..')) return fault('double-dot');
  if (name.startsWith('.')) return fault('first');
  if (name.endsWith('.')) return fault('last');
  if (name.length > maxLength) return fault('length');
  const labels = name.split('.');
  for (const label of labels) {
    const wrong = checkLabel(label);
    if (wrong !== null) return wrong;
  }
  return checkTopLevel(labels);
}

function checkLabel(label: string): HostnameFault | null {
  if (label.length > maxLabelLength) return fault('label-length');
  if (label.startsWith('-')) return fault('first');
  if (label.endsWith('-')) return fault(label.startsWith('xn--') ? 'punycode' : 'last');
  if (label.startsWith('xn--')) return isStablePunycode(label) ? null : fault('punycode');
  return label.startsWith('--', 2) ? fault('double-hyphen') : null;
}

/**
 * Returns true if an `xn--` label decodes to Unicode and encodes back to itself. Otherwise one name could have two
 * spellings.
 */
function isStablePunycode(label: string): boolean {
  const decoded = domainToUnicode(label);
  return decoded !== label && decoded !== '' && !decoded.includes('.') && domainToASCII(decoded) === label;
}

/**
 * Refuses names whose last label is a number, because a URL parser takes them for addresses (`1.2.3.4`, `127.1`,
 * `0x7f000001`).
 */
function checkTopLevel(labels: readonly string[]): HostnameFault | null {
  const number = /^(?:[0-9]+|0x[0-9a-f]*)$/;
  const last = labels[labels.length - 1]!;
  if (number.test(last)) return fault(labels.every((label) => number.test(label)) ? 'ip-address' : 'tld');
  if (/^[0-9]/.test(last)) return fault('tld');
  return labels.length > 1 || last === 'localhost' ? null : fault('tld');
}
