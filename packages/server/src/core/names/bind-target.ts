/**
 * The target of a bind: a name or a TCP port.
 * Invariant: hosts of one port are one target, because they share their listeners.
 */
import { baseOf, type HostPattern, overlaps, parentPatterns } from './hostname.ts';

declare const brand: unique symbol;
export type TcpPort = number & { readonly [brand]: 'TcpPort' };
export type BindTarget = HostPattern | TcpPort;

/** `http:<name>`: the name where plain HTTP is served. */
export type PlainName = string & { readonly [brand]: 'PlainName' };
/** A place for one online tunnel: a name with TLS at the front door, a TCP port, or a name for plain HTTP. */
export type Slot = BindTarget | PlainName;

export function plainName(name: HostPattern): PlainName {
  return `http:${name}` as PlainName;
}

export function tcpPort(port: number): TcpPort {
  return port as TcpPort;
}

export function isTcpPort(target: BindTarget): target is TcpPort {
  return typeof target === 'number';
}

/** Returns true if the targets have a name or port in common. */
export function targetsOverlap(one: BindTarget, other: BindTarget): boolean {
  if (isTcpPort(one) || isTcpPort(other)) return one === other;
  return overlaps(one, other);
}

/** Returns the wildcards that cover a name; none for a port. */
export function patternsAbove(target: BindTarget): readonly HostPattern[] {
  return isTcpPort(target) ? [] : parentPatterns(baseOf(target));
}
