/**
 * Responses to clients that sent no HTTP request, or half of one.
 * Invariant: a response never contains anything that the client sent.
 */
import { Problem } from '../errors/problem.ts';
import type { RequestFault } from '../http-server/request.ts';

export const HEAD_LIMIT = 16 * 1024;

export function faultProblem(fault: RequestFault): Problem {
  switch (fault) {
    case 'requestHeadTooLarge':
    case 'requestHeaderCount':
      return new Problem('requestHeadTooLarge', { limit: HEAD_LIMIT }, { limit: HEAD_LIMIT });
    case 'requestTimeout':
      return new Problem('requestTimeout');
    default:
      return new Problem('requestMalformed', { reason: REASONS[fault] });
  }
}

type Malformed = Exclude<RequestFault, 'requestHeadTooLarge' | 'requestHeaderCount' | 'requestTimeout'>;

const REASONS: Readonly<Record<Malformed, string>> = {
  requestLineMalformed: 'its first line is none',
  requestTargetMalformed: 'its target has characters that no target may have',
  requestHeaderMalformed: 'a header could not be understood',
  httpVersionUnsupported: 'its version is neither 1.1 nor 1.0',
  requestFramingAmbiguous: 'it has Content-Length and Transfer-Encoding',
  requestLengthInvalid: 'its Content-Length is not one number',
  requestCodingUnsupported: 'its Transfer-Encoding is not chunked alone',
  requestCodingInHttp10: 'it has a Transfer-Encoding, which HTTP/1.0 does not have',
  requestChunkMalformed: 'a chunk could not be understood',
  requestTrailerMalformed: 'its trailer section could not be understood',
  requestUnfinished: 'it ends early',
};
