/**
 * Which programs are served, by what they call themselves. Never that a filter keeps the service busy: its patterns together, and the
 * texts that they are looked for in, have bounds.
 */
import { anyOf, compilePattern } from './re2-pattern.ts';

/** Steps of all automata of a filter. */
export const maxFilterSize = 3000;
/** Characters; what calls itself by more is not served. */
const maxUserAgent = 1024;

export interface UserAgentPatterns {
  readonly allow: readonly string[];
  readonly deny: readonly string[];
}

export interface UserAgentFilter {
  serves(userAgent: string): boolean;
}

export interface UserAgentFault {
  readonly list: keyof UserAgentPatterns;
  readonly index: number;
  /** What is wrong with the pattern; null: it makes the filter too large. */
  readonly reason: string | null;
}

/** What is found by a pattern of "allow" is served, then what is found by none of "deny". */
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
  return {
    serves: (userAgent) => userAgent.length <= maxUserAgent && (isAllowed(userAgent) || !isDenied(userAgent)),
  };
}
