/**
 * Sends one HTTP request to a target.
 * Invariant: no redirect is followed, only the beginning of a response is kept, and the time has a limit.
 */
import {
  type Agent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as requestPlain,
} from 'node:http';
import { request as requestTls } from 'node:https';
import { GrowingBuffer } from '@underpass/wire';

export interface Post {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly agent: Agent;
  readonly signal: AbortSignal;
  /** Milliseconds for the whole exchange. */
  readonly timeoutMs: number;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The beginning of the body. */
  readonly text: string;
}

/** Bytes of the body that are kept. A token is longer than most responses. */
const KEPT_BYTES = 16_384;
/** Bytes of a response after which the connection is closed. */
const READ_BYTES = 65_536;

/** Rejects if there is no whole response. */
export function post({ url, headers, body, agent, signal, timeoutMs }: Post): Promise<Answer> {
  const send = url.protocol === 'https:' ? requestTls : requestPlain;
  const ends = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const sized = { ...headers, 'Content-Length': body.length };
  return new Promise((resolve, reject) => {
    const failed = (error: Error): void => reject(ends.aborted ? ends.reason : error);
    const request = send(url, { method: 'POST', headers: sized, agent, signal: ends }, (response) => {
      read(response).then(resolve, failed);
    });
    request.on('error', failed);
    request.end(body);
  });
}

async function read(response: IncomingMessage): Promise<Answer> {
  const { statusCode: status = 0, headers } = response;
  const kept = new GrowingBuffer({ mostBytes: KEPT_BYTES });
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    if (bytes < KEPT_BYTES) kept.append(chunk.subarray(0, KEPT_BYTES - bytes));
    bytes += chunk.length;
    if (bytes >= READ_BYTES) break;
  }
  return { status, headers, text: kept.bytes.toString('utf8') };
}
