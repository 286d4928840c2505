/** Services that speak HTTP/2 with prior knowledge, behind a real agent session: a server that is not ours. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import http2, { type Http2Server, type ServerHttp2Stream } from 'node:http2';
import net, { type AddressInfo, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { freePorts } from '../../../../../test/harness/free-ports.ts';
import { until } from '../../../../../test/harness/until.ts';
import { Http2Client } from './http2-client.fixture.ts';
import { forwardTo, get, NAME, startTestServer, type TestServer } from './test-server.fixture.ts';

interface Service {
  readonly server: TestServer;
  /** Connections that the service has taken so far. */
  readonly sockets: Socket[];
}

type Serve = (stream: ServerHttp2Stream, headers: http2.IncomingHttpHeaders) => void;

async function serveHttp2(t: TestContext, serve: Serve, settings: http2.Settings = {}): Promise<Service> {
  const service: Http2Server = http2.createServer({ settings });
  const sockets: Socket[] = [];
  service.on('connection', (socket) => sockets.push(socket));
  service.on('stream', (stream: ServerHttp2Stream, headers: http2.IncomingHttpHeaders) => {
    stream.on('error', () => {});
    serve(stream, headers);
  });
  service.on('sessionError', () => {});
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    service.close();
  });
  const { port } = service.address() as AddressInfo;
  return { server: await startTestServer(t, forwardTo(port), { speaksHttp2: true }), sockets };
}

/** Responds with the request's fields. */
function tell(stream: ServerHttp2Stream, headers: http2.IncomingHttpHeaders): void {
  const told: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => told.push(chunk));
  stream.on('trailers', (trailers) => told.push(Buffer.from(` trailers ${JSON.stringify(trailers)}`)));
  stream.on('end', () => {
    const {
      ':method': method,
      ':path': path,
      ':authority': authority,
      ':scheme': scheme,
      ...fields
    } = headers;
    stream.respond({ ':status': 200, 'x-told': JSON.stringify({ method, path, authority, scheme, fields }) });
    stream.end(Buffer.concat(told));
  });
}

test('a request over HTTP/1.1 is asked over HTTP/2, and one connection serves many', async (t) => {
  const { server, sockets } = await serveHttp2(t, tell);
  const client = await server.connect();
  client.send(
    get(
      '/a?b',
      'X-One: 1\r\nX-One: 2\r\nX-None:\r\nCookie: a=1\r\nKeep-Alive: 5\r\nTE: trailers\r\nConnection: TE, X-Hop\r\nX-Hop: 1\r\n',
    ),
  );
  const answer = await client.answer();
  assert.equal(answer.status, 200);
  const told = JSON.parse(answer.headers.get('x-told')!);
  assert.deepEqual(told, {
    method: 'GET',
    path: '/a?b',
    authority: NAME,
    scheme: 'http',
    fields: {
      'x-one': '1, 2',
      'x-none': '',
      cookie: 'a=1',
      te: 'trailers',
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': NAME,
      'cdn-loop': 'shared.test',
    },
  });
  const http2Client = await Http2Client.open(t, server.port);
  const answers = await Promise.all(
    Array.from({ length: 150 }, (_, at) => http2Client.ask({ ':method': 'POST' }, `body ${at}`)),
  );
  assert.deepEqual(
    answers.map(({ body }) => body),
    answers.map((_, at) => `body ${at}`),
  );
  assert.ok(sockets.length <= 3, `${sockets.length} connections`);
});

test('bodies with a length and in chunks go on, with their trailers, and come back so', async (t) => {
  const { server } = await serveHttp2(t, (stream) => {
    let body = '';
    let sum = '';
    stream.on('data', (chunk) => {
      body += chunk;
    });
    stream.on('trailers', (trailers) => {
      sum = String(trailers['x-sum']);
    });
    stream.on('end', () => {
      stream.respond({ ':status': 200 }, { waitForTrailers: true });
      stream.on('wantTrailers', () => stream.sendTrailers({ 'x-end': sum }));
      stream.end(`${body} ${sum}`);
    });
  });
  const client = await server.connect();
  client.send(`POST / HTTP/1.1\r\nHost: ${NAME}\r\nContent-Length: 5\r\n\r\nsized`);
  assert.equal((await client.answer()).body, 'sized ');
  client.send(
    `POST / HTTP/1.1\r\nHost: ${NAME}\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nsome\r\n0\r\nX-Sum: 42\r\n\r\n`,
  );
  const chunked = await client.answer();
  assert.deepEqual([chunked.body, chunked.trailers], ['some 42', 'x-end: 42\r\n']);
});

