import assert from 'node:assert/strict';
import { createServer as createHttp } from 'node:http';
import { createServer as createHttp2, createSecureServer } from 'node:http2';
import { createServer as createHttps } from 'node:https';
import { createServer as createTcp, type Server, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { ErrorCode } from '@underpass/wire';
import { freePorts } from '../../../test/harness/free-ports.ts';
import { ConditionVariable } from '../../../test/harness/until.ts';
import { parseUpstream } from './address.ts';
import { connect } from './agent.ts';
import type { ForwardOptions } from './agent-options.ts';
import { AUTHTOKEN, Collector, TestService, testCertificate } from './testing/service.fixture.ts';
import { serve, startUpstream } from './testing/upstream.fixture.ts';
import { misunderstood } from './upstream-faults.ts';

const HTTP_1 = 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
const HTTP_2 = `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${'\0'.repeat(3)}\x04${'\0'.repeat(5)}`;

/** Returns the reports about a server after such a request and the end of its connection. */
async function told(
  t: TestContext,
  server: Server,
  scheme: 'http' | 'https',
  options: ForwardOptions = {},
): Promise<string> {
  const upstream = await serve(server);
  const service = await TestService.start();
  const agent = await connect({ server: service.address, authtoken: AUTHTOKEN, ca: testCertificate().ca });
  t.after(async () => {
    await agent.close();
    await service.stop();
    await upstream.stop();
  });
  const { promise, resolve } = Promise.withResolvers<string>();
  await agent.forward(`${scheme}://localhost:${upstream.port}`, { ...options, onUpstreamError: resolve });
  service.proxy('bind-1', new Collector(), options.upstreamProtocol === 'http2' ? HTTP_2 : HTTP_1);
  return (await promise).replaceAll(String(upstream.port), 'PORT');
}

test('a server that speaks another protocol is told by it, with what to try', async (t) => {
  const { cert, key } = testCertificate();
  const http2 = { upstreamProtocol: 'http2' } as const;
  assert.equal(
    await told(t, createHttp(), 'https'),
    'https://localhost:PORT cannot be reached: TLS failed: wrong version number. It does not speak TLS: try http://localhost:PORT.',
  );
  assert.equal(
    await told(t, createHttp(), 'http', http2),
    'http://localhost:PORT speaks HTTP/1.1, and HTTP/2 without TLS was expected. Leave --upstream-protocol http2 out.',
  );
  assert.equal(
    await told(t, createHttp2(), 'http'),
    'http://localhost:PORT speaks HTTP/2, and HTTP/1.1 without TLS was expected. Give --upstream-protocol http2.',
  );
  assert.match(
    await told(t, createHttps({ cert, key, ALPNProtocols: ['http/1.1'] }), 'https', http2),
    /^https:\/\/localhost:PORT cannot be reached: .* Leave --upstream-protocol http2 out\.$/,
  );
  assert.match(
    await told(t, createSecureServer({ cert, key }), 'https'),
    /Give --upstream-protocol http2\.$/,
  );
});

test('servers of TLS say in their ways that they were spoken to without it', () => {
  const upstream = parseUpstream('3000');
  const expected =
    'http://localhost:3000 speaks TLS, and HTTP/1.1 without TLS was expected: try https://localhost:3000.';
  for (const first of [
    '\x15\x03\x01\0\x02\x02\x46',
    'HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n',
    'HTTP/1.1 400 Bad Request\r\nServer: nginx\r\n\r\n<p>The plain HTTP request was sent to HTTPS port</p>',
    "HTTP/1.1 400 Bad Request\r\n\r\nReason: You're speaking plain HTTP to an SSL-enabled server port.<br />",
  ])
    assert.equal(misunderstood(upstream, Buffer.from(first, 'latin1')), expected);
  for (const first of [
    '',
    'HTT',
    'HTTP/1.1 400 Bad Request\r\n\r\n',
    'HTTP/1.1 200 OK\r\n\r\nto HTTPS port',
    '\x15',
  ])
    assert.equal(misunderstood(upstream, Buffer.from(first, 'latin1')), null);
});

test('a server of anything else is reported by its first bytes, or as silent', async (t) => {
  const ssh = () => createTcp((socket) => socket.end('SSH-2.0-OpenSSH_9\x1b[2J\r\n'));
  assert.equal(
    await told(t, ssh(), 'http'),
    'http://localhost:PORT answers with "SSH-2.0-OpenSSH_9\\x1b[2J\\x0d\\x0a", and HTTP/1.1 without TLS was expected: give the address of a server that speaks it.',
  );
  const closing = 'http://localhost:PORT closed the connection without an answer, and';
  const resets = createTcp((socket) => socket.once('data', () => socket.resetAndDestroy()));
  const { cert, key } = testCertificate();
  // Node's server sends nothing to a client without TLS.
  for (const server of [resets, createHttps({ cert, key })])
    assert.equal(
      await told(t, server, 'http'),
      `${closing} HTTP/1.1 without TLS was expected. Its own log may give the reason. If it speaks TLS, try https://localhost:PORT.`,
    );
  assert.equal(
    await told(t, createHttps({ cert, key, requestCert: true, rejectUnauthorized: true }), 'https'),
    'https://localhost:PORT closed the connection without an answer (tlsv13 alert certificate required), and HTTP/1.1 in TLS was expected. Its own log may give the reason.',
  );
  const http2 = { upstreamProtocol: 'http2' } as const;
  assert.match(
    await told(t, ssh(), 'http', http2),
    /answers with "SSH-2.*", and HTTP\/2 without TLS was expected/,
  );
});

test('a connection without a request, or one that its visitor ended, is not reported', async (t) => {
  const sockets: Socket[] = [];
  const arrived = new ConditionVariable();
  const upstream = await startUpstream((socket) => {
    sockets.push(socket.resume());
    arrived.notify();
  });
  const service = await TestService.start();
  const agent = await connect({ server: service.address, authtoken: AUTHTOKEN, ca: testCertificate().ca });
  t.after(async () => {
    await agent.close();
    await service.stop();
    await upstream.stop();
  });
  const said: string[] = [];
  await agent.forward(upstream.address, { onUpstreamError: (message) => said.push(message) });
  const visit = async (first: string) => {
    const count = sockets.length;
    const answer = new Collector();
    const stream = service.proxy('bind-1', answer, first);
    await arrived.until(
      () => sockets.length > count,
      () => 'a connection',
    );
    return { answer, stream, socket: sockets[count] as Socket };
  };

  const unasked = await visit('');
  unasked.socket.end();
  await unasked.answer.until(() => unasked.answer.ended);
  const left = await visit(HTTP_1);
  const closed = new Promise<void>((resolve) => left.socket.once('close', () => resolve()));
  left.stream.reset(ErrorCode.streamCancelled);
  await closed;
  assert.deepEqual(said, []);

  const asked = await visit(HTTP_1);
  asked.socket.end();
  await asked.answer.until(() => asked.answer.ended);
  assert.equal(said.length, 1);
});

test('nothing is said of bytes that may be anything', async (t) => {
  const upstream = await startUpstream((socket) => socket.end('\x15\x03\x01\0\x02\x02\x46'));
  const service = await TestService.start();
  const agent = await connect({ server: service.address, authtoken: AUTHTOKEN, ca: testCertificate().ca });
  t.after(async () => {
    await agent.close();
    await service.stop();
    await upstream.stop();
  });
  const said: string[] = [];
  const onUpstreamError = (message: string) => said.push(message);
  await agent.forward(upstream.address, { modules: { websocketTcpConverter: true }, onUpstreamError });
  await agent.forward(upstream.address, { proto: 'tcp', onUpstreamError });
  for (const id of ['bind-1', 'bind-2']) {
    const answer = new Collector();
    service.proxy(id, answer, 'x').end();
    await answer.closed();
    assert.equal(answer.length, 7);
  }
  assert.deepEqual(said, []);
});

test('a missing server is reported with the expected address', async (t) => {
  const [port] = (await freePorts(1)) as [number];
  const service = await TestService.start();
  const agent = await connect({ server: service.address, authtoken: AUTHTOKEN, ca: testCertificate().ca });
  t.after(async () => {
    await agent.close();
    await service.stop();
  });
  const { promise, resolve } = Promise.withResolvers<string>();
  await agent.forward(`localhost:${port}`, { proto: 'tcp', onUpstreamError: resolve });
  service.proxy('bind-1', new Collector(), 'x');
  assert.match(
    await promise,
    /cannot be reached: connection refused \(is it running\?\)\. A TCP server is expected there: start the server/,
  );
});
