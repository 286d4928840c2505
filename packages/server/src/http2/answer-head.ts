/**
 * Writes the head of an HTTP/2 response as one of HTTP/1.1, to be read like any other.
 * Invariant: no field gains a meaning by that.
 */
import { MessageFault } from '@underpass/wire/http1';
import type { HeaderList } from '@underpass/wire/http2';
import { reasonPhrase } from '../http-syntax/reason-phrase.ts';
import { OF_CONNECTION } from './not-said.ts';
import type { WrittenRequest } from './request-writer.ts';
import { websocketAccept } from './websocket-accept.ts';

export interface AnswerHead {
  readonly status: number;
  /** One character a byte. */
  readonly text: string;
  /** The bytes of the body; -1: it comes in chunks. */
  readonly length: number;
}

/** `ends`: no body follows. A fault: the response is malformed (RFC 9113, section 8.1.1). */
export function answerHead(
  { fields, isTooLarge }: HeaderList,
  request: WrittenRequest,
  ends: boolean,
): AnswerHead | MessageFault {
  if (isTooLarge) return new MessageFault('a head that is too large', null);
  const [first, ...others] = fields;
  if (first?.name !== ':status' || !/^[1-9][0-9]{2}$/.test(first.value))
    return new MessageFault('a head that does not begin with a status', lineOf(first));
  const status = Number(first.value);
  let lines = '';
  let length: string | null = null;
  for (const field of others) {
    const { name, value, isSound } = field;
    if (!isSound || name.startsWith(':') || OF_CONNECTION.has(name))
      return new MessageFault('a header field that HTTP/2 does not allow', lineOf(field));
    if (name === 'content-length') {
      if (!/^[0-9]{1,15}$/.test(value))
        return new MessageFault('a Content-Length that is not a number', lineOf(field));
      if (length !== null && Number(length) !== Number(value))
        return new MessageFault('different values of Content-Length', `${length}, ${value}`);
      if (length !== null) continue;
      length = value;
    }
    lines += `${name}: ${value}\r\n`;
  }
  // Nothing is switched to in HTTP/2, and an interim answer is not the last word.
  if (status === 101 || (status < 200 && ends))
    return new MessageFault('a final head with an interim status', first.value);
  return framed(status, lines, length, request, ends);
}

function framed(
  status: number,
  lines: string,
  length: string | null,
  request: WrittenRequest,
  ends: boolean,
): AnswerHead | MessageFault {
  const { websocketKey } = request;
  if (websocketKey !== null && status >= 200 && status < 300) {
    if (ends) return new MessageFault('a WebSocket that ends with its head', null);
    return { status: 101, text: switching(websocketKey, lines), length: 0 };
  }
  const hasBody = status >= 200 && status !== 204 && status !== 304 && !request.isHead;
  if (!hasBody) return { status, text: headText(status, lines), length: 0 };
  if (ends && Number(length ?? 0) !== 0)
    return new MessageFault('a body that is shorter than its length', length);
  if (length !== null) return { status, text: headText(status, lines), length: Number(length) };
  const framing = ends ? 'content-length: 0\r\n' : 'transfer-encoding: chunked\r\n';
  return { status, text: headText(status, lines + framing), length: ends ? 0 : -1 };
}

function lineOf(field: { readonly name: string; readonly value: string } | undefined): string {
  return field === undefined ? '' : `${field.name}: ${field.value}`;
}

function headText(status: number, lines: string): string {
  return `HTTP/1.1 ${status} ${reasonPhrase(status)}\r\n${lines}\r\n`;
}

function switching(key: string, lines: string): string {
  const own = `Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: ${websocketAccept(key)}\r\n`;
  return headText(101, own + lines);
}