test('answers without a body, to HEAD, with a length, and interim ones', async (t) => {
  const { server } = await serveHttp2(t, (stream, { ':path': path = '', ':method': method }) => {
    if (path === '/hints') stream.additionalHeaders({ ':status': 103, link: '</a>' });
    const status = Number(/\d+/.exec(path)?.[0] ?? 200);
    const length = path === '/sized' ? { 'content-length': 5 } : {};
    const hasBody = method !== 'HEAD' && status !== 204 && path !== '/none';
    stream.respond({ ':status': status, ...length }, { endStream: !hasBody });
    if (hasBody) stream.end('12345');
  });
  const client = await server.connect();
  const ask = async (path: string, method = 'GET') => {
    client.send(get(path).replace('GET', method));
    return await client.answer(method === 'HEAD');
  };
  assert.equal((await ask('/204')).headers.has('transfer-encoding'), false);
  assert.equal((await ask('/none')).headers.get('content-length'), '0');
  assert.deepEqual((await ask('/sized')).headers.get('content-length'), '5');
  assert.equal((await ask('/sized', 'HEAD')).headers.get('content-length'), '5');
  assert.equal((await ask('/')).body, '12345');
  assert.equal((await ask('/hints')).status, 103);
  assert.equal((await client.answer()).status, 200);
});

test('a service that speaks no HTTP/2 has an error of its own', async (t) => {
  const service = net.createServer((socket) => {
    socket.on('error', () => {});
    socket.end('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n');
  });
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
  t.after(() => service.close());
  const server = await startTestServer(t, forwardTo((service.address() as AddressInfo).port), {
    speaksHttp2: true,
  });
  const client = await server.connect();
  client.send(get());
  const { status, headers } = await client.answer();
  assert.deepEqual([status, headers.get('underpass-error-code')], [502, 'ERR_TEST_60280']);
});

/** A connection of HTTP/2 whose first response has these fields, in literals of HPACK. */
function respondsWith(fields: readonly (readonly [string, string])[]) {
  const text = (one: string) => Buffer.concat([Buffer.of(one.length), Buffer.from(one, 'latin1')]);
  const literals = fields.map(([name, value]) => Buffer.concat([Buffer.of(0), text(name), text(value)]));
  const block = Buffer.concat([Buffer.of(0x88), ...literals]);
  const frame = Buffer.from([0, 0, block.length, 1, 5, 0, 0, 0, 1]);
  return net.createServer((socket) => {
    socket.on('error', () => {});
    socket.write(Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]));
    let heard = 0;
    socket.on('data', (bytes) => {
      const before = heard;
      heard += bytes.length;
      // The preface and the request have come.
      if (before < 100 && heard >= 100) socket.write(Buffer.concat([frame, block]));
    });
  });
}

test('a malformed response is refused as over HTTP/1.1, and named to the owner only', async (t) => {
  for (const [fields, fault] of [
    [[['X-Bad', '1']], 'a header field that HTTP/2 does not allow: "X-Bad: 1"'],
    [[['connection', 'close']], 'a header field that HTTP/2 does not allow: "connection: close"'],
    [[['content-length', 'x']], 'a Content-Length that is not a number: "content-length: x"'],
    [[['content-length', '2']], 'a body that is shorter than its length: "2"'],
  ] as const) {
    const service = respondsWith(fields);
    service.listen(0, '127.0.0.1');
    await once(service, 'listening');
    t.after(() => service.close());
    const { port } = service.address() as AddressInfo;
    const server = await startTestServer(t, forwardTo(port), { speaksHttp2: true });
    const client = await server.connect();
    client.send(get());
    const { status, headers, body } = await client.answer();
    assert.deepEqual([status, headers.get('underpass-error-code')], [502, 'ERR_TEST_3004'], fault);
    assert.doesNotMatch(body, /X-Bad/);
    assert.equal(server.observed[0]?.fault, fault);
  }
});

test('a service that is not there gets the error that it gets over HTTP/1.1', async (t) => {
  const [port] = (await freePorts(1)) as [number];
  const server = await startTestServer(t, forwardTo(port), { speaksHttp2: true });
  const client = await server.connect();
  client.send(get());
  assert.equal((await client.answer()).headers.get('underpass-error-code'), 'ERR_TEST_8012');
});

test('a request that a leaving service did not look at is asked again on another connection', async (t) => {
  let asked = 0;
  const { server, sockets } = await serveHttp2(t, (stream) => {
    asked += 1;
    stream.respond({ ':status': 200 });
    stream.end('ok');
    if (asked === 1) stream.session!.close();
  });
  const client = await server.connect();
  for (let at = 0; at < 3; at += 1) {
    client.send(`POST / HTTP/1.1\r\nHost: ${NAME}\r\nContent-Length: 1\r\n\r\nx`);
    assert.equal((await client.answer()).body, 'ok');
  }
  assert.equal(sockets.length, 2);
});

test('a stream that is refused is asked once more, and an error then', async (t) => {
  let asked = 0;
  const { server } = await serveHttp2(t, (stream) => {
    asked += 1;
    if (asked === 1) tell(stream, {});
    else stream.close(http2.constants.NGHTTP2_REFUSED_STREAM);
  });
  const client = await server.connect();
  client.send(get());
  assert.equal((await client.answer()).status, 200);
  client.send(get());
  assert.equal((await client.answer()).status, 502);
  assert.equal(asked, 3);
});

