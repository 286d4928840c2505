/**
 * Parts of a request that lists of requests hide.
 * Invariant: without the operator's consent, no list has a value of a query or the whole address of a visitor.
 */
import { networkOf } from '../../core/ip/client-address.ts';
import { loginPaths } from '../../login/paths.ts';

const HIDDEN = '[hidden]';
const LONGEST_NAME = 64;

/** Returns the recorded form of a query. A part without "=" may be a secret, so only names before one are shown. */
export function shownQuery(query: string, path: string, isFull: boolean): string {
  if (query === '') return '';
  // The query has the identity provider's data about the visitor.
  if (loginPaths.has(path)) return HIDDEN;
  if (isFull) return query;
  return query
    .split('&')
    .map((part) => {
      const end = part.indexOf('=');
      return end > 0 && end <= LONGEST_NAME ? part.slice(0, end + 1) : HIDDEN;
    })
    .join('&');
}

/** Returns the address of a visitor, or its network. */
export function shownClient(ip: string, isFull: boolean): string {
  return isFull ? ip : networkOf(ip);
}
