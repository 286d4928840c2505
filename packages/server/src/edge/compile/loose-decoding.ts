/** Decodes percent-encoding and UTF-8 in the ways that upstreams are known to. */

/** Decodes text that has one character a byte. */
type Decode = (bytes: string) => string;

const ESCAPES = /%([0-9a-f]{2})/gi;
const ESCAPES_BUT_SLASHES = /%(?!2f)([0-9a-f]{2})/gi;
const UNITS = /%u([0-9a-f]{4})/gi;
/** Sequences of UTF-8 by their first byte, overlong ones and those of five and six bytes among them. */
const SEQUENCES =
  /[\xc0\xc1][\0-\xff]|[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf7][\x80-\xbf]{3}|[\xf8-\xfb][\x80-\xbf]{4}|[\xfc\xfd][\x80-\xbf]{5}/g;
const LAST_CODE_POINT = 0x10ffff;

/** Some upstreams take encoded slashes for characters of a segment. Strict ones replace what is no UTF-8, lenient ones read it. */
export const decodings: readonly Decode[] = [ESCAPES, ESCAPES_BUT_SLASHES].flatMap((escapes) => {
  const unescaped: Decode = (bytes) =>
    bytes.replace(escapes, (_, byte: string) => String.fromCharCode(Number.parseInt(byte, 16)));
  return [
    (bytes: string) => Buffer.from(unescaped(bytes), 'latin1').toString('utf8'),
    (bytes: string) => lenient(unescaped(bytes)),
  ];
});

/** The same, for what was decoded before. */
export const furtherDecodings: readonly ((text: string) => string)[] = decodings.map(
  (decode) => (text: string) =>
    text.includes('%') ? decode(Buffer.from(text, 'utf8').toString('latin1')) : text,
);

/** Decodes `%u0061`. */
export function decodeUnits(text: string): string {
  return text.replace(UNITS, (_, unit: string) => String.fromCharCode(Number.parseInt(unit, 16)));
}

/** A byte that is part of no sequence counts as ISO 8859-1. */
function lenient(bytes: string): string {
  return bytes.replace(SEQUENCES, (sequence) => {
    let code = sequence.charCodeAt(0) & (0xff >> (sequence.length + 1));
    for (let at = 1; at < sequence.length; at++) code = (code << 6) | (sequence.charCodeAt(at) & 0x3f);
    return code >= 0 && code <= LAST_CODE_POINT ? String.fromCodePoint(code) : sequence;
  });
}
