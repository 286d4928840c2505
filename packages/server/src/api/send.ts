/**
 * Completes the headers of a response.
 * Invariant: every header has its name from the client's vocabulary.
 */
import type { Answer as HttpAnswer } from '../http-server/answer.ts';
import type { Answer } from './answer.ts';
import { readableBy } from './cross-origin.ts';
import type { RequestRecord } from './request-record.ts';

/** `origin`: origin of the page that sent the request, if any. */
export function complete(
  { status, headers, body, contentType = 'application/json', cacheControl = 'no-store' }: Answer,
  { vocabulary, operationId, isOfConsole }: Pick<RequestRecord, 'vocabulary' | 'operationId' | 'isOfConsole'>,
  origin: string | undefined,
): HttpAnswer {
  const { operationIdHeader } = vocabulary;
  const all: (readonly [string, string])[] = [[operationIdHeader, operationId]];
  if (body !== null) all.push(['Content-Type', contentType]);
  all.push(['Cache-Control', cacheControl], ...headers);
  if (isOfConsole) all.push(['Cross-Origin-Resource-Policy', 'same-origin']);
  else if (origin !== undefined) all.push(...readableBy(origin, operationIdHeader));
  return { status, headers: all, body };
}
