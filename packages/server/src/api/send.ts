/** Writes an answer over node:http. Never with a header that the client's vocabulary calls otherwise. */
import type { ServerResponse } from 'node:http';
import type { Answer } from './answer.ts';
import { readableBy } from './cross-origin.ts';
import type { RequestRecord } from './request-record.ts';

/** `last`: the connection ends with this answer. */
export function sendAnswer(
  response: ServerResponse,
  { vocabulary, operationId }: Pick<RequestRecord, 'vocabulary' | 'operationId'>,
  answer: Answer,
  last: boolean,
): void {
  const { body } = answer;
  const { operationIdHeader } = vocabulary;
  const headers = [operationIdHeader, operationId];
  const length = body === null ? 0 : Buffer.byteLength(body);
  if (body !== null) {
    const type = answer.contentType ?? 'application/json';
    headers.push('content-type', type, 'content-length', String(length));
  }
  for (const [name, value] of answer.headers) headers.push(name, value);
  const { origin } = response.req.headers;
  if (origin !== undefined)
    for (const [name, value] of readableBy(origin, operationIdHeader)) headers.push(name, value);
  if (last) response.shouldKeepAlive = false;
  response.writeHead(answer.status, headers);
  if (body === null) response.end();
  else if (typeof body !== 'string') response.end(body);
  // Nothing but ASCII, as nearly always: Node writes that without transcoding.
  else response.end(body, length === body.length ? 'latin1' : 'utf8');
}
