/**
 * DNS targets of names outside the shared domain.
 * Invariant: no two reservations have the same target.
 */
import { createHash } from 'node:crypto';
import { type Hostname, type HostPattern, isWildcard } from '../core/names/hostname.ts';
import { regions } from '../core/names/region.ts';
import type { Settings } from '../core/settings.ts';

type Shared = Pick<Settings, 'domain'>;

/** The zone that the operator delegates to the daemon. */
export function challengeZone({ domain }: Shared): Hostname {
  return `acme.${domain}` as Hostname;
}

/** Returns the target of the name's alias; null below the shared domain. */
export function cnameTarget(
  id: string,
  { domain, region }: { readonly domain: HostPattern; readonly region: string },
  shared: Shared,
): Hostname | null {
  if (isBelow(domain, shared)) return null;
  return `${opaque('cname', id)}.cname.${region}.${shared.domain}` as Hostname;
}

/** Returns true if a name is what some reserved name should be an alias of. */
export function isCnameTarget(name: string, { domain }: Shared): boolean {
  const above = name.slice(name.indexOf('.'));
  return regions.some((region) => above === `.cname.${region}.${domain}`);
}

/** Returns the target of `_acme-challenge` of a wildcard; null for names that are proved in another way. */
export function challengeTarget(id: string, domain: HostPattern, shared: Shared): Hostname | null {
  if (!isWildcard(domain) || isBelow(domain, shared)) return null;
  return `${opaque('acme', id)}.${challengeZone(shared)}` as Hostname;
}

/** Returns the target of `_acme-challenge` of the service's own domain. */
export function serviceChallengeTarget(shared: Shared): Hostname {
  return `service.${challengeZone(shared)}` as Hostname;
}

function isBelow(name: HostPattern, { domain }: Shared): boolean {
  return name.endsWith(`.${domain}`);
}

/** Returns a label that reveals nothing about the reservation and stays with it. */
function opaque(purpose: 'cname' | 'acme', id: string): string {
  return createHash('sha256').update(`${purpose} ${id}`).digest('hex').slice(0, 20);
}
