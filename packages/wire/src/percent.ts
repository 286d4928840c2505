/** Decodes percent-encoded text (RFC 3986, section 2.1). */

const ENCODED = /(?:%[0-9a-f]{2})+/gi;

/** The text with its percent-encoded UTF-8 decoded; everything else stays as it is. Never throws. */
export function percentDecoded(text: string): string {
  return text.replace(ENCODED, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      return run;
    }
  });
}
