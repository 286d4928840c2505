/** Prefixes as ranges of keys, which databases find without reading anything else. */

/** The first text, in the order of bytes, after all that begin with the prefix. The prefix is ASCII and not empty. */
export function endOfPrefix(prefix: string): string {
  const last = prefix.length - 1;
  return prefix.slice(0, last) + String.fromCharCode(prefix.charCodeAt(last) + 1);
}
