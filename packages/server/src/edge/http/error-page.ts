/**
 * The edge's own error responses, with the error's code in a header field.
 * Invariant: values are escaped in the page.
 */

import type { ErrorName } from '../../errors/catalogue.ts';
import { causeSentence, type DialFault } from '../../errors/dial-fault.ts';
import { htmlPage } from '../../errors/html-page.ts';
import { errorCode, Problem } from '../../errors/problem.ts';
import { reasonPhrase } from '../../http-syntax/reason-phrase.ts';

export interface ErrorAnswer {
  readonly name: ErrorName;
  readonly values: Readonly<Record<string, string | number>>;
  /** The cause of an upstream that was not reached; absent or null for none. */
  readonly fault?: DialFault | null;
  readonly prefix: string;
  /** The response header that has the code. */
  readonly codeHeader: string;
  readonly date: string;
  /** True for HTML, false for plain text. */
  readonly html: boolean;
  /** The request was HEAD: head only. */
  readonly headOnly: boolean;
  readonly close: boolean;
}

/** Errors that may have one of several causes. */
const CAUSED: ReadonlySet<ErrorName> = new Set(['upstreamUnreachable', 'upstreamDialFailed']);

/** Further fields of an error, such as the supported versions (RFC 6455, section 4.4). */
const OWN_LINES: { readonly [Name in ErrorName]?: readonly string[] } = {
  // Each 401 names a scheme (RFC 9110, section 15.5.2). Browsers ignore unknown ones.
  loginNeeded: ['WWW-Authenticate: Cookie'],
  tunnelBusy: ['Retry-After: 5'],
  tunnelBusyForSource: ['Retry-After: 5'],
  websocketVersionUnsupported: ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'],
};

export interface ErrorBytes {
  readonly status: number;
  readonly bytes: Buffer;
  /** The message of the page. */
  readonly message: string;
}

/** The whole response. Nothing but the catalogue's text and escaped `values` gets into the page. */
export function errorResponse(answer: ErrorAnswer): ErrorBytes {
  const problem = new Problem(answer.name, answer.values);
  const { status } = problem.entry;
  const cause = answer.fault && CAUSED.has(answer.name) ? causeSentence(answer.fault) : '';
  const message = `${problem.message}${cause}`;
  const code = errorCode(answer.prefix, answer.name);
  const title = reasonPhrase(status);
  const body = answer.html
    ? htmlPage({ status, title, message, code })
    : `${status} ${title}\n${message}\n${code}\n`;
  const lines = [
    `HTTP/1.1 ${status} ${title}`,
    `Date: ${answer.date}`,
    `Content-Type: ${answer.html ? 'text/html' : 'text/plain'}; charset=utf-8`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    "Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'",
    'X-Content-Type-Options: nosniff',
    `${answer.codeHeader}: ${code}`,
    ...(OWN_LINES[answer.name] ?? []),
    ...(answer.close ? ['Connection: close'] : []),
  ];
  const bytes = Buffer.from(`${lines.join('\r\n')}\r\n\r\n${answer.headOnly ? '' : body}`);
  return { status, bytes, message };
}
