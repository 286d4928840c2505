/**
 * Chooses the local CA's certificate for a name.
 * Invariant: invented names of visitors do not cause endless signing. They are below a wildcard, and count in the
 * budget of its owner.
 */
import { type Hostname, type HostPattern, isWildcard, parentOf } from '../core/names/hostname.ts';

/** The account of what the daemon has itself. */
export const serviceAccount = 'service';

export interface Leaf {
  /** Valid names: one name, or all names with one more label. */
  readonly name: HostPattern;
  /** An account, or the service. */
  readonly owner: string;
  /** Budget for its creation; null if there cannot be many. */
  readonly charged: { readonly account: string; readonly reservation: string | null } | null;
}

/** Facts of a name. */
export interface NameFacts {
  /** The nearest reservation, its own or that of the longest wildcard; undefined when there is none. */
  readonly reservation?:
    | { readonly id: string; readonly account: string; readonly domain: HostPattern }
    | undefined;
  /** Account that serves it. */
  readonly account: string;
  /** The shared domain of the service. */
  readonly shared: Hostname;
}

/**
 * A wildcard certificate is valid for one label, a wildcard reservation for any number of them: each parent name has a leaf.
 * Pure.
 */
export function leafFor(hostname: Hostname, { reservation, account, shared }: NameFacts): Leaf {
  const parent = parentOf(hostname);
  // Clients take no wildcard over a single label.
  const wildcard = parent?.includes('.') ? (`*.${parent}` as HostPattern) : null;
  if (wildcard !== null && parent === shared) return { name: wildcard, owner: serviceAccount, charged: null };
  if (reservation === undefined) {
    const isBelow = hostname.endsWith(`.${shared}`);
    if (!isBelow || wildcard === null) return { name: hostname, owner: account, charged: null };
    return { name: wildcard, owner: account, charged: { account, reservation: null } };
  }
  const { id, account: owner, domain } = reservation;
  if (!isWildcard(domain) || wildcard === null) return { name: hostname, owner, charged: null };
  const charged = wildcard === domain ? null : { account: owner, reservation: id };
  return { name: wildcard, owner, charged };
}
