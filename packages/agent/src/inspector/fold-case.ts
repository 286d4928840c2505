/** Folds text, so that a search finds it in any case. */

/** Lower case by way of upper case, which makes one of ß and SS, and of the two forms of sigma. */
export function foldCase(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII.
  if (/^[\x00-\x7f]*$/.test(text)) return text.toLowerCase();
  return text.normalize('NFC').toUpperCase().toLowerCase().replaceAll('ς', 'σ');
}
