/**
 * Addresses outside the public internet, which users may not make the service dial (open points, decision 20). Source:
 * the IANA special-purpose address registries.
 */
import { type Cidr, contains, isCidrFault, parseCidr } from './cidr.ts';
import type { IpAddress } from './ip-address.ts';

/** IANA IPv4 Special-Purpose Address Registry, with multicast (RFC 5771) and the former 6to4 relays. */
const special4 = ranges(
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
);

/**
 * The assigned part of IPv6 (RFC 4291, section 2.4). All else is loopback, link-local, unique local, multicast or
 * unused.
 */
const [global6] = ranges('2000::/3');

/** Exceptions of the IPv6 registry: protocol assignments with Teredo, documentation, 6to4. */
const special6 = ranges('2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20');

/** RFC 6052: the last 32 bits are an IPv4 address that a translator connects to. */
const [translated] = ranges('64:ff9b::/96');

/** Returns true if an address may be dialled: it is public, or in a range that the operator allows. */
export function mayDial(address: IpAddress, allowed: readonly Cidr[]): boolean {
  return allowed.some((range) => contains(range, address)) || isPublic(address);
}

function isPublic(address: IpAddress): boolean {
  if (address.length === 4) return !special4.some((range) => contains(range, address));
  if (contains(translated!, address)) return isPublic(address.slice(12) as readonly number[] as IpAddress);
  return contains(global6!, address) && !special6.some((range) => contains(range, address));
}

function ranges(...texts: readonly string[]): readonly Cidr[] {
  return texts.map((text) => {
    const range = parseCidr(text);
    if (isCidrFault(range)) throw new Error(`${text} is a range`);
    return range;
  });
}
