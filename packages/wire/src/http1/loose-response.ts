/**
 * Parses response heads that are not strictly formed as leniently as RFC 9112 permits, and writes each anew.
 * Invariant: the returned head is strictly formed and frames its body in one way.
 */
import { CR, headEnd, LF } from './bytes.ts';
import { fieldText, type LooseField, linesOf, looseFields, plainText } from './loose-fields.ts';
import { MessageFault } from './message-fault.ts';

export interface LooseResponse {
  /** The head, strictly formed, with its empty line. */
  readonly head: Buffer;
  /** Offset of the body in the bytes that were parsed. */
  readonly end: number;
}

export interface LooseLimits {
  readonly maxBytes: number;
  readonly maxFields: number;
}

const VERSION = Buffer.from('HTTP/1.');
const NO_STATUS_LINE = 'no status line of HTTP/1.1';
const STATUS_LINE = /^HTTP\/1\.[0-9][ \t]+([1-9][0-9]{2})(?:[ \t](.*))?$/s;

/** Parses the head that begins at `start`. Returns null if its end has not arrived. */
export function readLooseResponse(
  bytes: Buffer,
  start: number,
  limits: LooseLimits,
): LooseResponse | MessageFault | null {
  for (let i = 0; i < VERSION.length && start + i < bytes.length; i += 1) {
    if (bytes[start + i] !== VERSION[i]) return MessageFault.at(NO_STATUS_LINE, bytes, start);
  }
  const end = headEnd(bytes, start);
  const size = (end === -1 ? bytes.length : end) - start;
  if (size > limits.maxBytes) return tooLong(limits.maxBytes);
  if (end === -1) return unfinished(bytes, start);
  const lines = linesOf(bytes.toString('latin1', start, end));
  const [, status, reason = ''] = STATUS_LINE.exec(lines[0]!) ?? [];
  if (status === undefined) return new MessageFault(NO_STATUS_LINE, lines[0]!);
  const fields = looseFields(lines, 1, limits.maxFields);
  if (fields instanceof MessageFault) return fields;
  const framed = framedAnew(fields);
  if (framed instanceof MessageFault) return framed;
  const text = `HTTP/1.1 ${status} ${plainText(reason)}\r\n${fieldText(framed)}\r\n`;
  return { head: Buffer.from(text, 'latin1'), end };
}

/** Returns the fault of a head that is longer than `maxBytes`. */
export function tooLong(maxBytes: number): MessageFault {
  return new MessageFault(`a head of more than ${maxBytes} bytes`, null);
}

/** Returns the offset after empty lines at `start`. */
export function afterEmptyLines(bytes: Buffer, start: number): number {
  let at = start;
  while (at < bytes.length && (bytes[at] === CR || bytes[at] === LF)) at += 1;
  return at;
}

/** Returns null, to wait for more, only after a valid status line. */
function unfinished(bytes: Buffer, start: number): MessageFault | null {
  const lineEnd = bytes.indexOf(LF, start);
  if (lineEnd === -1) return null;
  const [line = ''] = linesOf(bytes.toString('latin1', start, lineEnd + 1));
  return STATUS_LINE.test(line) ? null : new MessageFault(NO_STATUS_LINE, line);
}

/** Replaces all framing fields by one field or none (RFC 9112, section 6.3). */
function framedAnew(fields: readonly LooseField[]): LooseField[] | MessageFault {
  const codings = listOf(fields, 'transfer-encoding').filter((one) => one.toLowerCase() !== 'identity');
  const lengths = valuesOf(fields, 'content-length');
  const rest = fields.filter(({ name }) => !FRAMING.has(name.toLowerCase()));
  if (codings.length > 0) {
    const [coding = '', second] = codings;
    if (second !== undefined || coding.toLowerCase() !== 'chunked')
      return new MessageFault('a Transfer-Encoding other than chunked', codings.join(', '));
    return [...rest, { name: 'Transfer-Encoding', value: 'chunked' }];
  }
  if (lengths.length === 0) return rest;
  const stated = lengths.flatMap((value) => value.split(',')).map(plainText);
  if (!stated.every((one) => /^[0-9]{1,16}$/.test(one) && Number.isSafeInteger(Number(one))))
    return new MessageFault('a Content-Length that is not a number', lengths.join(', '));
  const [length = 0, ...others] = stated.map(Number);
  if (others.some((other) => other !== length))
    return new MessageFault('different values of Content-Length', stated.join(', '));
  return [...rest, { name: 'Content-Length', value: String(length) }];
}

const FRAMING: ReadonlySet<string> = new Set(['content-length', 'transfer-encoding']);

function valuesOf(fields: readonly LooseField[], wanted: string): string[] {
  return fields.filter(({ name }) => name.toLowerCase() === wanted).map(({ value }) => value);
}

function listOf(fields: readonly LooseField[], wanted: string): string[] {
  return valuesOf(fields, wanted)
    .flatMap((value) => value.split(','))
    .map(plainText)
    .filter((one) => one !== '');
}
