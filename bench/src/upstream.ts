/**
 * The service behind every peer: answers any request on a kept-alive connection with fixed bytes, as cheaply as Node can.
 * 13 bytes, or `BULK_BYTES` of them below /bulk. It prints its port, and reads no bodies.
 */
import { createServer } from 'node:net';

const BULK_BYTES = 256 * 1024 * 1024;

const SMALL = Buffer.from(
  'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 13\r\n\r\nHello, world\n',
);
const CHUNK = Buffer.alloc(256 * 1024, 'x');

const server = createServer({ noDelay: true }, (socket) => {
  let tail = '';
  socket.on('error', () => {});
  socket.on('data', (chunk) => {
    const text = tail + chunk.toString('latin1');
    const requests = text.split('\r\n\r\n');
    tail = requests.pop() ?? '';
    for (const request of requests) {
      if (!request.startsWith('GET /bulk')) socket.write(SMALL);
      else sendBulk();
    }
  });
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