test('a connection on which a service has enough takes no more, and the request goes over another one', async (t) => {
  let asked = 0;
  const { server, sockets } = await serveHttp2(t, (stream) => {
    asked += 1;
    if (asked === 1) return;
    if (asked === 2) {
      stream.close(http2.constants.NGHTTP2_ENHANCE_YOUR_CALM);
      return;
    }
    stream.respond({ ':status': 200 });
    stream.end('ok');
  });
  const client = await Http2Client.open(t, server.port);
  const unanswered = client.request({});
  await until(() => asked === 1);
  assert.equal((await client.ask({})).body, 'ok');
  assert.deepEqual([asked, sockets.length], [3, 2]);
  unanswered.close();
});

test('an answer that the service resets is cut for the visitor, too', async (t) => {
  const { server } = await serveHttp2(t, (stream) => {
    stream.respond({ ':status': 200 });
    stream.write('some');
    setImmediate(() => stream.destroy(new Error('cut')));
  });
  const client = await Http2Client.open(t, server.port);
  const { code } = await client.ask({});
  assert.equal(code, http2.constants.NGHTTP2_INTERNAL_ERROR);
  const other = await server.connect();
  other.send(get());
  assert.doesNotMatch(await other.rest(), /\r\n0\r\n/);
});

test('a visitor that leaves takes its request back', async (t) => {
  let cancelled = false;
  let begun = false;
  const { server } = await serveHttp2(t, (stream) => {
    begun = true;
    stream.on('aborted', () => {
      cancelled = true;
    });
  });
  const client = await server.connect();
  client.send(get());
  await until(() => begun);
  client.socket.destroy();
  await until(() => cancelled);
});

for (const visitor of ['HTTP/1.1', 'HTTP/2'] as const) {
  test(`a WebSocket of ${visitor} goes to a service that takes it over HTTP/2`, async (t) => {
    const { server } = await serveHttp2(
      t,
      (stream, headers) => {
        assert.equal(headers[':protocol'], 'websocket');
        assert.equal(headers['sec-websocket-key'], undefined);
        stream.respond({ ':status': 200, 'sec-websocket-protocol': 'chat' });
        stream.pipe(stream);
      },
      { enableConnectProtocol: true },
    );
    if (visitor === 'HTTP/1.1') {
      const client = await server.connect();
      client.send(
        get(
          '/',
          'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n',
        ),
      );
      const { status, headers } = await client.answer();
      assert.deepEqual([status, headers.get('sec-websocket-accept')], [101, 's3pPLMBiTxaQ9kYGzzhZRbK+xOo=']);
      client.send('hello');
      assert.equal(await client.takeBytes(5), 'hello');
      return;
    }
    const client = await Http2Client.open(t, server.port);
    const stream = client.request(
      { ':method': 'CONNECT', ':protocol': 'websocket', ':scheme': 'https', ':path': '/' },
      false,
    );
    const [{ ':status': status }] = await once(stream, 'response');
    assert.equal(status, 200);
    stream.write('hello');
    assert.equal(String((await once(stream, 'data'))[0]), 'hello');
  });
}

test('a service that takes no WebSockets over HTTP/2 has an error of its own', async (t) => {
  const { server } = await serveHttp2(t, tell);
  const client = await server.connect();
  client.send(
    get(
      '/',
      'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n',
    ),
  );
  assert.equal((await client.answer()).headers.get('underpass-error-code'), 'ERR_TEST_60281');
});

test('an upload waits for a slow service, and other requests on its connection do not', async (t) => {
  let taken = 0;
  let upload: ServerHttp2Stream | null = null;
  const { server, sockets } = await serveHttp2(t, (stream, { ':method': method }) => {
    if (method === 'GET') {
      stream.respond({ ':status': 200 });
      stream.end('ok');
      return;
    }
    upload = stream;
    stream.pause();
    stream.on('data', (chunk: Buffer) => {
      taken += chunk.length;
    });
    stream.pause();
  });
  const client = await Http2Client.open(t, server.port);
  const size = 4 * 1024 * 1024;
  const request = client.request({ ':method': 'POST' }, false);
  let isSent = false;
  request.end(Buffer.alloc(size), () => {
    isSent = true;
  });
  await until(() => upload !== null);
  for (let at = 0; at < 20; at += 1) assert.equal((await client.ask({})).body, 'ok');
  assert.equal(isSent, false);
  assert.equal(sockets.length, 1);
  upload!.resume();
  await until(() => taken === size);
});

test('a connection without requests ends after a while', async (t) => {
  const { server, sockets } = await serveHttp2(t, tell);
  const client = await server.connect();
  client.send(get());
  await client.answer();
  server.pass(59_000);
  client.send(get());
  await client.answer();
  assert.equal(sockets.length, 1);
  server.pass(1000);
  server.pass(60_000);
  await until(() => sockets[0]!.destroyed);
});
