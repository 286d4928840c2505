/**
 * The texts that a route compares paths with. Paths are compared percent-decoded, with dot segments resolved and
 * without empty segments, by whole characters (open points, decision 11). A match in another form could never match, so
 * it is refused.
 * Invariant: a path is compared in the form in which the upstream receives it.
 */

export type MatchType = 'exact_path' | 'path_prefix';

export type MatchFault =
  | 'not-absolute'
  /** `%2e`, because paths are decoded before the comparison. */
  | 'encoded'
  /** A query, a fragment, a backslash, a control character, half a surrogate pair. */
  | 'character'
  | 'empty-segment'
  | 'dot-segment';

const encoded = /%[0-9a-f]{2}/i;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
const outside = /[\x00-\x1f\x7f?#\\\p{Cs}]/u;

/** Returns null if some path can match. */
export function matchFault(match: string, type: MatchType): MatchFault | null {
  if (!match.startsWith('/')) return 'not-absolute';
  if (encoded.test(match)) return 'encoded';
  if (outside.test(match)) return 'character';
  if (match.includes('//')) return 'empty-segment';
  const segments = match.split('/');
  // The last segment of a prefix may be incomplete: `/.` matches `/.well-known`.
  const whole = type === 'path_prefix' ? segments.slice(0, -1) : segments;
  return whole.some((segment) => segment === '.' || segment === '..') ? 'dot-segment' : null;
}
