/** Tables of 256 entries, and comparisons on bytes. */

export { COLON, CR, HTAB, LF, SP, TOKEN, VALUE } from '@underpass/wire/http1';

function table(allowed: (byte: number) => boolean): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) => (allowed(byte) ? 1 : 0));
}

/** Request targets: visible ASCII without `#`. Wider than the grammar of URIs, since browsers send `|`, `{`, `"` as they are. */
export const TARGET = table((byte) => byte > 0x20 && byte < 0x7f && byte !== 0x23);

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

/** Returns true if the bytes from `start` to `end` are `word` (given in lower case) in any case. */
export function isWord(bytes: Uint8Array, start: number, end: number, word: Uint8Array): boolean {
  if (end - start !== word.length) return false;
  for (let i = 0; i < word.length; i += 1) {
    const byte = bytes[start + i]!;
    if ((byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte) !== word[i]) return false;
  }
  return true;
}

/** Returns true if the bytes from `start` to `end` are exactly `other`. */
export function sameBytes(bytes: Uint8Array, start: number, end: number, other: Uint8Array): boolean {
  if (end - start !== other.length) return false;
  for (let i = 0; i < other.length; i += 1) if (bytes[start + i] !== other[i]) return false;
  return true;
}

/** Returns true if the bytes from `start` to `end` are exactly `text`, which has one character a byte. */
export function sameText(bytes: Uint8Array, start: number, end: number, text: string): boolean {
  if (end - start !== text.length) return false;
  for (let i = 0; i < text.length; i += 1) if (bytes[start + i] !== text.charCodeAt(i)) return false;
  return true;
}
