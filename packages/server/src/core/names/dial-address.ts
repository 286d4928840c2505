/**
 * A `host:port` to dial: a name, an IPv4 address, or an IPv6 address in brackets.
 * Invariant: an address is never taken for a name, and has one spelling.
 */

import { formatIpAddress, type IpAddress, parseIpAddress } from '../ip/ip-address.ts';
import { isFault, parseHostname } from './hostname.ts';
import { parsePort } from './hostport.ts';

export interface DialAddress {
  /** A `Hostname`, or the canonical text of `ip` without brackets. */
  readonly host: string;
  /** Null for a name. Its resolved addresses are checked when it is dialled. */
  readonly ip: IpAddress | null;
  readonly port: number;
}

export interface DialAddressFault {
  readonly fault: 'host' | 'port';
}

export function isDialAddressFault(value: DialAddress | DialAddressFault): value is DialAddressFault {
  return 'fault' in value;
}

/**
 * Accepts the addresses of `parseIpAddress`. `0x7f000001`, `127.1`, zone ids and the like are neither address nor name.
 */
export function parseDialAddress(text: string): DialAddress | DialAddressFault {
  const [, bracketed, bare = '', portText = ''] =
    /^(?:\[([^\]]*)\]|([^[\]]*?))(?::([^:]*))?$/s.exec(text) ?? [];
  const target =
    bracketed === undefined ? bareHost(bare) : addressOf(bracketed.includes(':') ? bracketed : '');
  if (target === null) return { fault: 'host' };
  const port = parsePort(portText);
  return port === null ? { fault: 'port' } : { ...target, port };
}

/** Reverses `parseDialAddress`. */
export function formatDialAddress({ host, port }: Pick<DialAddress, 'host' | 'port'>): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

function bareHost(text: string): Pick<DialAddress, 'host' | 'ip'> | null {
  if (text.includes(':')) return null;
  const address = addressOf(text);
  if (address !== null) return address;
  const hostname = parseHostname(text);
  return isFault(hostname) ? null : { host: hostname, ip: null };
}

function addressOf(text: string): Pick<DialAddress, 'host' | 'ip'> | null {
  const ip = parseIpAddress(text);
  return ip === null ? null : { host: formatIpAddress(ip), ip };
}
