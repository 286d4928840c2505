/**
 * Finds the end of a body from the head alone (RFC 9112, section 6.3).
 * Invariant: a head that can be read in two ways is rejected.
 */
import { isWord, SP, sameBytes } from './bytes.ts';
import { Field } from './fields.ts';
import type { Head } from './head.ts';

/** Lengths from 0 up are themselves. */
export const CHUNKED = -1;
/** Responses only: the body ends with the connection. */
export const UNTIL_CLOSE = -2;
export type Framing = number;

export type FramingFault = 'requestFramingAmbiguous' | 'requestLengthInvalid' | 'requestCodingUnsupported';

const ZERO = 0x30;
const CHUNKED_WORD = Buffer.from('chunked');

/** The framing of the request whose head was just read: a length (0 when there is no body) or CHUNKED. */
export function requestFraming(head: Head): Framing | FramingFault {
  const explicit = explicitFraming(head);
  return explicit === null ? 0 : explicit;
}

/**
 * Returns the framing of a response; null if it is faulty. `toHead`: the response belongs to a HEAD request. 1xx, 204
 * and 304 have no body in spite of their fields, but contradictory fields are rejected there too.
 */
export function responseFraming(head: Head, toHead: boolean): Framing | null {
  const explicit = explicitFraming(head);
  if (typeof explicit === 'string') return null;
  // RFC 9112, section 6.1: transfer codings do not exist in HTTP/1.0, so the framing is faulty.
  if (explicit === CHUNKED && head.minorVersion === 0) return null;
  const { status } = head;
  if (toHead || status < 200 || status === 204 || status === 304) return 0;
  return explicit ?? UNTIL_CLOSE;
}

/**
 * Returns the framing line of a message that is passed on, written anew. The next reader sees neither the white space
 * nor the leading zeros of the original. Empty if the message had no framing. The head must have been accepted by one
 * of the functions above.
 */
export function framingLine(head: Head, framing: Framing): string {
  if (framing === CHUNKED || framing === UNTIL_CLOSE) return 'Transfer-Encoding: chunked\r\n';
  // This differs from the framing: a response to HEAD states the length of a body that it does not contain.
  return head.has(Field.contentLength) ? `Content-Length: ${contentLength(head)}\r\n` : '';
}

/** True if the framing field is written as in `framingLine`, except for the case of its name. */
export function isFramedPlainly(head: Head): boolean {
  const isLength = head.has(Field.contentLength);
  if (!isLength && !head.has(Field.transferEncoding)) return true;
  const index = head.first[isLength ? Field.contentLength : Field.transferEncoding]!;
  const { bytes, offsets } = head;
  const start = offsets[4 * index + 2]!;
  const end = offsets[4 * index + 3]!;
  const isSpaced =
    start === offsets[4 * index + 1]! + 2 && bytes[start - 1] === SP && end + 2 === head.lineEnd(index);
  if (!isSpaced) return false;
  return isLength ? bytes[start] !== ZERO || end === start + 1 : sameBytes(bytes, start, end, CHUNKED_WORD);
}

function explicitFraming(head: Head): Framing | FramingFault | null {
  const hasLength = head.has(Field.contentLength);
  if (head.has(Field.transferEncoding)) {
    if (hasLength) return 'requestFramingAmbiguous';
    if (head.hasMany(Field.transferEncoding) || !isChunked(head)) return 'requestCodingUnsupported';
    return CHUNKED;
  }
  if (!hasLength) return null;
  if (head.hasMany(Field.contentLength)) return 'requestLengthInvalid';
  const length = contentLength(head);
  return length === -1 ? 'requestLengthInvalid' : length;
}

function isChunked(head: Head): boolean {
  const at = 4 * head.first[Field.transferEncoding]!;
  return isWord(head.bytes, head.offsets[at + 2]!, head.offsets[at + 3]!, CHUNKED_WORD);
}

/** Digits only; -1 for anything else and for what a double cannot hold exactly. */
function contentLength(head: Head): number {
  const at = 4 * head.first[Field.contentLength]!;
  const start = head.offsets[at + 2]!;
  const end = head.offsets[at + 3]!;
  if (start === end || end - start > 16) return -1;
  let length = 0;
  for (let i = start; i < end; i += 1) {
    const digit = head.bytes[i]! - 0x30;
    if (digit < 0 || digit > 9) return -1;
    length = length * 10 + digit;
  }
  return length <= Number.MAX_SAFE_INTEGER ? length : -1;
}
