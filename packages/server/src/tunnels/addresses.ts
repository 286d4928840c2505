/**
 * Chooses the TCP address of a bind (agent protocol, section 5; open points, part B 4.9), as pure decisions on
 * values.
 * Invariant: a reserved port goes to its account only, and a port that is not reserved cannot be requested by number.
 */
import { tcpPort } from '../core/names/bind-target.ts';
import { type Hostname, isWildcard } from '../core/names/hostname.ts';
import { type HostPort, isHostPortFault, parseHostPort } from '../core/names/hostport.ts';
import { Problem } from '../errors/problem.ts';
import type { RequestedName } from './names.ts';
import { shown } from './options/fields.ts';

/** A port, and the host that it is shown with. */
export interface Address {
  readonly hostname: Hostname;
  readonly port: number;
}

export interface AddressRequester {
  readonly account: string;
  readonly credential: string;
  /** The credential's bind rules. */
  readonly permitsAddress: (address: Address) => boolean;
}

/** Look-ups by port: who reserved it, with which host, and the account whose edge has it. */
export interface AddressOwners {
  reservedAddress(port: number): { readonly account: string; readonly hostname: Hostname } | undefined;
  edgeAccount(target: ReturnType<typeof tcpPort>): string | undefined;
}

const draws = 32;
const scheme = /^tcp:\/\//i;
const userInfo = /^(?:[a-z][a-z0-9+.-]*:\/\/)?[^/?#]*@/i;

/** Returns the requested address; null for any. Raises Problem. */
export function wantedAddress({ url, addr }: Pick<RequestedName, 'url' | 'addr'>): Address | null {
  if (userInfo.test(url) || userInfo.test(addr)) throw new Problem('bindUrlUserInfo');
  const given = [url.replace(scheme, '').replace(/\/$/, ''), addr].filter((text) => text !== '');
  const addresses = given.map((text) => parseAddress(text));
  const [one = null, other = one] = addresses;
  if (one !== null && other !== null && (one.hostname !== other.hostname || one.port !== other.port)) {
    throw new Problem('bindNamesContradict', { names: addresses.map(formatAddress).join(', ') });
  }
  return one;
}

/** Reads the output of `formatAddress`; null for anything else. */
export function readAddress(text: string): Address | null {
  const parsed = parseHostPort(text);
  return isHostPortFault(parsed) ? null : asAddress(parsed);
}

export function formatAddress({ hostname, port }: Address): string {
  return `${hostname}:${port}`;
}

/**
 * Returns the reason why a credential may not have an address, regardless of other tunnels; null if it may. Applies
 * to new and to existing binds.
 */
export function addressDenial(
  address: Address,
  requester: AddressRequester,
  owners: AddressOwners,
): Problem | null {
  const name = formatAddress(address);
  const { account, credential } = requester;
  if (!requester.permitsAddress(address)) return new Problem('bindAddressNotPermitted', { name, credential });
  const edge = owners.edgeAccount(tcpPort(address.port));
  if (edge === account) return new Problem('bindNameOfEdge', { name });
  const reserved = owners.reservedAddress(address.port);
  const isForeign = reserved !== undefined && reserved.account !== account;
  if (edge !== undefined || isForeign) return new Problem('bindAddressReservedElsewhere', { name });
  // With another host it is another address, though the listener is the same.
  const isOther = reserved !== undefined && reserved.hostname !== address.hostname;
  return isOther ? new Problem('bindAddressNotReserved', { name }) : null;
}

/** Returns a free port of the range. `draw` returns a random one; `isTaken` tests if it is in use. Raises Problem. */
export function randomPort(
  range: { readonly first: number; readonly last: number },
  draw: () => number,
  isTaken: (port: number) => boolean,
): number {
  for (let count = 0; count < draws; count++) {
    const port = draw();
    if (!isTaken(port)) return port;
  }
  for (let port = range.first; port <= range.last; port++) if (!isTaken(port)) return port;
  throw new Problem('bindPortsExhausted', { first: range.first, last: range.last });
}

function parseAddress(text: string): Address {
  const parsed = parseHostPort(text);
  const address = isHostPortFault(parsed) ? null : asAddress(parsed);
  if (address === null) throw new Problem('bindAddressMalformed', { value: shown(text) });
  return address;
}

function asAddress({ hostname, port }: HostPort): Address | null {
  return isWildcard(hostname) ? null : { hostname: hostname as Hostname, port };
}
