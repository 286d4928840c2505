/**
 * The service behind every peer: answers any request on a kept-alive connection with fixed bytes, as cheaply as Node can.
 * 13 bytes, or 256 MiB to a GET of /bulk; it throws bodies away. A GET of /requests gets the number of requests so far. It prints its port.
 */
import { createServer } from 'node:net';
import { BULK_BYTES } from './transfer.ts';

const SMALL = Buffer.from(
  'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 13\r\n\r\nHello, world\n',
);
const TEXT = 'The quick brown fox jumps over the lazy dog.\n'.repeat(90);
const PAGE = Buffer.from(
  `HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: ${TEXT.length}\r\n\r\n${TEXT}`,
);
const CHUNK = Buffer.alloc(256 * 1024, 'x');

let requests = 0;

function numberOfRequests(): string {
  const text = String(requests);
  return `HTTP/1.1 200 OK\r\ncontent-length: ${text.length}\r\n\r\n${text}`;
}

const server = createServer({ noDelay: true }, (socket) => {
  let head = '';
  let bodyLeft = 0;
  socket.on('error', () => {});
  socket.on('data', (chunk: Buffer) => {
    let bytes = chunk;
    while (bytes.length > 0) bytes = bodyLeft > 0 ? skipBody(bytes) : readHead(bytes);
  });
  const skipBody = (bytes: Buffer): Buffer => {
    const skipped = Math.min(bodyLeft, bytes.length);
    bodyLeft -= skipped;
    if (bodyLeft === 0) socket.write(SMALL);
    return bytes.subarray(skipped);
  };
  const readHead = (bytes: Buffer): Buffer => {
    const before = head.length;
    head += bytes.toString('latin1');
    const end = head.indexOf('\r\n\r\n');
    if (end === -1) return bytes.subarray(bytes.length);
    answer(head.slice(0, end));
    head = '';
    return bytes.subarray(end + 4 - before);
  };
  const answer = (request: string): void => {
    requests += 1;
    bodyLeft = Number(/\r\ncontent-length: *(\d+)/i.exec(request)?.[1] ?? 0);
    if (bodyLeft > 0) return;
    if (request.startsWith('GET /bulk')) sendBulk();
    else if (request.startsWith('GET /requests ')) socket.write(numberOfRequests());
    else socket.write(request.startsWith('GET /page') ? PAGE : SMALL);
  };
  const sendBulk = (): void => {
    let left = BULK_BYTES;
    socket.write(
      `HTTP/1.1 200 OK\r\ncontent-type: application/octet-stream\r\ncontent-length: ${BULK_BYTES}\r\n\r\n`,
    );
    const pump = (): void => {
      while (left > 0) {
        left -= CHUNK.length;
        if (!socket.write(CHUNK)) {
          socket.once('drain', pump);
          return;
        }
      }
    };
    pump();
  };
});
server.listen(0, '127.0.0.1', () => console.log(`port ${(server.address() as { port: number }).port}`));
