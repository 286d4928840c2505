/**
 * The one canonical form of IP addresses: 4 bytes for IPv4 (IPv4-mapped IPv6 is folded into it), 16 for IPv6. Never that one
 * address has two forms.
 */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

declare const brand: unique symbol;
/** 4 or 16 bytes; never an IPv4-mapped IPv6 address. */
export type IpAddress = readonly number[] & { readonly [brand]: 'IpAddress' };

/**
 * Takes dotted decimal with four parts and IPv6 as RFC 4291 writes it. Leading zeros (octal to some), fewer parts, a number
 * for the whole, brackets and zone ids are no addresses here: what two parsers could read differently is refused.
 */
export function parseIpAddress(text: string): IpAddress | null {
  const bytes = parseBytes(text);
  if (bytes === null) return null;
  return (isMapped(bytes) ? bytes.slice(12) : bytes) as readonly number[] as IpAddress;
}

/** Like `parseIpAddress`, but leaves IPv4-mapped IPv6 in its 16 bytes. */
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

/** `::10.0.0.1` as `::a00:1`: the library takes any dotted end for a mapped address. */
function withoutDots(text: string): string {
  const end = text.slice(text.lastIndexOf(':') + 1);
  if (!end.includes('.')) return text;
  const [a = 0, b = 0, c = 0, d = 0] = end.split('.').map(Number);
  return `${text.slice(0, -end.length)}${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}

/** `::ffff:0:0/96` (RFC 4291, section 2.5.5.2): how a dual-stack socket writes an IPv4 peer. */
export function isMapped(bytes: readonly number[]): boolean {
  return (
    bytes.length === 16 &&
    bytes.slice(0, 10).every((byte) => byte === 0) &&
    bytes[10] === 255 &&
    bytes[11] === 255
  );
}

/** Dotted decimal, or lower-case IPv6 as RFC 5952 writes it. */
export function formatIpAddress(bytes: readonly number[]): string {
  return bytes.length === 4 ? bytes.join('.') : new ipaddr.IPv6([...bytes]).toRFC5952String();
}
