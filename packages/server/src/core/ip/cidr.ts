/**
 * CIDR ranges in one canonical form: lower case, shortest spelling, no host bits, IPv4-mapped IPv6 as IPv4.
 * Invariant: one range has one text.
 */
import { formatIpAddress, type IpAddress, isMapped, parseBytes } from './ip-address.ts';

export interface Cidr {
  /** Canonical, such as `10.0.0.0/8` or `2001:db8::/32`. */
  readonly text: string;
  /** 4 or 16 bytes. */
  readonly network: readonly number[];
  readonly prefix: number;
}

export type CidrFault =
  | { readonly fault: 'syntax' }
  | { readonly fault: 'mask-missing'; readonly suggestion: string }
  | { readonly fault: 'host-bits'; readonly suggestion: string };

const mappedBits = 96;

export function isCidrFault(value: Cidr | CidrFault): value is CidrFault {
  return 'fault' in value;
}

export function parseCidr(text: string): Cidr | CidrFault {
  const slash = text.indexOf('/');
  const address = parseBytes(slash === -1 ? text : text.slice(0, slash));
  if (address === null) return { fault: 'syntax' };
  const bits = address.length * 8;
  if (slash === -1) return { fault: 'mask-missing', suggestion: canonical(address, bits).text };
  const mask = text.slice(slash + 1);
  const prefix = /^(?:0|[1-9]\d{0,2})$/.test(mask) ? Number(mask) : Infinity;
  if (prefix > bits) return { fault: 'syntax' };
  const network = masked(address, prefix);
  if (network.some((byte, at) => byte !== address[at])) {
    return { fault: 'host-bits', suggestion: canonical(network, prefix).text };
  }
  return canonical(network, prefix);
}

/**
 * Returns true if the range contains the address. A range of one family contains no address of the other: `0.0.0.0/0`
 * and `::/0` are disjoint.
 */
export function contains({ network, prefix }: Cidr, address: IpAddress): boolean {
  if (network.length !== address.length) return false;
  const whole = prefix >> 3;
  for (let at = 0; at < whole; at++) if (network[at] !== address[at]) return false;
  return (prefix & 7) === 0 || network[whole] === (address[whole]! & maskOf(prefix & 7));
}

/** A mapped network without host bits has at least 96 bits, so that all of it is mapped. */
function canonical(network: readonly number[], prefix: number): Cidr {
  if (isMapped(network) && prefix >= mappedBits) return canonical(network.slice(12), prefix - mappedBits);
  return { text: `${formatIpAddress(network)}/${prefix}`, network, prefix };
}

/** Returns the range of an address with a prefix. */
export function rangeOf(address: IpAddress, prefix: number): Cidr {
  return canonical(masked(address, prefix), prefix);
}

function masked(address: readonly number[], prefix: number): readonly number[] {
  return address.map((byte, at) => byte & maskOf(Math.min(Math.max(prefix - at * 8, 0), 8)));
}

/** Returns a byte whose first `bits` bits are set. */
function maskOf(bits: number): number {
  return (0xff00 >> bits) & 0xff;
}
