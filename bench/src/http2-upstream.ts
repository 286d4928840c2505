/**
 * An HTTP/2 service (prior knowledge) behind tunnels: responds with 13 bytes, or with 256 MiB to a GET of /bulk. It
 * discards request bodies, and prints its port.
 */
import { createServer, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { BULK_BYTES } from './transfer.ts';

const SMALL = Buffer.from('Hello, world\n');
const CHUNK = Buffer.alloc(256 * 1024, 'x');
/** Bytes of flow-control window per stream and per connection, large enough not to limit a transfer. */
const WINDOW = 16 * 1024 * 1024;

const server = createServer({ settings: { initialWindowSize: WINDOW } });
server.on('session', (session) => session.setLocalWindowSize(WINDOW));
server.on('stream', (stream: ServerHttp2Stream, { ':method': method, ':path': path }) => {
  stream.on('error', () => {});
  if (method === 'GET') return path === '/bulk' ? sendBulk(stream) : answer(stream);
  stream.on('end', () => answer(stream));
  stream.resume();
});
server.listen(0, '127.0.0.1', () => console.log(`port ${(server.address() as AddressInfo).port}`));

function answer(stream: ServerHttp2Stream): void {
  stream.respond({ ':status': 200, 'content-type': 'text/plain', 'content-length': SMALL.length });
  stream.end(SMALL);
}

function sendBulk(stream: ServerHttp2Stream): void {
  stream.respond({
    ':status': 200,
    'content-type': 'application/octet-stream',
    'content-length': BULK_BYTES,
  });
  Readable.from(chunks()).pipe(stream);
}

function* chunks(): Generator<Buffer> {
  for (let sent = 0; sent < BULK_BYTES; sent += CHUNK.length) yield CHUNK;
}
