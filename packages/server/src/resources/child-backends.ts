/**
 * The kinds of backends, and the kinds that failover and weighted backends accept as children (open points, decision
 * 12 and part B 1.13).
 */

import { Problem } from '../errors/problem.ts';
import type { ErrorNeeding } from '../errors/values.ts';
import type { Reference } from './definition.ts';

export const maxChildren = 32;

/** Prefixes of backends without children. */
const leafPrefixes = ['bkdhr', 'bkdtg', 'bkdsc'];
export const backendPrefixes = [...leafPrefixes, 'bkdfo', 'bkdwd'];

/** Prefixes of backends that may be children. Invariant: no backend is its own child, directly or over others. */
export interface Children {
  readonly prefixes: readonly string[];
  /** Raised for other backends. */
  readonly nested: ErrorNeeding<'id' | 'allowed'>;
  /** Raised for what is no backend. */
  readonly wrongPrefix: Reference['wrongPrefix'];
}

export const childrenOfWeighted: Children = {
  prefixes: leafPrefixes,
  nested: 'weightedChildNested',
  wrongPrefix: 'weightedChildNotBackend',
};

export const childrenOfFailover: Children = {
  prefixes: [...leafPrefixes, 'bkdwd'],
  nested: 'failoverChildNested',
  wrongPrefix: 'failoverChildNotBackend',
};

/** The reference from `field` to the children: `backends.*` of a list, `backends.~` of a map. */
export function childReference(field: string, { prefixes, wrongPrefix }: Children): Reference {
  return { field, prefixes, wrongPrefix, unknown: 'backendUnknown', binding: true };
}

/** Raises an error for a backend that may not be a child there. */
export function refuseNesting(id: string, { prefixes, nested }: Children, field: string): void {
  const isOf = (prefix: string): boolean => id.startsWith(`${prefix}_`);
  if (!backendPrefixes.some(isOf) || prefixes.some(isOf)) return;
  const allowed = prefixes.map((prefix) => `${prefix}_`);
  throw new Problem(nested, { id, allowed: allowed.join(', ') }, { field, allowed });
}
