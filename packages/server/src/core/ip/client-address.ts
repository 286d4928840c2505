/**
 * The canonical text of a client's address.
 * Invariant: one address has one spelling.
 */
import { isIPv4, type Socket } from 'node:net';
import ipaddr from 'ipaddr.js';

const MAPPED = /^::ffff:\d+\./i;

/**
 * Returns `1.2.3.4:5678` or `[2001:db8::1]:5678`, an IPv4-mapped address as IPv4; null if the peer has disconnected.
 */
export function clientAddress(socket: Pick<Socket, 'remoteAddress' | 'remotePort'>): string | null {
  const { remoteAddress, remotePort } = socket;
  if (remoteAddress === undefined || remotePort === undefined) return null;
  return addressText(unmapped(remoteAddress), remotePort);
}

/** The addresses of both ends of a connection. */
export interface ConnectionAddresses {
  /** `ip:port` of the client. */
  readonly clientAddr: string;
  /** `ip:port` of this side. */
  readonly serverAddr: string;
}

/** Returns null if the peer has disconnected. */
export function addressesOf(socket: Socket): ConnectionAddresses | null {
  const clientAddr = clientAddress(socket);
  if (clientAddr === null) return null;
  return { clientAddr, serverAddr: addressText(unmapped(socket.localAddress ?? ''), socket.localPort ?? 0) };
}

export function addressText(ip: string, port: number): string {
  return ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`;
}

/** Returns the address without port and brackets. */
export function ipOf(clientAddr: string): string {
  const end = clientAddr.lastIndexOf(':');
  return clientAddr.startsWith('[') ? clientAddr.slice(1, end - 1) : clientAddr.slice(0, end);
}

/** Returns the port. */
export function portOf(address: string): string {
  return address.slice(address.lastIndexOf(':') + 1);
}

/** Returns an IPv4-mapped address as IPv4. */
export function unmapped(ip: string): string {
  return ip.startsWith(':') && MAPPED.test(ip) ? ip.slice('::ffff:'.length) : ip;
}

/**
 * Returns the key by which connections count as one source: an IPv4 address, or the 64 bits of IPv6 that one customer
 * usually has.
 */
export function sourceKey(ip: string): string {
  if (!ip.includes(':') || !ipaddr.IPv6.isValid(ip)) return ip;
  return ipaddr.IPv6.parse(ip).parts.slice(0, 4).join(':');
}

/**
 * Returns the network of a key of `sourceKey`: 48 bits of IPv6, in which one site may have 65,536 sources. An IPv4
 * address is its own network.
 */
export function networkKey(source: string): string {
  const end = source.lastIndexOf(':');
  return end === -1 ? source : source.slice(0, end);
}

/**
 * Returns the network of an address as a CIDR, in which a visitor is one of many: 24 bits of IPv4, 48 of IPv6. Any other
 * text becomes ''.
 */
export function networkOf(ip: string): string {
  if (isIPv4(ip)) return `${ip.slice(0, ip.lastIndexOf('.'))}.0/24`;
  if (!ipaddr.IPv6.isValid(ip)) return '';
  const site = ipaddr.IPv6.parse(ip).parts.slice(0, 3);
  return `${new ipaddr.IPv6([...site, 0, 0, 0, 0, 0]).toRFC5952String()}/48`;
}
