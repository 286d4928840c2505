/**
 * The visitor's address as agents and logs are told it.
 * In: a socket. Out: `ip:port`. What may change here: nothing that gives one address two spellings.
 */
import type { Socket } from 'node:net';

/** `1.2.3.4:5678` or `[2001:db8::1]:5678`, an IPv4-mapped address as IPv4; null when the peer is gone already. */
export function clientAddress(socket: Pick<Socket, 'remoteAddress' | 'remotePort'>): string | null {
  const { remoteAddress, remotePort } = socket;
  if (remoteAddress === undefined || remotePort === undefined) return null;
  const address = remoteAddress.startsWith('::ffff:') ? remoteAddress.slice(7) : remoteAddress;
  return address.includes(':') ? `[${address}]:${remotePort}` : `${address}:${remotePort}`;
}
