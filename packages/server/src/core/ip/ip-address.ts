/**
 * IP addresses in one canonical form: 4 bytes for IPv4 (also for IPv4-mapped IPv6), 16 for IPv6.
 * Invariant: one address has one form.
 */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

declare const brand: unique symbol;
/** 4 or 16 bytes; never an IPv4-mapped IPv6 address. */
export type IpAddress = readonly number[] & { readonly [brand]: 'IpAddress' };

/**
 * Parses dotted decimal with four parts, and IPv6 in the syntax of RFC 4291. It refuses texts that two parsers could
 * read differently: leading zeros (octal to some), fewer parts, a single number, brackets and zone ids.
 */
export function parseIpAddress(text: string): IpAddress | null {
  const bytes = parseBytes(text);
  if (bytes === null) return null;
  return (isMapped(bytes) ? bytes.slice(12) : bytes) as readonly number[] as IpAddress;
}

/** Parses an address, but keeps IPv4-mapped IPv6 in its 16 bytes. */
export function parseBytes(text: string): readonly number[] | null {
  switch (isIP(text)) {
    case 4:
      return ipaddr.IPv4.isValidFourPartDecimal(text) ? ipaddr.IPv4.parse(text).toByteArray() : null;
    case 6:
      return text.includes('%') ? null : ipaddr.IPv6.parse(withoutDots(text)).toByteArray();
    default:
      return null;
  }
}

/** Rewrites `::10.0.0.1` as `::a00:1`, because the library takes any dotted end for a mapped address. */
function withoutDots(text: string): string {
  const end = text.slice(text.lastIndexOf(':') + 1);
  if (!end.includes('.')) return text;
  const [a = 0, b = 0, c = 0, d = 0] = end.split('.').map(Number);
  return `${text.slice(0, -end.length)}${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}

/** Detects `::ffff:0:0/96` (RFC 4291, section 2.5.5.2), the form of an IPv4 peer at a dual-stack socket. */
export function isMapped(bytes: readonly number[]): boolean {
  return (
    bytes.length === 16 &&
    bytes.slice(0, 10).every((byte) => byte === 0) &&
    bytes[10] === 255 &&
    bytes[11] === 255
  );
}

/** Formats dotted decimal, or lower-case IPv6 (RFC 5952). */
export function formatIpAddress(bytes: readonly number[]): string {
  return bytes.length === 4 ? bytes.join('.') : new ipaddr.IPv6([...bytes]).toRFC5952String();
}
