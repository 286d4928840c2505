/**
 * The one canonical form of host names: lower case, ASCII (IDNA), no trailing dot, no port. Never that two spellings of one
 * name differ.
 */
import { domainToASCII, domainToUnicode } from 'node:url';

declare const brand: unique symbol;
/** A canonical DNS host name such as `api.example.com`; never an IP address, never a wildcard. */
export type Hostname = string & { readonly [brand]: 'Hostname' };
/** A `Hostname`, or `*.` and a `Hostname`. */
export type HostPattern = string & { readonly [brand]: 'Hostname' | 'HostPattern' };

/** Why a text is no host name. `first` and `last` are about a label's (or the name's) first and last character. */
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
/** Unicode text can be longer than its ASCII form only through ignored characters; what is beyond this is not worth mapping. */
const maxInputLength = 4 * maxLength;

const canonicalShape = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

function fault(name: HostnameFault['fault']): HostnameFault {
  return { fault: name };
}

export function isFault(value: string | HostnameFault): value is HostnameFault {
  return typeof value === 'object';
}

/**
 * Brings a host name to its canonical form, or says what is wrong with it. Takes upper case, one trailing dot and Unicode
 * (UTS 46, as in the URL standard). Needs two labels, except for `localhost`.
 */
export function parseHostname(text: string): Hostname | HostnameFault {
  // The form that nearly every SNI and Host header already has; a double hyphen needs the closer look below.
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

/** Like `parseHostname`, and takes one leading `*.`; what follows it needs two labels, so that no top-level domain is covered whole. */
export function parseHostPattern(text: string): HostPattern | HostnameFault {
  if (!text.startsWith('*.')) return parseHostname(text);
  const base = parseHostname(text.slice(2));
  if (isFault(base)) return base.fault === 'empty' ? fault('wildcard') : base;
  return base.includes('.') ? (`*.${base}` as HostPattern) : fault('tld');
}

export function isWildcard(pattern: HostPattern): boolean {
  return pattern.startsWith('*.');
}

/** Whether the pattern stands for the name. A wildcard covers names at any depth below its base, never the base itself. */
export function covers(pattern: HostPattern, hostname: Hostname): boolean {
  if (!isWildcard(pattern)) return (pattern as string) === hostname;
  return hostname.length > pattern.length - 1 && hostname.endsWith(pattern.slice(1));
}

/** The name itself, without the `*.` of a wildcard. */
export function baseOf(pattern: HostPattern): Hostname {
  return (isWildcard(pattern) ? pattern.slice(2) : pattern) as Hostname;
}

/** Whether there is a name that both stand for. */
export function overlaps(one: HostPattern, other: HostPattern): boolean {
  if (one === other) return true;
  return (isWildcard(one) && covers(one, baseOf(other))) || (isWildcard(other) && covers(other, baseOf(one)));
}

/** The wildcards that cover a name, longest first: `a.b.example.com` gives `*.b.example.com`, `*.example.com`. */
export function parentPatterns(hostname: Hostname): HostPattern[] {
  const patterns: HostPattern[] = [];
  const lastDot = hostname.lastIndexOf('.');
  for (let dot = hostname.indexOf('.'); dot !== -1 && dot < lastDot; dot = hostname.indexOf('.', dot + 1)) {
    patterns.push(`*${hostname.slice(dot)}` as HostPattern);
  }
  return patterns;
}

/** The name without its first label (`*` counts as one); null when what is left is a bare top-level domain. */
export function parentOf(name: HostPattern): Hostname | null {
  const dot = name.indexOf('.');
  if (dot === -1) return null;
  const parent = name.slice(dot + 1);
  return parent.includes('.') || parent === 'localhost' ? (parent as Hostname) : null;
}

/**
 * Lower-case ASCII. ASCII input never reaches the URL parser behind `domainToASCII`, which would decode `%2e`, cut at `/`
 * and turn numbers into addresses; in Unicode input those characters are refused before it.
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
  // Mapping can leave nothing (a soft hyphen alone), or characters that only ASCII input is checked for above.
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

/** An `xn--` label that decodes to Unicode and encodes back to itself: else two spellings of it could be one name. */
function isStablePunycode(label: string): boolean {
  const decoded = domainToUnicode(label);
  return decoded !== label && decoded !== '' && !decoded.includes('.') && domainToASCII(decoded) === label;
}

/** A name whose last label is a number is an address to a URL parser (`1.2.3.4`, `127.1`, `0x7f000001`), so it is never a name here. */
function checkTopLevel(labels: readonly string[]): HostnameFault | null {
  const number = /^(?:[0-9]+|0x[0-9a-f]*)$/;
  const last = labels[labels.length - 1]!;
  if (number.test(last)) return fault(labels.every((label) => number.test(label)) ? 'ip-address' : 'tld');
  if (/^[0-9]/.test(last)) return fault('tld');
  return labels.length > 1 || last === 'localhost' ? null : fault('tld');
}
