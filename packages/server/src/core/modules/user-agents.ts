/**
 * Filters clients by their User-Agent.
 * Invariant: the size of a filter's patterns and the length of the searched text have limits.
 */
import { anyOf, compilePattern } from './re2-pattern.ts';

/** Steps of all automata of a filter. */
export const maxFilterSize = 3000;
/** Characters of a User-Agent. A longer one is not served. */
const maxUserAgent = 1024;

export interface UserAgentPatterns {
  readonly allow: readonly string[];
  readonly deny: readonly string[];
}

/** Reason of the filter: a list that matches, the length, or no match in either list. */
export type UserAgentReason = 'allowed' | 'denied' | 'long' | 'unlisted';

export interface UserAgentFilter {
  serves(userAgent: string): boolean;
  /** Returns the reason of `serves`: it serves what is `allowed` or `unlisted`. */
  reasonOf(userAgent: string): UserAgentReason;
}

export interface UserAgentFault {
  readonly list: keyof UserAgentPatterns;
  readonly index: number;
  /** The fault of the pattern; null if the filter is too large. */
  readonly reason: string | null;
}

/** Compiles a filter. A match of "allow" is served, then a text without a match of "deny". */
export function compileUserAgentFilter(patterns: UserAgentPatterns): UserAgentFilter | UserAgentFault {
  let size = 0;
  for (const list of ['allow', 'deny'] as const) {
    for (const [index, source] of patterns[list].entries()) {
      const pattern = compilePattern(source);
      if ('fault' in pattern) return { list, index, reason: pattern.fault };
      size += pattern.size;
      if (size > maxFilterSize) return { list, index, reason: null };
    }
  }
  const [isAllowed, isDenied] = [anyOf(patterns.allow), anyOf(patterns.deny)];
  const reasonOf = (userAgent: string): UserAgentReason => {
    if (userAgent.length > maxUserAgent) return 'long';
    if (isAllowed(userAgent)) return 'allowed';
    return isDenied(userAgent) ? 'denied' : 'unlisted';
  };
  const serves = (userAgent: string): boolean => {
    const reason = reasonOf(userAgent);
    return reason === 'allowed' || reason === 'unlisted';
  };
  return { serves, reasonOf };
}
