/**
 * Sends requests to servers that tenants name, with the responses of `fetch`.
 * Invariant: requests never reach inner addresses, follow no redirect, use TLS, and have limits in time and size.
 */
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { GrowingBuffer } from '@underpass/wire';
import type { OutboundAgent } from './agent.ts';

const timeoutMs = 10_000;
const usualBytes = 1024 * 1024;

/** The request failed; the message is for the owner of the resource that names the server. */
export class OutboundError extends Error {
  override readonly name: string = 'OutboundError';
}

export class AnswerTooLarge extends OutboundError {
  override readonly name = 'AnswerTooLarge';

  constructor(mostBytes: number) {
    super(`an answer has more than ${mostBytes} bytes`);
  }
}

export interface Question {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Bytes of the response. Default: 1 MiB. */
  readonly mostBytes?: number;
  /** Ends the request early. */
  readonly signal?: AbortSignal;
}

/** Returns responses of every status, also redirects. Rejects with OutboundError, InsideError or the network's error. */
export async function outboundFetch(
  agent: OutboundAgent,
  url: string,
  { method = 'GET', headers = {}, body, mostBytes = usualBytes, signal: ended }: Question,
): Promise<Response> {
  const to = URL.canParse(url) ? new URL(url) : null;
  if (to?.protocol !== 'https:') throw new OutboundError(`"${url.slice(0, 255)}" does not begin with https:`);
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = ended === undefined ? timeout : AbortSignal.any([timeout, ended]);
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  const failed = (error: Error): void =>
    reject(
      timeout.aborted ? new OutboundError(`${to.host} gave no answer within ${timeoutMs / 1000} s`) : error,
    );
  const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
  const asked = request(to, { method, headers: { ...headers, ...length }, agent, signal }, (answer) => {
    read(answer, mostBytes).then(resolve, failed);
  });
  asked.on('error', failed);
  asked.end(body);
  return await promise;
}

async function read(answer: IncomingMessage, mostBytes: number): Promise<Response> {
  const body = new GrowingBuffer();
  for await (const piece of answer as AsyncIterable<Buffer>) {
    if (body.length + piece.length > mostBytes) throw new AnswerTooLarge(mostBytes);
    body.append(piece);
  }
  const headers = new Headers();
  for (const [name, value] of Object.entries(answer.headers))
    headers.set(name, [value ?? ''].flat().join(', '));
  const { statusCode: status = 0 } = answer;
  const hasBody = status >= 200 && status !== 204 && status !== 205 && status !== 304;
  return new Response(hasBody ? body.take() : null, { status, headers });
}
