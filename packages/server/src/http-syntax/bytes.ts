/** Tables of 256 entries, and comparisons on bytes. */

export const CR = 0x0d;
export const LF = 0x0a;
export const SP = 0x20;
export const HTAB = 0x09;
export const COLON = 0x3a;

function table(allowed: (byte: number) => boolean): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) => (allowed(byte) ? 1 : 0));
}

const TOKEN_MARKS = "!#$%&'*+-.^_`|~";

/** `tchar`: methods, field names, connection options. */
export const TOKEN = table(
  (byte) => /[0-9A-Za-z]/.test(String.fromCharCode(byte)) || TOKEN_MARKS.includes(String.fromCharCode(byte)),
);
/** Field values and reason phrases: visible, space, tab, obs-text; no control character. */
export const VALUE = table((byte) => byte === HTAB || (byte >= SP && byte !== 0x7f));
/** Request targets: visible ASCII without `#`. Wider than the grammar of URIs, since browsers send `|`, `{`, `"` as they are. */
export const TARGET = table((byte) => byte > SP && byte < 0x7f && byte !== 0x23);

/** The value of a hexadecimal digit, 255 for any other byte. */
export const HEX = Uint8Array.from({ length: 256 }, (_, byte) => {
  const digit = String.fromCharCode(byte);
  return /[0-9A-Fa-f]/.test(digit) ? Number.parseInt(digit, 16) : 255;
});

/** Lower case, and `_` read as `-`, as CGI-like upstreams do: two names that fold alike can be one to an upstream. */
export const FOLD = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte === 0x5f) return 0x2d;
  return byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte;
});

/** Whether the bytes from `start` to `end` are `word` (given in lower case) in any case. */
export function isWord(bytes: Uint8Array, start: number, end: number, word: Uint8Array): boolean {
  if (end - start !== word.length) return false;
  for (let i = 0; i < word.length; i += 1) {
    const byte = bytes[start + i]!;
    if ((byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte) !== word[i]) return false;
  }
  return true;
}

/** Whether the bytes from `start` to `end` are exactly `other`. */
export function sameBytes(bytes: Uint8Array, start: number, end: number, other: Uint8Array): boolean {
  if (end - start !== other.length) return false;
  for (let i = 0; i < other.length; i += 1) if (bytes[start + i] !== other[i]) return false;
  return true;
}

/** Whether the bytes from `start` to `end` are exactly `text`, which has one character a byte. */
export function sameText(bytes: Uint8Array, start: number, end: number, text: string): boolean {
  if (end - start !== text.length) return false;
  for (let i = 0; i < text.length; i += 1) if (bytes[start + i] !== text.charCodeAt(i)) return false;
  return true;
}
