/**
 * HTTP between visitor and upstream through a real agent.
 * Invariant: bodies are unchanged.
 */
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { after, before, test } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { WebSocket, WebSocketServer } from 'ws';
import { inTime, Platform, startUpstream, type Upstream } from '../harness/index.ts';

let platform: Platform;
let upstream: Upstream;
let url: URL;

before(async () => {
  platform = await Platform.shared();
  upstream = await startUpstream(respond);
  const sockets = new WebSocketServer({ server: upstream.server });
  sockets.on('connection', (socket) =>
    socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary })),
  );
  const agent = await platform.agent(['http', String(upstream.port)]);
  url = new URL(agent.url);
});
after(async () => {
  await platform.stop();
  await upstream.stop();
});

/** The upstream: one path per behaviour. */
function respond(request: IncomingMessage, response: ServerResponse): void {
  switch (request.url) {
    case '/headers':
      response.end(JSON.stringify(request.headers));
      return;
    case '/hash': {
      const hash = createHash('sha256');
      request.on('data', (chunk) => hash.update(chunk));
      request.on('end', () => response.end(hash.digest('hex')));
      return;
    }
    case '/trailers':
      response.writeHead(200, { trailer: 'x-sum', 'transfer-encoding': 'chunked' });
      response.write('body');
      response.addTrailers({ 'x-sum': '42' });
      response.end();
      return;
    case '/events':
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: 1\n\n');
      request.on('close', () => upstream.server.emit('visitor-left'));
      return;
    case '/spoof':
      response.writeHead(200, {
        'underpass-error-code': 'ERR_SERVICE_1',
        connection: 'x-hop',
        'x-hop': '1',
        'keep-alive': 'timeout=9',
      });
      response.end();
      return;
    default:
      response.setHeader('x-path', request.url ?? '');
      response.end(`${request.method} done`);
  }
}

/** Sends bytes on a connection of its own and reads until the answer `isWhole`. */
async function exchange(
  bytes: string,
  isWhole: (text: string) => boolean,
): Promise<{ text: string; socket: TLSSocket }> {
  const socket = await platform.client.tls(url.hostname);
  let text = '';
  const done = new Promise<void>((resolve) => {
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      if (isWhole(text)) resolve();
    });
    socket.on('close', () => resolve());
  });
  socket.write(bytes);
  await inTime(done, () => `more than ${JSON.stringify(text.slice(0, 2000))}`);
  return { text, socket };
}

test('the upstream sees X-Forwarded-For, -Proto, -Host and no hop-by-hop or forged identity header', async () => {
  const { json } = await platform.visit(`${url}headers`, {
    headers: {
      'x-forwarded-for': '198.51.100.7',
      'underpass-auth-user-id': 'forged',
      'proxy-connection': 'keep-alive',
      te: 'trailers',
    },
  });
  assert.equal(json['x-forwarded-for'], '198.51.100.7, 127.0.0.1');
  assert.equal(json['x-forwarded-proto'], 'https');
  assert.equal(json['x-forwarded-host'], url.host);
  assert.equal(json.host, url.host);
  assert.equal(json['underpass-auth-user-id'], undefined);
  assert.equal(json['proxy-connection'], undefined);
});

test('an upstream cannot set the error-code header, and its hop-by-hop headers stay on its side', async () => {
  const { headers } = await platform.visit(`${url}spoof`);
  assert.equal(headers['underpass-error-code'], undefined);
  assert.equal(headers['x-hop'], undefined);
});

test('an upload of 32 MiB arrives whole, with a length and in chunks', async () => {
  const body = randomBytes(32 * 1024 * 1024);
  const digest = createHash('sha256').update(body).digest('hex');
  assert.equal((await platform.visit(`${url}hash`, { method: 'POST', body })).text, digest);
  const chunked = await platform.client.upload(new URL('/hash', url), body);
  assert.equal(chunked, digest);
});

