/**
 * Lets web pages of any origin use the API with their key (Fetch standard, section 3.2; open points, part B 0.17).
 * Only the key counts here, no cookie and no address. So a page can do no more than the owner of its key.
 */

import type { Headers as RequestHeaders } from '../http-server/request.ts';
import type { Answer } from './answer.ts';
import { NOT_EVERYWHERE_HEADER, UNREACHABLE_HEADER } from './answer.ts';
import { optionsAnswer } from './options-request.ts';
import type { Path } from './routes.ts';

type Headers = readonly (readonly [string, string])[];

/** Seconds for which a browser may remember the response. */
const MAX_AGE = 600;

const READABLE = `etag, retry-after, ${UNREACHABLE_HEADER}, ${NOT_EVERYWHERE_HEADER}`;

/** Returns true for the headers of a preflight: a browser sends one before the request of a page. */
export function isPreflight(headers: RequestHeaders): boolean {
  return headers.has('origin') && headers.has('access-control-request-method');
}

/** Permits every header that the page requests; the API ignores unknown ones. */
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

/**
 * Headers for every response to a page of this origin, errors too. Without them the page could read neither the
 * response nor its id header.
 */
export function readableBy(origin: string, operationIdHeader: string): Headers {
  return [
    ['access-control-allow-origin', origin],
    ['access-control-allow-credentials', 'true'],
    ['access-control-expose-headers', `${READABLE}, ${operationIdHeader}`],
    ['vary', 'origin'],
  ];
}
