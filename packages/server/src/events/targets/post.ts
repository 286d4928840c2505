/**
 * One request to a target over HTTP. Never that a redirect is followed, that more than the beginning of an answer is kept, or that it
 * takes longer than it may.
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
  /** For all of it. */
  readonly timeoutMs: number;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Its beginning. */
  readonly text: string;
}

/** A token is longer than most. */
const KEPT_BYTES = 16_384;
/** An answer that goes on beyond this ends the connection. */
const READ_BYTES = 65_536;

/** Rejects where there is no whole answer. */
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
