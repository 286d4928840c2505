/**
 * Finds reservations around a name.
 * Invariant: reservations of different accounts never overlap.
 */
import { setImmediate as turn } from 'node:timers/promises';
import {
  baseOf,
  type Hostname,
  type HostPattern,
  isWildcard,
  parentOf,
  parentPatterns,
} from '../core/names/hostname.ts';
import type { DocumentStore } from '../documents/index.ts';
import { domainClaim } from '../documents/name-claims.ts';
import { Problem } from '../errors/problem.ts';
import type { NameClaim } from '../store/store.ts';
import { isShared } from './domain-names.ts';

export interface Holder {
  /** `rd_…` */
  readonly id: string;
  readonly account: string;
}

type Names = Pick<DocumentStore, 'findName'>;

const reversedKind = 'reversed_domain';
/** Names of one read, which takes about a millisecond. */
const namesPerRead = 500;

/** Returns the claims of a reservation: its name, and the reversed name, so that all names below one are adjacent. */
export function domainClaims(pattern: HostPattern): readonly NameClaim[] {
  return [domainClaim(pattern), { kind: reversedKind, value: reversed(pattern) }];
}

export function holderOf(store: Names, pattern: HostPattern): Promise<Holder | null> {
  return store.findName(domainClaim(pattern));
}

/** Returns the reservation of a name or wildcard: its own, else the longest wildcard above it. */
export async function nearestHolder(store: Names, pattern: HostPattern): Promise<Holder | null> {
  const exact = await holderOf(store, pattern);
  if (exact !== null) return exact;
  for (const wildcard of parentPatterns(baseOf(pattern))) {
    const holder = wildcard === pattern ? null : await holderOf(store, wildcard);
    if (holder !== null) return holder;
  }
  return null;
}

/**
 * Returns the reason why a name overlaps reservations of other accounts, or null. With `olderThan`, an id, only
 * earlier reservations count: of two concurrent ones the second is undone.
 */
export async function overlap(
  store: Pick<DocumentStore, 'findName' | 'names'>,
  pattern: HostPattern,
  account: string,
  domain: Hostname,
  olderThan?: string,
): Promise<Problem | null> {
  const isForeign = (holder: Holder | null) =>
    holder !== null && holder.account !== account && (olderThan === undefined || holder.id < olderThan);
  const base = baseOf(pattern);
  for (const wildcard of parentPatterns(base)) {
    if (wildcard !== pattern && isForeign(await holderOf(store, wildcard))) {
      return new Problem('domainTakenElsewhere', { value: pattern });
    }
  }
  const nearest = isWildcard(pattern) ? base : parentOf(base);
  for (let parent = nearest; parent !== null && isShared(parent, domain); parent = parentOf(parent)) {
    if (isForeign(await holderOf(store, parent))) {
      return new Problem('domainBelowRestricted', { value: pattern, base: parent });
    }
  }
  if (!isWildcard(pattern)) return null;
  for await (const holder of holdersBelow(store, pattern)) {
    if (isForeign(holder)) return new Problem('domainWildcardOverlap', { value: pattern });
  }
  return null;
}

/** Yields the holders of names and wildcards below a wildcard. It reads nothing else, and little at a time. */
async function* holdersBelow(
  store: Pick<DocumentStore, 'names'>,
  wildcard: HostPattern,
): AsyncIterable<Holder> {
  const query = { kind: reversedKind, prefix: `${reversed(baseOf(wildcard))}.`, limit: namesPerRead };
  let holders = await store.names(query);
  while (holders.length > 0) {
    yield* holders.filter(({ value }) => value !== reversed(wildcard));
    if (holders.length < namesPerRead) return;
    await turn();
    holders = await store.names({ ...query, after: holders.at(-1)!.value });
  }
}

/** `moc.elpmaxe.ppa` for `app.example.com`; names are ASCII. */
function reversed(name: string): string {
  return Array.from(name).reverse().join('');
}
