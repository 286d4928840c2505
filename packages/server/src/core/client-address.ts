/** A client's address as everything in the service is told it. Never that one address has two spellings. */
import type { Socket } from 'node:net';
import ipaddr from 'ipaddr.js';

const MAPPED = /^::ffff:\d+\./i;

/** `1.2.3.4:5678` or `[2001:db8::1]:5678`, an IPv4-mapped address as IPv4; null when the peer is gone already. */
export function clientAddress(socket: Pick<Socket, 'remoteAddress' | 'remotePort'>): string | null {
  const { remoteAddress, remotePort } = socket;
  if (remoteAddress === undefined || remotePort === undefined) return null;
  return addressText(unmapped(remoteAddress), remotePort);
}

/** Of both ends of a connection. */
export interface ConnectionAddresses {
  /** `ip:port` of who connected. */
  readonly clientAddr: string;
  /** `ip:port` that it connected to. */
  readonly serverAddr: string;
}

/** Null when the peer is gone already. */
export function addressesOf(socket: Socket): ConnectionAddresses | null {
  const clientAddr = clientAddress(socket);
  if (clientAddr === null) return null;
  return { clientAddr, serverAddr: addressText(unmapped(socket.localAddress ?? ''), socket.localPort ?? 0) };
}

export function addressText(ip: string, port: number): string {
  return ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`;
}

/** The address alone, without brackets. */
export function ipOf(clientAddr: string): string {
  const end = clientAddr.lastIndexOf(':');
  return clientAddr.startsWith('[') ? clientAddr.slice(1, end - 1) : clientAddr.slice(0, end);
}

/** The port alone. */
export function portOf(address: string): string {
  return address.slice(address.lastIndexOf(':') + 1);
}

/** An IPv4-mapped address as the IPv4 address that it is. */
export function unmapped(ip: string): string {
  return ip.startsWith(':') && MAPPED.test(ip) ? ip.slice('::ffff:'.length) : ip;
}

/** What is counted together as one source: an IPv4 address, or the 64 bits of IPv6 that one customer usually has. */
export function sourceKey(ip: string): string {
  if (!ip.includes(':') || !ipaddr.IPv6.isValid(ip)) return ip;
  return ipaddr.IPv6.parse(ip).parts.slice(0, 4).join(':');
}

/** The network of what `sourceKey` tells: 48 bits of IPv6, in which one site may have 65,536 sources. An IPv4 address is one by itself. */
export function networkKey(source: string): string {
  const end = source.lastIndexOf(':');
  return end === -1 ? source : source.slice(0, end);
}
