/** The bytes of an answer. Never a body where a client expects none (RFC 9112, section 6.3). */

import { reasonPhrase } from '../http-syntax/reason-phrase.ts';
import type { StreamedBody } from './streamed-body.ts';

export interface Answer {
  readonly status: number;
  /** Headers except those that the server adds itself: Date, Connection, Content-Length, Transfer-Encoding. */
  readonly headers: readonly (readonly [string, string])[];
  /** Null for none at all. A function writes the body piece by piece. */
  readonly body: string | Buffer | null | StreamedBody;
}

/** `isHead`: the response belongs to a HEAD request. `connection`: the header lines that keep or close the connection. */
export interface Form {
  readonly isHead: boolean;
  readonly connection: string;
}

/** Largest body, in bytes, that is handed to TLS in one piece with its head. */
export const SHORT_BYTES = 32 * 1024;

export const CLOSE = 'Connection: close\r\n';

/** Returns the lines that keep a connection open, with the server's limit of idle time. `ms`: that limit, in milliseconds. */
export function keepAliveLines(ms: number): string {
  return `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(ms / 1000)}\r\n`;
}

/** A head, and a body behind it that is not copied: many clients may be sent the same one. */
export interface Message {
  /** One byte for each character, which Node writes without a copy in between. Short bodies are in it. */
  readonly head: string;
  readonly body: Buffer | null;
}

function headOf({ status, headers }: Answer, connection: string): string {
  let head = `HTTP/1.1 ${status} ${reasonPhrase(status)}\r\nDate: ${httpDate()}\r\n${connection}`;
  for (const [name, value] of headers) head += `${name}: ${value}\r\n`;
  return head;
}

/** The head of a response whose body comes piece by piece. `isChunked`: false if its connection ends with it. */
export function streamedHead(answer: Answer, connection: string, isChunked: boolean): string {
  return `${headOf(answer, connection)}${isChunked ? 'Transfer-Encoding: chunked\r\n' : ''}\r\n`;
}

/** The body of `answer` is complete. */
export function messageOf(
  answer: Answer & { readonly body: string | Buffer | null },
  { isHead, connection }: Form,
): Message {
  const { status, body } = answer;
  let head = headOf(answer, connection);
  if (body === null) {
    const ended = status === 204 || status === 304 ? `${head}\r\n` : `${head}Content-Length: 0\r\n\r\n`;
    return { head: ended, body: null };
  }
  const length = Buffer.byteLength(body);
  head += `Content-Length: ${length}\r\n\r\n`;
  if (isHead) return { head, body: null };
  if (typeof body !== 'string') return { head, body };
  // Nothing but ASCII, as nearly always.
  return length === body.length && length <= SHORT_BYTES
    ? { head: head + body, body: null }
    : { head, body: Buffer.from(body) };
}

let second = 0;
let date = '';

/** Returns the date in the format of RFC 9110, section 5.6.7. It is made once a second. */
function httpDate(): string {
  const now = Math.floor(Date.now() / 1000);
  if (now !== second) {
    second = now;
    date = new Date(now * 1000).toUTCString();
  }
  return date;
}
