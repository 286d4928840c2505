/**
 * The target of a bind: a name or a TCP port.
 * Invariant: hosts of one port are one target, because they share their listeners.
 */
import { baseOf, type Hostname, type HostPattern, overlaps, parentPatterns } from './hostname.ts';

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

interface Placed {
  /** One credential has it at a time, unless several share it. */
  readonly key: BindTarget;
  readonly slot: Slot;
  /** The name or address, as people and proofs have it. */
  readonly text: string;
  readonly url: string;
}

/** The name or the address that a bind requests or has, with what follows from it. */
export type Target = Placed &
  (
    | {
        readonly kind: 'name';
        readonly hostname: HostPattern;
        readonly port: null;
        readonly isPlain: boolean;
      }
    | {
        readonly kind: 'address';
        readonly hostname: Hostname;
        readonly port: number;
        readonly isPlain: false;
      }
  );
