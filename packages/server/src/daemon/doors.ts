/**
 * The addresses where daemons listen for visitors, in the facts of their rows. A TCP edge must not dial them: nothing in
 * its bytes would reveal the loop.
 */
import { networkInterfaces } from 'node:os';
import { type Cidr, contains, parseCidr } from '../core/ip/cidr.ts';
import { formatIpAddress, type IpAddress, parseIpAddress } from '../core/ip/ip-address.ts';
import type { ListenAddress } from '../core/settings.ts';
import type { KnownNode } from '../tunnels/directory/row.ts';

export interface Doors {
  /** IP addresses in their canonical form. */
  readonly addresses: readonly string[];
  /** It listens at every address of its machine, loopback too. */
  readonly isEverywhere: boolean;
  /** The port of the front door. TCP ports are the same on all daemons. */
  readonly port: number;
}

const LOOPBACK4 = parseCidr('127.0.0.0/8') as Cidr;
/** Addresses that stand for the machine of the dialler. */
const OF_DIALLER: readonly string[] = ['0.0.0.0', '::', '::1'];
const UNSPECIFIED: readonly string[] = ['0.0.0.0', '::'];

/** Returns the places where a daemon of this machine listens. */
export function doorsOf({ host, port }: ListenAddress): Doors {
  const ip = parseIpAddress(host);
  const text = ip === null ? '' : formatIpAddress(ip);
  if (!UNSPECIFIED.includes(text)) return { addresses: [text], isEverywhere: false, port };
  const all = Object.values(networkInterfaces()).flatMap((some) => some ?? []);
  const addresses = all.filter(({ internal }) => !internal).map(({ address }) => address);
  return { addresses, isEverywhere: true, port };
}

/**
 * Returns true if a daemon listens at an address. `machine`: that of this daemon, on which loopback is the same.
 * `isOpen` returns true for open TCP ports, which are the same on all daemons.
 */
export function isDoorOf(
  { facts, isDead }: Pick<KnownNode, 'facts' | 'isDead'>,
  machine: string,
  [address, port]: readonly [IpAddress, number],
  isOpen: (port: number) => boolean,
): boolean {
  const { doors, machine: theirs } = facts as { readonly doors?: Doors; readonly machine?: string };
  if (isDead || doors === undefined || (port !== doors.port && !isOpen(port))) return false;
  const text = formatIpAddress(address);
  if (!OF_DIALLER.includes(text) && !contains(LOOPBACK4, address)) return doors.addresses.includes(text);
  return theirs === machine && (doors.isEverywhere || doors.addresses.includes(text));
}
