/** Reads the body of a request. Never more of it than the limit. */
import { Problem } from '../errors/problem.ts';
import type { Request } from '../http-server/request.ts';
import { faultProblem } from './broken-request.ts';

const BODY_LIMIT = 1024 * 1024;
const FIRST_BYTES = 4096;
/** Each piece costs the same work, be it a byte or 64 KiB: this is 1 MiB in pieces of 64 bytes. */
const PIECES_LIMIT = 16 * 1024;

/**
 * Reads a body of at most BODY_LIMIT bytes. `grow` is told of the memory that it takes, all of it before the body is asked for where its
 * length is known, and may raise Problem. Rejects with Problem when it is larger or ends early.
 */
export async function readBody(request: Request, grow: (bytes: number) => void): Promise<Buffer> {
  const { bodyLength } = request;
  if (bodyLength !== null && bodyLength > BODY_LIMIT) throw tooLarge();
  if (bodyLength !== null) grow(bodyLength);
  const body = new BodyBuffer(bodyLength ?? BODY_LIMIT, bodyLength === null ? grow : null);
  return new Promise((resolve, reject) => {
    request.readBody({
      data(piece) {
        try {
          body.append(piece);
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

/** One piece of memory: a body may come in many pieces of a byte, and a list of those would cost a hundred times as much. */
class BodyBuffer {
  readonly #announced: number;
  readonly #grow: ((bytes: number) => void) | null;
  #buffer: Buffer = Buffer.alloc(0);
  #size = 0;
  #pieces = 0;

  constructor(announced: number, grow: ((bytes: number) => void) | null) {
    this.#announced = announced;
    this.#grow = grow;
  }

  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.#size);
  }

  /** Raises Problem. */
  append(chunk: Buffer): void {
    const needed = this.#size + chunk.length;
    this.#pieces += 1;
    if (needed > BODY_LIMIT) throw tooLarge();
    if (this.#pieces > PIECES_LIMIT)
      throw new Problem('bodyInTooManyPieces', { limit: PIECES_LIMIT }, { limit: PIECES_LIMIT });
    if (needed > this.#buffer.length) {
      const wanted = Math.max(FIRST_BYTES, needed, this.#buffer.length * 2);
      const capacity = Math.min(wanted, this.#announced);
      this.#grow?.(capacity - this.#buffer.length);
      this.#buffer = Buffer.concat([this.bytes], capacity);
    }
    chunk.copy(this.#buffer, this.#size);
    this.#size = needed;
  }
}

function tooLarge(): Problem {
  return new Problem('bodyTooLarge', { limit: BODY_LIMIT }, { limit: BODY_LIMIT });
}