test('requests on one kept-alive connection, also sent ahead of their answers, are answered in order', async () => {
  const one = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: ${url.host}\r\n\r\n`;
  const count = (text: string): number => text.split('GET done').length - 1;
  const { text, socket } = await exchange(one('/a') + one('/b') + one('/c'), (so) => count(so) === 3);
  socket.destroy();
  assert.deepEqual(
    [...text.matchAll(/x-path: (\S+)/gi)].map((match) => match[1]),
    ['/a', '/b', '/c'],
  );
});

test('HEAD has no body and keeps the connection usable', async () => {
  const head = `HEAD / HTTP/1.1\r\nHost: ${url.host}\r\n\r\n`;
  const get = `GET / HTTP/1.1\r\nHost: ${url.host}\r\n\r\n`;
  const { text, socket } = await exchange(head + get, (so) => so.includes('GET done'));
  socket.destroy();
  assert.equal(text.split('HTTP/1.1 200').length - 1, 2);
  assert.doesNotMatch(text, /HEAD done/);
});

test('trailers come through', async () => {
  const request = `GET /trailers HTTP/1.1\r\nHost: ${url.host}\r\nTE: trailers\r\n\r\n`;
  const { text, socket } = await exchange(request, (so) => so.endsWith('\r\n\r\n') && so.includes('0\r\n'));
  socket.destroy();
  assert.match(text, /0\r\nx-sum: 42\r\n\r\n$/i);
});

test('Expect: 100-continue is answered by the upstream before the body is sent', async () => {
  const head = `POST /hash HTTP/1.1\r\nHost: ${url.host}\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n`;
  const { socket } = await exchange(head, (so) => so.includes('100 Continue'));
  const answered = new Promise<string>((resolve) =>
    socket.once('data', (chunk) => resolve(chunk.toString())),
  );
  socket.write('hi');
  assert.match(await answered, /^HTTP\/1.1 200/);
  socket.destroy();
});

test('server-sent events arrive as they are written, and the upstream learns that the visitor left', async () => {
  const left = new Promise<void>((resolve) => upstream.server.once('visitor-left', () => resolve()));
  const { socket } = await exchange(`GET /events HTTP/1.1\r\nHost: ${url.host}\r\n\r\n`, (so) =>
    so.includes('data: 1'),
  );
  socket.destroy();
  await left;
});

test('a WebSocket echoes text and a megabyte of bytes', async () => {
  const socket = new WebSocket(`wss://${url.host}/socket`, {
    ca: platform.ca,
    lookup: (_name, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }]),
  });
  await inTime(once(socket, 'open'), () => 'an open WebSocket');
  const echo = (data: string | Buffer): Promise<Buffer> => {
    const answer = new Promise<Buffer>((resolve) =>
      socket.once('message', (message: Buffer) => resolve(message)),
    );
    socket.send(data);
    return inTime(answer, () => `an echo of ${data.length}`);
  };
  assert.equal((await echo('hello')).toString(), 'hello');
  const bytes = randomBytes(1024 * 1024);
  assert.ok((await echo(bytes)).equals(bytes));
  socket.close();
  await inTime(once(socket, 'close'), () => 'the end of the WebSocket');
});

test('an upstream that is not there is a 502 with code 8012', async () => {
  const agent = await platform.agent(['http', '1']);
  const { status, headers } = await platform.visit(agent.url);
  assert.equal(status, 502);
  assert.equal(headers['underpass-error-code'], 'ERR_SERVICE_8012');
});

test('a Host that is not the SNI name is a 421, also on the second request of a connection', async () => {
  const good = `GET / HTTP/1.1\r\nHost: ${url.host}\r\n\r\n`;
  const bad = 'GET / HTTP/1.1\r\nHost: api.underpass.localhost\r\n\r\n';
  const { text, socket } = await exchange(good + bad, (so) => so.includes('421'));
  socket.destroy();
  assert.match(text, /^HTTP\/1.1 200/);
  assert.match(text, /HTTP\/1.1 421/);
});

test('one visitor that does not read does not hold up another', async () => {
  const big = await startUpstream((request, response) => {
    if (request.url === '/big') response.end(Buffer.alloc(64 * 1024 * 1024));
    else response.end('quick');
  });
  const agent = await platform.agent(['http', String(big.port)]);
  const stalled = await platform.client.tls(new URL(agent.url).hostname);
  stalled.pause();
  stalled.write(`GET /big HTTP/1.1\r\nHost: ${new URL(agent.url).host}\r\n\r\n`);
  for (let round = 0; round < 20; round++) assert.equal((await platform.visit(agent.url)).text, 'quick');
  stalled.destroy();
  await agent.process.stop();
  await big.stop();
});
