/** Checks that a response head is strictly formed, byte by byte and without a copy. */
import { COLON, CR, LF, SP, TOKEN, VALUE } from './bytes.ts';

/** Bytes of `HTTP/1.1 200`. */
const STATUS_LINE = 12;

/** `end` is the offset after the last header line, before the empty one. Framing and the status are not checked. */
export function isStrictResponse(bytes: Buffer, start: number, end: number): boolean {
  const separator = bytes[start + STATUS_LINE];
  if (separator !== SP && separator !== CR) return false;
  let at = lineEnd(bytes, start + STATUS_LINE, end);
  while (at !== -1 && at < end) {
    const name = at;
    while (at < end && TOKEN[bytes[at]!] === 1) at += 1;
    if (at === name || bytes[at] !== COLON) return false;
    at = lineEnd(bytes, at + 1, end);
  }
  return at !== -1;
}

/** Returns the offset after the CRLF that follows a value; -1 if something else follows. */
function lineEnd(bytes: Buffer, start: number, end: number): number {
  let at = start;
  while (at < end && VALUE[bytes[at]!] === 1) at += 1;
  return at + 2 <= end && bytes[at] === CR && bytes[at + 1] === LF ? at + 2 : -1;
}
