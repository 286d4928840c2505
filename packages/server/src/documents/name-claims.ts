/** Claims by which reservations and edges are found: the same values for the rules of resources and for binds. */
import { type BindTarget, isTcpPort, patternsAbove } from '../core/names/bind-target.ts';
import type { HostPattern } from '../core/names/hostname.ts';
import type { HostPort } from '../core/names/hostport.ts';
import type { NameClaim } from '../store/store.ts';
import type { KindName } from './kinds.ts';

/** The port that stands for the front door, whatever the port of the base URL is. */
export const frontDoor = 443;

/** Kinds whose names the agents of their own account may bind. An edge serves its names by itself. */
export const openToAgents: readonly KindName[] = ['reserved_domain', 'reserved_addr'];

export function domainClaim(pattern: HostPattern): NameClaim {
  return { kind: 'domain', value: pattern };
}

/** The port alone: all hosts are the same listeners. */
export function portClaim(port: number): NameClaim {
  return { kind: 'tcp_port', value: String(port) };
}

export function hostportClaim({ hostname, port }: Pick<HostPort, 'hostname' | 'port'>): NameClaim {
  return { kind: 'hostport', value: `${hostname}:${port}` };
}

/** Returns the claims that decide about a bind, the nearest first. `text`: the name or address as people have it. */
export function claimsAround(target: BindTarget, text: string): readonly NameClaim[] {
  if (isTcpPort(target)) return [{ kind: 'hostport', value: text }, portClaim(target)];
  const above = patternsAbove(target).filter((pattern) => pattern !== target);
  return [hostportClaim({ hostname: target, port: frontDoor }), ...[target, ...above].map(domainClaim)];
}
