/** Bytes with a meaning in heads of HTTP/1.x, and tables of the bytes that names and values may have. */

export const CR = 0x0d;
export const LF = 0x0a;
export const SP = 0x20;
export const HTAB = 0x09;
export const COLON = 0x3a;

const TOKEN_MARKS = "!#$%&'*+-.^_`|~";

function table(allowed: (byte: number) => boolean): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) => (allowed(byte) ? 1 : 0));
}

/** `tchar`: methods, field names, connection options. */
export const TOKEN = table(
  (byte) => /[0-9A-Za-z]/.test(String.fromCharCode(byte)) || TOKEN_MARKS.includes(String.fromCharCode(byte)),
);
/** Field values and reason phrases: visible, space, tab, obs-text; no control character. */
export const VALUE = table((byte) => byte === HTAB || (byte >= SP && byte !== 0x7f));

/**
 * Returns the offset after the empty line that ends a head, with line ends of CRLF or LF; -1 if the end has not
 * arrived.
 */
export function headEnd(bytes: Buffer, start: number): number {
  let at = bytes.indexOf(LF, start);
  while (at !== -1) {
    if (bytes[at + 1] === LF) return at + 2;
    if (bytes[at + 1] === CR && bytes[at + 2] === LF) return at + 3;
    at = bytes.indexOf(LF, at + 1);
  }
  return -1;
}
