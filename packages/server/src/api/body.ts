/**
 * Reads the body of a request.
 *
 * Invariant: a body takes no more memory than the limit, in whatever pieces it comes.
 */
import { GrowingBuffer } from '@underpass/wire';
import { Problem } from '../errors/problem.ts';
import type { Request } from '../http-server/request.ts';
import { faultProblem } from './broken-request.ts';

const BODY_LIMIT = 1024 * 1024;
const FIRST_BYTES = 4096;

/**
 * Reads a body of at most BODY_LIMIT bytes. Calls `grow` with the bytes of memory that it takes. If the length is
 * known, this happens before the body is requested. `grow` may raise Problem. Rejects with Problem if the body is
 * larger or ends early.
 */
export async function readBody(request: Request, grow: (bytes: number) => void): Promise<Buffer> {
  const { bodyLength } = request;
  if (bodyLength !== null && bodyLength > BODY_LIMIT) throw tooLarge();
  if (bodyLength !== null) grow(bodyLength);
  const body = new GrowingBuffer({ firstBytes: FIRST_BYTES, mostBytes: bodyLength ?? BODY_LIMIT });
  const append = (piece: Buffer): void => {
    if (body.length + piece.length > BODY_LIMIT) throw tooLarge();
    const before = body.capacity;
    body.append(piece);
    if (bodyLength === null && body.capacity > before) grow(body.capacity - before);
  };
  return new Promise((resolve, reject) => {
    request.readBody({
      data(piece) {
        try {
          append(piece);
        } catch (problem) {
          request.discardBody();
          reject(problem);
        }
      },
      end: () => resolve(body.bytes),
      fail: (fault) => reject(fault === null ? new Problem('bodyUnreadable') : faultProblem(fault)),
    });
  });
}

function tooLarge(): Problem {
  return new Problem('bodyTooLarge', { limit: BODY_LIMIT }, { limit: BODY_LIMIT });
}
