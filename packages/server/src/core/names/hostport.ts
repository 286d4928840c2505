/**
 * The `host:port` of an edge.
 * Invariant: one hostport has one spelling.
 */
import { type HostnameFault, type HostPattern, isFault, parseHostPattern } from './hostname.ts';

export interface HostPort {
  readonly hostname: HostPattern;
  readonly port: number;
}

/** The fault of the name, or `port`: absent, not decimal digits, with a leading zero, or outside 1-65535. */
export interface HostPortFault {
  readonly fault: HostnameFault['fault'] | 'port';
}

const decimalPort = /^[1-9][0-9]{0,4}$/;

export function isHostPortFault(value: HostPort | HostPortFault): value is HostPortFault {
  return 'fault' in value;
}

/** Splits at the only colon. Brackets and IPv6 addresses are the fault `ip-address`. */
export function parseHostPort(text: string): HostPort | HostPortFault {
  const colon = text.lastIndexOf(':');
  const hostname = parseHostPattern(colon === -1 ? text : text.slice(0, colon));
  if (isFault(hostname)) return hostname;
  const port = parsePort(colon === -1 ? '' : text.slice(colon + 1));
  return port === null ? { fault: 'port' } : { hostname, port };
}

/** Parses a port in its one form: decimal, no sign, no leading zero, 1-65535. Returns null for anything else. */
export function parsePort(text: string): number | null {
  if (!decimalPort.test(text)) return null;
  const port = Number(text);
  return port <= 65_535 ? port : null;
}
