/**
 * Lets web pages of any origin use the API with a key that they have (Fetch standard, section 3.2; open points, part B 0.17).
 * Nothing here counts but the key, no cookie and no address, so a page can do no more than whoever gave it the key.
 */
import type { Headers as RequestHeaders } from '../http-server/request.ts';
import type { Answer } from './answer.ts';
import { optionsAnswer } from './options-request.ts';
import type { Path } from './routes.ts';

type Headers = readonly (readonly [string, string])[];

/** Seconds for which a browser may remember the response. */
const MAX_AGE = 600;

/** Returns true for the headers of a preflight: a browser sends one before the request of a page. */
export function isPreflight(headers: RequestHeaders): boolean {
  return headers.has('origin') && headers.has('access-control-request-method');
}

/** Every header that the page asks for may be sent; what means nothing is ignored. */
export function preflightAnswer(path: Path, headers: RequestHeaders): Answer {
  const wanted = headers.get('access-control-request-headers');
  const { status, headers: known, body } = optionsAnswer(path.methods);
  return {
    status,
    headers: [
      ...known,
      ['access-control-allow-methods', path.methods.join(', ')],
      ...(wanted === undefined ? [] : [['access-control-allow-headers', wanted] as const]),
      ['access-control-max-age', String(MAX_AGE)],
    ],
    body,
  };
}

/** For every answer to a page of this origin, errors too: without them the page could not read it, nor the header with its id. */
export function readableBy(origin: string, operationIdHeader: string): Headers {
  return [
    ['access-control-allow-origin', origin],
    ['access-control-allow-credentials', 'true'],
    ['access-control-expose-headers', `retry-after, ${operationIdHeader}`],
    ['vary', 'origin'],
  ];
}
