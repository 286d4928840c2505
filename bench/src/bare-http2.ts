/** A bare `node:http2` server with TLS, which answers any request with the bytes of a file. It prints its port. Arguments: certificate, key, file. */
import { readFileSync } from 'node:fs';
import { createSecureServer, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';

const [certFile = '', keyFile = '', bodyFile = ''] = process.argv.slice(2);
const body = readFileSync(bodyFile);
const headers = { ':status': 200, 'content-type': 'text/plain', 'content-length': body.length };
const server = createSecureServer({ cert: readFileSync(certFile), key: readFileSync(keyFile) });
server.on('stream', (stream: ServerHttp2Stream) => {
  stream.on('error', () => {});
  stream.respond(headers);
  stream.end(body);
});
server.listen(0, '127.0.0.1', () => console.log(`port ${(server.address() as AddressInfo).port}`));
