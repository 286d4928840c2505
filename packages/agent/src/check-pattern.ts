/**
 * Checks regular expressions in the syntax of RE2 before they are sent.
 * Invariant: nothing is rejected that a service could accept; it checks the rest.
 */
import { InvalidInput } from './address.ts';

/** One element of a pattern: an escaped character, a class, the beginning of a group, or any character. */
const ELEMENT =
  /\\Q[\s\S]*?(?:\\E|$)|\\[\s\S]|\[\^?\]?(?:\[:\^?\w+:\]|\\[\s\S]|[^\]\\])*\]|\(\?<?[=!]|[\s\S]/g;

/** Throws InvalidInput. `flag`: what has given it. */
export function checkPattern(text: string, flag: string): void {
  const fault = faultOf(text);
  if (fault === null) return;
  throw new InvalidInput(`"${text.slice(0, 100)}" is not a regular expression: ${fault}.`, flag);
}

/** Returns the fault, then the remedy; null for a valid text. */
function faultOf(text: string): string | null {
  let depth = 0;
  for (const [element] of text.matchAll(ELEMENT)) {
    if (element === '\\') return 'a backslash ends it. Write \\\\ for a backslash';
    if (element === '[') return 'a class does not end. Close it with ], or write \\[ for a bracket';
    if (/^\(\?<?[=!]/.test(element)) return `${element} is not supported. Leave out what looks around`;
    if (element === '(') depth++;
    if (element === ')' && --depth < 0) return 'a ) has no (. Open it, or write \\) for a parenthesis';
  }
  return depth === 0 ? null : 'a ( has no ). Close it, or write \\( for a parenthesis';
}
