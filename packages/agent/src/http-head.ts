/**
 * Bytes of the longest inspected head, with its blank line: twice the daemon's upper limit, because the daemon adds
 * fields.
 */
export const HEAD_MAX = 2 * 1024 * 1024;

/** Delimiters of the body after a head: a length in bytes (0 and up), or one of these. */
export const CHUNKED = -1;
export const UNTIL_END = -2;
/** Not understood, or no HTTP any more: stop looking. */
export const OPAQUE = -3;
/** An interim response (1xx): another head of the same exchange follows. */
export const INTERIM = -4;

/** Framing in the headers, before the rules of requests and responses are applied. */
const UNSAID = -5;
const OTHER_CODING = -6;

export interface RequestHead {
  readonly method: string;
  readonly path: string;
  /** A length, CHUNKED or OPAQUE. */
  readonly framing: number;
}

export interface ResponseHead {
  readonly status: number;
  /** A length, CHUNKED or UNTIL_END, not yet knowing the request's method; OPAQUE when not understood. */
  readonly framing: number;
}

const SPACE = 0x20;
const CR = 0x0d;
const LF = 0x0a;
const CONTENT_LENGTH = Buffer.from('content-length:');
const TRANSFER_ENCODING = Buffer.from('transfer-encoding:');
const HOST = Buffer.from('host:');
const FORWARDED_HOST = Buffer.from('x-forwarded-host:');
/** Bytes of a name with a port, and blanks around it. */
const HOST_MAX = 300;
const VERSION = Buffer.from('HTTP/1.');
const METHOD_MAX = 32;

/** Reads a request's head from `start` to `end` (after the last line's CRLF). Null when it is no HTTP/1.x (RFC 9112 section 3). */
export function parseRequestHead(bytes: Buffer, start: number, end: number): RequestHead | null {
  let space = start;
  const last = Math.min(end, start + METHOD_MAX);
  while (space < last && isMethodByte(bytes[space]!)) space++;
  const target = space + 1;
  const second = bytes.indexOf(SPACE, target);
  if (space === start || bytes[space] !== SPACE || second <= target || second >= end) return null;
  const version = second + 1;
  if (!matches(bytes, version, VERSION) || bytes[version + 8] !== CR || bytes[version + 9] !== LF)
    return null;
  const framing = framingOf(bytes, version + 10, end);
  return {
    method: bytes.toString('latin1', start, space),
    path: bytes.toString('latin1', target, second),
    framing: framing === UNSAID ? 0 : framing === OTHER_CODING ? OPAQUE : framing,
  };
}

/** Reads a strictly formed response head, likewise (RFC 9112 section 4). OPAQUE: its framing is not plain. */
export function parseResponseHead(bytes: Buffer, start: number, end: number): ResponseHead | null {
  if (!matches(bytes, start, VERSION) || bytes[start + 8] !== SPACE) return null;
  const status = number(bytes, start + 9, start + 12);
  const lineEnd = bytes.indexOf(LF, start + 12);
  if (status < 100 || lineEnd < 0 || lineEnd >= end) return null;
  const framing = framingOf(bytes, lineEnd + 1, end);
  if (framing === OTHER_CODING) return { status, framing: OPAQUE };
  return { status, framing: framing === UNSAID ? UNTIL_END : framing };
}

/**
 * Returns the name of the visitor's request: `X-Forwarded-Host` of the service, which keeps it if `Host` is replaced,
 * else `Host`.
 */
export function hostIn(bytes: Buffer, start: number, end: number): string {
  let host = '';
  for (let at = bytes.indexOf(LF, start) + 1; at > 0 && at < end; at = bytes.indexOf(LF, at) + 1) {
    const initial = bytes[at]! | 0x20;
    if (initial === 0x78 && matchesName(bytes, at, FORWARDED_HOST))
      return valueFrom(bytes, at + FORWARDED_HOST.length, end);
    if (initial === 0x68 && host === '' && matchesName(bytes, at, HOST))
      host = valueFrom(bytes, at + HOST.length, end);
  }
  return host;
}

/** The rest of the line, cut to what a name can be. */
function valueFrom(bytes: Buffer, start: number, end: number): string {
  const lineEnd = bytes.indexOf(LF, start);
  const last = Math.min(lineEnd < 0 ? end : lineEnd, end, start + HOST_MAX);
  return bytes.toString('latin1', start, last).trim();
}

function framingOf(bytes: Buffer, start: number, end: number): number {
  let framing = UNSAID;
  let at = start;
  while (at < end) {
    const lineEnd = bytes.indexOf(LF, at);
    if (lineEnd < 0 || lineEnd >= end) return OPAQUE;
    const initial = bytes[at]! | 0x20;
    if (initial === 0x63 && matchesName(bytes, at, CONTENT_LENGTH)) {
      const length = number(bytes, at + CONTENT_LENGTH.length, lineEnd);
      if (framing !== UNSAID || length < 0) return OPAQUE;
      framing = length;
    } else if (initial === 0x74 && matchesName(bytes, at, TRANSFER_ENCODING)) {
      if (framing !== UNSAID) return OPAQUE;
      const codings = bytes.toString('latin1', at + TRANSFER_ENCODING.length, lineEnd);
      framing = /^\s*chunked\s*$/i.test(codings) ? CHUNKED : OTHER_CODING;
    }
    at = lineEnd + 1;
  }
  return framing;
}

/** Digits between optional white space; -1 when there is anything else, or too many. */
function number(bytes: Buffer, start: number, end: number): number {
  let from = start;
  let to = end;
  while (from < to && isBlank(bytes[from]!)) from++;
  while (to > from && isBlank(bytes[to - 1]!)) to--;
  if (from === to || to - from > 15) return -1;
  let value = 0;
  for (let at = from; at < to; at++) {
    const digit = bytes[at]! - 0x30;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  return value;
}

function isBlank(byte: number): boolean {
  return byte === SPACE || byte === 0x09 || byte === CR;
}

function isMethodByte(byte: number): boolean {
  return (byte >= 0x41 && byte <= 0x5a) || byte === 0x2d || byte === 0x5f;
}

function matches(bytes: Buffer, at: number, expected: Buffer): boolean {
  for (let index = 0; index < expected.length; index++)
    if (bytes[at + index] !== expected[index]) return false;
  return true;
}

function matchesName(bytes: Buffer, at: number, lowerCase: Buffer): boolean {
  for (let index = 0; index < lowerCase.length; index++) {
    const byte = bytes[at + index]!;
    const folded = byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte;
    if (folded !== lowerCase[index]) return false;
  }
  return true;
}
