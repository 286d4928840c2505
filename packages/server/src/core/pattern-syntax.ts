/**
 * Regular expressions of users, of the kind that can be matched in time linear in the text. Never that a pattern can look
 * back or ahead, because what does so makes some texts take exponential time.
 *
 * The syntax is that of ECMAScript with the `u` flag, without back-references and look-around, and with a leading `(?i)`.
 */

/** All counts of a pattern multiplied: what bounds the size of an automaton for it, however they nest. */
const maxRepetition = 10_000;

const ignoreCase = '(?i)';
/** One step of a pattern: an escape, a class, the opening of a group, a count, or any other character. */
const step =
  /(?<escape>\\(?:[pPu]\{[^}]*\}|.))|\[(?:\\.|[^\]\\])*\]|\((?<group>\?(?:<?[=!])?)?|\{(?<count>[\d,]*)\}|./gsu;

/** What is wrong with a pattern, as the rest of a sentence; null when it can be used. */
export function patternFault(source: string): string | null {
  const insensitive = source.startsWith(ignoreCase);
  const pattern = insensitive ? source.slice(ignoreCase.length) : source;
  try {
    new RegExp(pattern, insensitive ? 'iu' : 'u');
  } catch (error) {
    // V8 says "Invalid regular expression: /…/u: Unterminated group".
    return String((error as Error).message.split(': ').at(-1)).toLowerCase();
  }
  let repetition = 1;
  for (const { groups = {} } of pattern.matchAll(step)) {
    if (/^\\[1-9k]/.test(groups.escape ?? '')) return 'it refers back to a group';
    if (/[=!]$/.test(groups.group ?? '')) return 'it looks ahead or behind';
    if (groups.count !== undefined) repetition *= Math.max(1, ...groups.count.split(',').map(Number));
    if (repetition > maxRepetition) return `its counts multiply to more than ${maxRepetition}`;
  }
  return null;
}
