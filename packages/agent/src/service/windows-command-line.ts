/**
 * Writes command lines of Windows, which programs split by the rules of `CommandLineToArgvW`.
 * Invariant: each word arrives as it was given.
 */

/** Returns the words as one command line. */
export function windowsCommandLine(words: readonly string[]): string {
  return words.map(quoted).join(' ');
}

/** Backslashes count only before a quote, and there each needs another one. */
function quoted(word: string): string {
  if (word !== '' && !/[\s"]/.test(word)) return word;
  return `"${word.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, '$1$1')}"`;
}
