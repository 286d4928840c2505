import type { IncomingMessage } from 'node:http';
import { Problem } from '../errors/problem.ts';

const BODY_LIMIT = 1024 * 1024;
/** What is read and thrown away of a body whose request was refused, so that its sender gets to read the answer. */
const DRAIN_LIMIT = 16 * 1024 * 1024;

/** Whether a request announces a body (RFC 9112, section 6); `Content-Length: 0` announces none. */
export function hasBody(request: IncomingMessage): boolean {
  const length = request.headers['content-length'];
  return (length !== undefined && Number(length) !== 0) || request.headers['transfer-encoding'] !== undefined;
}

/** Reads a body of at most BODY_LIMIT bytes. Raises Problem when it is larger or ends early. */
export function readBody(request: IncomingMessage): Promise<Buffer> {
  if (Number(request.headers['content-length']) > BODY_LIMIT) return Promise.reject(tooLarge());
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      chunks.push(chunk);
      if (size > BODY_LIMIT) {
        request.off('data', onData);
        reject(tooLarge());
      }
    };
    const onEarlyEnd = (): void => reject(new Problem('bodyUnreadable'));
    request.on('data', onData);
    request.on('end', () => {
      request.off('close', onEarlyEnd);
      resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size));
    });
    request.on('error', onEarlyEnd);
    request.on('close', onEarlyEnd);
  });
}

/** Throws away what is left of a body that nobody reads, and cuts the connection when that does not end. */
export function drain(request: IncomingMessage): void {
  if (request.complete) return;
  let size = 0;
  request.on('error', () => {});
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > DRAIN_LIMIT) request.socket.destroy();
  });
}

function tooLarge(): Problem {
  return new Problem('bodyTooLarge', { limit: BODY_LIMIT }, { limit: BODY_LIMIT });
}
