/** Decodes percent-encoding and UTF-8 as leniently as any upstream is known to. */

const ESCAPES = /%u([0-9a-f]{4})|%([0-9a-f]{2})/gi;
const ESCAPES_BUT_SLASHES = /%(?!2f)([0-9a-f]{2})/gi;
/** Sequences of UTF-8 by their first byte, overlong ones and those of five and six bytes among them. */
const SEQUENCES =
  /[\xc0\xc1][\0-\xff]|[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf7][\x80-\xbf]{3}|[\xf8-\xfb][\x80-\xbf]{4}|[\xfc\xfd][\x80-\xbf]{5}/g;
const LAST_CODE_POINT = 0x10ffff;

/** `bytes` has one character a byte. `%u0061` is decoded, too. */
export function decodeBytes(bytes: string): string {
  const decoded = bytes.replace(ESCAPES, (_, unit: string | undefined, byte: string) =>
    unit === undefined ? String.fromCharCode(Number.parseInt(byte, 16)) : utf8(unit),
  );
  return textOf(decoded);
}

/** Leaves encoded slashes, which some upstreams take for characters of a segment. `bytes` has one character a byte. */
export function decodeBytesButSlashes(bytes: string): string {
  return textOf(
    bytes.replace(ESCAPES_BUT_SLASHES, (_, byte: string) => String.fromCharCode(Number.parseInt(byte, 16))),
  );
}

/** Decodes once more what was decoded before. */
export function decodeText(text: string): string {
  return text.includes('%') ? decodeBytes(Buffer.from(text, 'utf8').toString('latin1')) : text;
}

function utf8(unit: string): string {
  return Buffer.from(String.fromCharCode(Number.parseInt(unit, 16)), 'utf8').toString('latin1');
}

/** A byte that is part of no sequence counts as ISO 8859-1. */
function textOf(bytes: string): string {
  return bytes.replace(SEQUENCES, (sequence) => {
    let code = sequence.charCodeAt(0) & (0xff >> (sequence.length + 1));
    for (let at = 1; at < sequence.length; at++) code = (code << 6) | (sequence.charCodeAt(at) & 0x3f);
    return code >= 0 && code <= LAST_CODE_POINT ? String.fromCodePoint(code) : sequence;
  });
}
