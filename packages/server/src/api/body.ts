/** Reads the body of a request. Never more of it than the limit. */
import type { IncomingMessage } from 'node:http';
import { Problem } from '../errors/problem.ts';

const BODY_LIMIT = 1024 * 1024;
const FIRST_BYTES = 4096;
/** Each piece costs the same work, be it a byte or 64 KiB: this is 1 MiB in pieces of 64 bytes. */
const PIECES_LIMIT = 16 * 1024;
/** What is read and thrown away of a body whose request was refused, so that its sender gets to read the answer. */
const DRAIN_LIMIT = 16 * 1024 * 1024;

/** Whether a request announces a body (RFC 9112, section 6); `Content-Length: 0` announces none. */
export function hasBody(request: IncomingMessage): boolean {
  const length = request.headers['content-length'];
  return (length !== undefined && Number(length) !== 0) || request.headers['transfer-encoding'] !== undefined;
}

/**
 * Reads a body of at most BODY_LIMIT bytes. `grow` is told of each piece of memory that it takes, and may raise Problem.
 * Rejects with Problem when it is larger or ends early.
 */
export function readBody(request: IncomingMessage, grow: (bytes: number) => void): Promise<Buffer> {
  const announced = Number(request.headers['content-length'] ?? BODY_LIMIT);
  if (announced > BODY_LIMIT) return Promise.reject(tooLarge());
  const body = new BodyBuffer(announced, grow);
  return new Promise((resolve, reject) => {
    const onData = (chunk: Buffer): void => {
      try {
        body.append(chunk);
      } catch (problem) {
        request.off('data', onData);
        reject(problem);
      }
    };
    const onEarlyEnd = (): void => reject(new Problem('bodyUnreadable'));
    request.on('data', onData);
    request.on('end', () => {
      request.off('close', onEarlyEnd);
      resolve(body.bytes);
    });
    request.on('error', onEarlyEnd);
    request.on('close', onEarlyEnd);
  });
}

/** One piece of memory: a body may come in many pieces of a byte, and a list of those would cost a hundred times as much. */
class BodyBuffer {
  readonly #announced: number;
  readonly #grow: (bytes: number) => void;
  #buffer: Buffer = Buffer.alloc(0);
  #size = 0;
  #pieces = 0;

  constructor(announced: number, grow: (bytes: number) => void) {
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
      this.#grow(capacity - this.#buffer.length);
      this.#buffer = Buffer.concat([this.bytes], capacity);
    }
    chunk.copy(this.#buffer, this.#size);
    this.#size = needed;
  }
}

/** Throws away what is left of a body that nobody reads, and cuts the connection when that does not end. */
export function drain(request: IncomingMessage): void {
  if (request.complete) return;
  let size = 0;
  let pieces = 0;
  request.on('error', () => {});
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    pieces += 1;
    if (size > DRAIN_LIMIT || pieces > PIECES_LIMIT) request.socket.destroy();
  });
}

function tooLarge(): Problem {
  return new Problem('bodyTooLarge', { limit: BODY_LIMIT }, { limit: BODY_LIMIT });
}
