import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createServer as createTlsServer, connect as tlsConnect } from 'node:tls';
import { ErrorCode, toDuplex } from '@underpass/wire';
import { connect } from './agent.ts';
import type { ForwardOptions } from './agent-options.ts';
import type { LoggedRequest } from './http-log.ts';
import { AUTHTOKEN, Collector, HOST, TestService, testCertificate } from './testing/service.fixture.ts';
import { serve } from './testing/upstream.fixture.ts';

async function forward(t: TestContext, upstream: string, options: ForwardOptions = {}): Promise<TestService> {
  const service = await TestService.start();
  const { ca } = testCertificate();
  const agent = await connect({ server: service.address, authtoken: AUTHTOKEN, ca });
  t.after(async () => {
    await agent.close();
    await service.stop();
  });
  await agent.forward(upstream, options);
  return service;
}

test('an https upstream is spoken to over TLS, without verifying it', async (t) => {
  const { cert, key } = testCertificate();
  const upstream = await serve(
    createTlsServer({ cert, key, allowHalfOpen: true }, (socket) => {
      socket.on('error', () => {});
      socket.pipe(socket);
    }),
  );
  t.after(() => upstream.stop());
  const service = await forward(t, `https://${upstream.address}`);
  const answer = new Collector();
  const stream = service.proxy('bind-1', answer, 'secret');
  await answer.until(() => answer.text === 'secret');
  stream.end();
  assert.equal(await answer.closed(), ErrorCode.none);
});

test('an https upstream that is to be verified gets nothing unless its certificate is trusted and names it', async (t) => {
  const { cert, key, ca } = testCertificate();
  let received = '';
  const upstream = await serve(
    createTlsServer({ cert, key }, (socket) => {
      socket.on('error', () => {});
      socket.on('data', (chunk) => {
        received += chunk;
        socket.write(chunk);
      });
    }),
  );
  t.after(() => upstream.stop());
  const named = `https://${HOST}:${upstream.port}`;
  for (const [address, upstreamTls, reason] of [
    [named, {}, /cannot be reached: (unable to|self-signed)/],
    [`https://${upstream.address}`, { ca }, /is not in the cert's altnames/],
  ] as const) {
    const errors: string[] = [];
    const onUpstreamError = (message: string) => errors.push(message);
    const service = await forward(t, address, { upstreamTls, onUpstreamError });
    const refused = new Collector();
    service.proxy('bind-1', refused, 'secret');
    assert.equal(await refused.closed(), ErrorCode.upstreamUnreached);
    assert.match(errors.join(), reason);
    assert.doesNotMatch(errors.join(), /Node/);
  }
  assert.equal(received, '');
  const service = await forward(t, named, { upstreamTls: { ca } });
  const answer = new Collector();
  service.proxy('bind-1', answer, 'secret');
  await answer.until(() => answer.text === 'secret');
});

test('passed-through TLS reaches the upstream as it is', async (t) => {
  const { cert, key, ca } = testCertificate();
  const upstream = await serve(
    createTlsServer({ cert, key }, (socket) => {
      socket.on('error', () => {});
      socket.end(`you asked for ${socket.servername}`);
    }),
  );
  t.after(() => upstream.stop());
  const service = await forward(t, `https://${upstream.address}`);
  const stream = service.proxy('bind-1', new Collector(), '', true);
  const visitor = tlsConnect({ socket: toDuplex(stream), servername: 'connect.underpass.localhost', ca });
  let received = '';
  for await (const chunk of visitor) received += chunk;
  assert.equal(received, 'you asked for connect.underpass.localhost');
});

test('an upstream whose TLS does not work resets the stream', async (t) => {
  const upstream = await serve(createHttpServer());
  t.after(() => upstream.stop());
  const errors: string[] = [];
  const service = await forward(t, `https://${upstream.address}`, {
    onUpstreamError: (message) => errors.push(message),
  });
  const answer = new Collector();
  service.proxy('bind-1', answer, 'GET / HTTP/1.1\r\n\r\n');
  assert.equal(await answer.closed(), ErrorCode.upstreamUnreached);
  assert.equal(errors.length, 1);
});

test('a unix socket is an upstream, and says so when nothing listens there', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'underpass-socket-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'web.sock');
  const errors: string[] = [];
  const service = await forward(t, `unix:${path}`, { onUpstreamError: (message) => errors.push(message) });
  const refused = new Collector();
  service.proxy('bind-1', refused, 'x');
  assert.equal(await refused.closed(), ErrorCode.upstreamUnreached);
  assert.equal(errors.length, 1);
  assert.ok(
    errors[0]?.startsWith(`unix:${path} cannot be reached: there is no such socket (is it running?). `),
  );

  const closed: Promise<unknown>[] = [];
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => {});
    closed.push(new Promise((resolve) => socket.once('close', resolve)));
    socket.pipe(socket);
  });
  server.listen(path);
  t.after(() => server.close());
  await once(server, 'listening');
  const answer = new Collector();
  const bytes = 'x'.repeat(1_000_000);
  service.proxy('bind-1', answer, bytes).end();
  assert.equal(await answer.closed(), ErrorCode.none);
  assert.equal(answer.text, bytes);

  const broken = new Collector();
  const stream = service.proxy('bind-1', broken, 'y');
  await broken.until(() => broken.text === 'y');
  stream.reset(ErrorCode.streamCancelled);
  await Promise.all(closed);
});

test('many requests on one kept-alive connection are each reported', async (t) => {
  const upstream = await serve(
    createHttpServer((request, response) => {
      request.resume();
      response.statusCode = request.url === '/missing' ? 404 : 200;
      response.end('ok');
    }),
  );
  t.after(() => upstream.stop());
  const seen: LoggedRequest[] = [];
  const service = await forward(t, upstream.address, {
    onExchange: (exchange) => seen.push(exchange),
  });
  const answer = new Collector();
  const stream = service.proxy('bind-1', answer);
  for (const path of ['/one', '/missing', '/three']) {
    const before = answer.length;
    stream.write(Buffer.from(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`));
    await answer.until(() => answer.length > before && answer.text.endsWith('ok'));
  }
  stream.end();
  await answer.closed();
  assert.deepEqual(
    seen.map(({ method, path, status }) => [method, path, status]),
    [
      ['GET', '/one', 200],
      ['GET', '/missing', 404],
      ['GET', '/three', 200],
    ],
  );
  assert.ok(seen.every(({ durationMs }) => durationMs >= 0));
});
