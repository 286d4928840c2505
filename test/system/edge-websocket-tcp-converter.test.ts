/**
 * WebSockets whose messages a backend gets as bytes.
 * Invariant: other requests do not reach it.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import {
  ACCEPT,
  clientFrame,
  closePayload,
  HANDSHAKE,
} from '../../packages/server/src/edge/http/websocket-client.fixture.ts';
import { closing, curl, curlMissing, eventually, Platform, until } from '../harness/index.ts';
import { httpsEdge, rawHttp } from './attacks.fixture.ts';

const HOST = 'bytes.underpass.localhost';

let platform: Platform;
/** Gives back what it gets. */
let server: Server;
const sockets = new Set<Socket>();
let route: string;

before(async () => {
  platform = await Platform.shared({ args: ['--allow-private', '127.0.0.0/8'] });
  server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.pipe(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await platform.agent(['http', String(port), '--label', 'app=bytes']);
  const group = await platform.api('POST', '/backends/tunnel_group', { labels: { app: 'bytes' } });
  const edge = await httpsEdge(platform, 'bytes', group.json.id);
  const { json } = await platform.api('GET', edge);
  route = `${edge}/routes/${json.routes[0].id}`;
  const { status } = await platform.api('PUT', `${route}/websocket_tcp_converter`, {});
  assert.equal(status, 200);
});
after(async () => {
  await platform.stop();
  for (const socket of sockets) socket.destroy();
  server.close();
});

test('a client of the field has its text and its bytes echoed by a TCP server behind an agent', async () => {
  const script = `
    // Not every system's resolver knows the names below localhost.
    require('node:dns').lookup = (_name, { all }, done) =>
      all ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4);
    // Over HTTP/2 this client does not keep its own process alive.
    process.stdin.resume();
    const socket = new WebSocket(process.argv[1], ['binary']);
    socket.binaryType = 'arraybuffer';
    const bytes = new Uint8Array(300_000).map((_, i) => i % 251);
    const sent = Buffer.concat([Buffer.from('as text'), bytes]);
    const got = [];
    socket.onopen = () => {
      socket.send('as text');
      socket.send(bytes);
    };
    socket.onmessage = ({ data }) => {
      got.push(...new Uint8Array(data));
      if (got.length === sent.length) socket.close(1000);
    };
    socket.onclose = ({ code, wasClean }) => {
      console.log(code, wasClean, got.every((byte, i) => byte === sent[i]), got.length, socket.protocol);
      process.stdin.destroy();
    };`;
  const url = `wss://${HOST}:${platform.port}/`;
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['-e', script, url], {
    env: { ...process.env, NODE_EXTRA_CA_CERTS: platform.bootstrap.ca_file },
  });
  assert.equal(stdout.trim(), '1000 true true 300007 binary', stderr);
});

test('raw frames are answered, and one that is not masked ends the connection', async () => {
  const head = `GET / HTTP/1.1\r\nHost: ${HOST}\r\n${HANDSHAKE}\r\n`;
  const frames = Buffer.concat([clientFrame(0x82, 'hello'), clientFrame(0x88, closePayload(1000))]);
  const transcript = await rawHttp(platform, HOST, head + frames.toString('latin1'));
  assert.match(transcript, /^HTTP\/1\.1 101 /);
  assert.ok(transcript.includes(`Sec-WebSocket-Accept: ${ACCEPT}\r\n`));
  const attacked = await rawHttp(platform, HOST, `${head}\x82\x01a`);
  assert.ok(attacked.endsWith('\r\n\r\n\x88\x02\x03\xea'), JSON.stringify(attacked));
});

test('a visitor who reads nothing keeps the server behind a static backend waiting, and gets all of it later', async (t) => {
  const total = 64 * 1024 * 1024;
  const piece = Buffer.alloc(256 * 1024, 'a');
  let produced = 0;
  const fountain = createServer((socket) => {
    socket.on('error', () => {});
    const produce = (): void => {
      while (produced < total) {
        produced += piece.length;
        if (!socket.write(piece)) return;
      }
      socket.end();
    };
    socket.on('drain', produce).resume();
    produce();
  }).listen(0, '127.0.0.1');
  t.after(() => fountain.close());
  await once(fountain, 'listening');
  const address = `127.0.0.1:${(fountain.address() as AddressInfo).port}`;
  const { json } = await platform.api('POST', '/backends/static', { address });
  const edge = await platform.api('GET', await httpsEdge(platform, 'fountain', json.id));
  const path = `/edges/https/${edge.json.id}/routes/${edge.json.routes[0].id}/websocket_tcp_converter`;
  await platform.api('PUT', path, {});

  const host = 'fountain.underpass.localhost';
  const visitor = await platform.client.tls(host);
  visitor.pause();
  visitor.write(`GET / HTTP/1.1\r\nHost: ${host}\r\n${HANDSHAKE}\r\n`);
  await eventually(async () => {
    const before = produced;
    // The daemon serves others meanwhile, and had time to read more from the server.
    for (let round = 0; round < 30; round += 1) await platform.api('GET', edge.json.uri);
    assert.ok(before > 0 && produced === before, `${before}, then ${produced}`);
  });
  assert.ok(produced < total / 2, `${produced} bytes were taken for a visitor that reads none`);

  const chunks: Buffer[] = [];
  const closed = closing(visitor);
  visitor.on('data', (chunk: Buffer) => chunks.push(chunk)).resume();
  const farewell = Buffer.concat([Buffer.from([0x88, 2]), closePayload(1000)]);
  await until(() =>
    Buffer.concat(chunks.slice(-farewell.length)).subarray(-farewell.length).equals(farewell),
  );
  visitor.write(clientFrame(0x88, closePayload(1000)));
  await closed;
  const bytes = Buffer.concat(chunks);
  const frames = bytes.subarray(bytes.indexOf('\r\n\r\n') + 4);
  assert.equal(binaryLength(frames), total);
});

/** Returns the number of bytes in the binary messages of a server. */
function binaryLength(frames: Buffer): number {
  let length = 0;
  for (let at = 0; at < frames.length; ) {
    const short = frames[at + 1] ?? 0;
    const [head, size] =
      short < 126
        ? [2, short]
        : short === 126
          ? [4, frames.readUInt16BE(at + 2)]
          : [10, Number(frames.readBigUInt64BE(at + 2))];
    if (frames[at] === 0x82) length += size;
    at += head + size;
  }
  return length;
}

test('a request that is no WebSocket gets 400 with code 3206; turned off, it is passed on', {
  skip: curlMissing,
}, async () => {
  const format = '%{http_code} %header{underpass-error-code}';
  const args = ['-o', '/dev/null', '-w', format, `https://${HOST}:${platform.port}/`];
  assert.equal((await curl(platform, args)).stdout.trim(), '400 ERR_SERVICE_3206');
  await platform.api('DELETE', `${route}/websocket_tcp_converter`);
  // The echo of a request is no valid response.
  assert.equal((await curl(platform, args)).stdout.trim(), '502 ERR_SERVICE_3004');
});
