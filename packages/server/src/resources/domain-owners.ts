/** Who holds the names around one: reservations of different accounts never overlap. */
import {
  baseOf,
  covers,
  type Hostname,
  type HostPattern,
  isWildcard,
  parentOf,
  parentPatterns,
} from '../core/hostname.ts';
import type { DocumentStore } from '../documents/index.ts';
import { Problem } from '../errors/problem.ts';
import { isShared } from './domain-names.ts';

export interface Holder {
  /** `rd_…` */
  readonly id: string;
  readonly account: string;
}

type Names = Pick<DocumentStore, 'findName'>;

export function holderOf(store: Names, pattern: HostPattern): Promise<Holder | null> {
  return store.findName({ kind: 'domain', value: pattern });
}

/** The reservation that a name or wildcard stands on: its own, else the longest wildcard above it. */
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
 * Why a name may not be reserved beside what other accounts hold, or null. With `olderThan`, an id, only reservations made
 * before it count: of two that were made at once, the second one gives way.
 */
export async function overlap(
  store: Pick<DocumentStore, 'findName' | 'snapshot'>,
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
  const { documents } = await store.snapshot(['reserved_domain']);
  const covered = documents.some((one) => isForeign(one) && covers(pattern, baseOf(one.body.domain)));
  return covered ? new Problem('domainWildcardOverlap', { value: pattern }) : null;
}
