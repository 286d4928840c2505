/** Converts prefixes to ranges of keys, for index look-ups. */

/** Returns the first text, in byte order, after all that begin with the prefix. The prefix is ASCII and not empty. */
export function endOfPrefix(prefix: string): string {
  const last = prefix.length - 1;
  return prefix.slice(0, last) + String.fromCharCode(prefix.charCodeAt(last) + 1);
}

/** A text after all ids, in byte order. */
export const ABOVE_ALL_IDS = '~';
