/** Shows values of a client in error messages: cut, and in one line. */
import { printableLine } from './printable.ts';

const MOST_CHARACTERS = 100;

/** Returns at most 100 characters of a text, then an ellipsis if it has more. Control and steering characters are escaped. */
export function echo(text: string): string {
  return printableLine(cut(text));
}

/** Returns at most 100 characters of a text, then an ellipsis if it has more; never half of a surrogate pair. */
export function cut(text: string): string {
  if (text.length <= MOST_CHARACTERS) return text;
  // A character is one or two units, so that the rest of a long text is not read.
  const characters = Array.from(text.slice(0, 2 * (MOST_CHARACTERS + 1)));
  if (characters.length <= MOST_CHARACTERS) return text;
  return `${characters.slice(0, MOST_CHARACTERS).join('')}…`;
}
