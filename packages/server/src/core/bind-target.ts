/**
 * What a bind is given: a name, whatever is served there, or a TCP port. Never that two hosts of one port are two targets, because all
 * hosts of addresses are the same listeners.
 */
import { baseOf, type HostPattern, overlaps, parentPatterns } from './hostname.ts';

declare const brand: unique symbol;
/** `tcp:<port>`, which no host name is. */
export type TcpPort = string & { readonly [brand]: 'TcpPort' };
export type BindTarget = HostPattern | TcpPort;

/** `http:<name>`: the name where plain HTTP is served. */
export type PlainName = string & { readonly [brand]: 'PlainName' };
/** Where one tunnel is online at a time: with TLS at the front door, on a TCP port, or for plain HTTP. */
export type Slot = BindTarget | PlainName;

export function plainName(name: HostPattern): PlainName {
  return `http:${name}` as PlainName;
}

export function tcpPort(port: number): TcpPort {
  return `tcp:${port}` as TcpPort;
}

export function isTcpPort(target: BindTarget): target is TcpPort {
  return target.startsWith('tcp:');
}

/** Whether who has one has something of the other. */
export function targetsOverlap(one: BindTarget, other: BindTarget): boolean {
  if (isTcpPort(one) || isTcpPort(other)) return one === other;
  return overlaps(one, other);
}

/** The wildcards that cover a name; none for a port. */
export function patternsAbove(target: BindTarget): readonly HostPattern[] {
  return isTcpPort(target) ? [] : parentPatterns(baseOf(target));
}
