/**
 * The text that a route compares paths with. Never that a path is compared in another form than the upstream sees it in.
 *
 * Paths are compared percent-decoded, with dot segments resolved and without empty segments, by whole characters (open
 * points, decision 11). A match that is not in that form would look like a rule and be none.
 */

export type MatchType = 'exact_path' | 'path_prefix';

export type MatchFault =
  | 'not-absolute'
  /** `%2e`: paths are decoded before they are compared. */
  | 'encoded'
  /** The query, the fragment, a backslash, a control character, half a surrogate pair. */
  | 'character'
  | 'empty-segment'
  | 'dot-segment';

const encoded = /%[0-9a-f]{2}/i;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
const outside = /[\x00-\x1f\x7f?#\\\p{Cs}]/u;

/** Null when there is a path that it matches. */
export function matchFault(match: string, type: MatchType): MatchFault | null {
  if (!match.startsWith('/')) return 'not-absolute';
  if (encoded.test(match)) return 'encoded';
  if (outside.test(match)) return 'character';
  if (match.includes('//')) return 'empty-segment';
  const segments = match.split('/');
  // The last segment of a prefix may go on: `/.` matches `/.well-known`.
  const whole = type === 'path_prefix' ? segments.slice(0, -1) : segments;
  return whole.some((segment) => segment === '.' || segment === '..') ? 'dot-segment' : null;
}
