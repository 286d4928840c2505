/** Which backends there are, and which of them failover and weighted ones may have as children (open points, decision 12 and part B 1.13). */

import { Problem } from '../errors/problem.ts';
import type { ErrorNeeding } from '../errors/values.ts';
import type { Reference } from './definition.ts';

export const maxChildren = 32;

/** Of the backends that may be children. */
export const childPrefixes = ['bkdhr', 'bkdtg', 'bkdsc'];
/** Of those that have children. */
const parentPrefixes = ['bkdfo', 'bkdwd'];
export const backendPrefixes = [...childPrefixes, ...parentPrefixes];

/** Where the ids of the children stand: `backends.*` of a list, `backends.~` of a map. */
export function childReference(field: string, wrongPrefix: Reference['wrongPrefix']): Reference {
  return { field, prefixes: childPrefixes, wrongPrefix, unknown: 'backendUnknown', binding: true };
}

/** Raises `error` for a backend that has children itself: with one level there are no cycles. */
export function refuseNesting(id: string, error: ErrorNeeding<'id' | 'allowed'>, field: string): void {
  if (!parentPrefixes.some((prefix) => id.startsWith(`${prefix}_`))) return;
  const allowed = childPrefixes.map((prefix) => `${prefix}_`);
  throw new Problem(error, { id, allowed: allowed.join(', ') }, { field, allowed });
}
