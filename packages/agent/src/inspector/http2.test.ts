/**
 * Tests that requests to an HTTP/2 service are kept like any other request, and can be replayed. Both ends are a
 * client and a server of Node.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, constants, createServer, type ServerHttp2Stream } from 'node:http2';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { CLIENT_PREFACE, Flag, FrameType, frame, MAX_FRAME } from '@underpass/wire/http2';
import fc from 'fast-check';
import { inTime } from '../../../../test/harness/until.ts';
import { parseUpstream } from '../address.ts';
import { forwardTo, type ServeConnection } from '../forward.ts';
import type { LoggedRequest } from '../http-log.ts';
import { Http2Log } from '../http2-log.ts';
import type { ExchangeDetails } from './api-types.ts';
import { HEADER, passBy } from './inspector.fixture.ts';
import { Inspector } from './inspector.ts';
import { sendHttp2 } from './replay-http2.ts';
import { answerOf } from './routes.ts';
import { Store } from './store.ts';

const LONG = 'x'.repeat(100_000);

/** Responds like a gRPC server: the status of a call follows the response as a trailer. */
function answer(stream: ServerHttp2Stream, path: string, body: string): void {
  if (path === '/broken') {
    stream.close(2);
    return;
  }
  stream.additionalHeaders({ ':status': 103 });
  stream.respond(
    { ':status': 200, 'content-type': 'text/plain', 'x-asked': path },
    { waitForTrailers: true },
  );
  stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
  stream.end(path === '/long' ? LONG : `asked with ${body.length}`);
}

async function start(t: TestContext) {
  const server = createServer();
  server.on('stream', (stream: ServerHttp2Stream, headers) => {
    stream.on('error', () => {});
    void text(stream).then(
      (body) => answer(stream, headers[':path'] ?? '', body),
      () => {},
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  const upstream = { ...parseUpstream(`127.0.0.1:${port}`), speaksHttp2: true };
  const inspector = new Inspector({ server: 'connect.underpass.localhost:443' }, new Store());
  const request = { proto: 'http', upstreamProtocol: 'http2' } as const;
  const inspection = inspector.add({ name: 'web', upstream, request });
  const logged: LoggedRequest[] = [];
  const serve: ServeConnection = (stream, header) =>
    forwardTo(upstream, stream, header, { inspection, onExchange: (it) => logged.push(it) });
  inspection.serving(serve);
  t.after(() => server.close());
  const visit = (method: string, target: string, body = '') =>
    inTime(
      sendHttp2(serve, HEADER, {
        ...{ method, target, body: Buffer.from(body) },
        headers: [
          ['Host', 'demo.test'],
          ['X-Name', 'v'],
          ['X-Name', 'w'],
        ],
      }),
      () => `the end of ${target}`,
    );
  const api = async (method: string, path: string, body = '') => {
    const url = new URL(`http://inspector/api/exchanges/${path}`);
    const signal = AbortSignal.timeout(60_000);
    const answered = await answerOf(inspector, { method, url, body: async () => body, signal });
    return answered as { status: number; json: object; bytes: Buffer };
  };
  return { inspector, logged, visit, api };
}

test('requests over HTTP/2 are kept with heads, bodies and what stands behind them', async (t) => {
  const { inspector, logged, visit, api } = await start(t);
  await visit('POST', '/call', LONG);
  await visit('GET', '/long');
  assert.deepEqual(
    logged.map(({ method, path, status }) => [method, path, status]),
    [
      ['POST', '/call', 200],
      ['GET', '/long', 200],
    ],
  );
  const [call, long] = inspector.store.all;
  assert.equal(call?.request.bytes.toString(), LONG);
  assert.equal(call?.response.bytes.toString(), `asked with ${LONG.length}`);
  assert.equal(long?.response.bytes.toString(), LONG);
  const { json } = await api('GET', '1');
  const { request, response, outcome } = json as ExchangeDetails;
  assert.equal(outcome, 'complete');
  assert.equal(request.version, 'HTTP/2');
  assert.deepEqual(request.headers.slice(0, 3), [
    ['host', 'demo.test'],
    ['x-name', 'v'],
    ['x-name', 'w'],
  ]);
  const names = response?.headers.map(([name]) => name) ?? [];
  assert.deepEqual(
    names.filter((name) => name !== 'date'),
    ['content-type', 'x-asked', 'grpc-status'],
  );
});

/** A header block of a request with one long field, as a request is that a daemon has added to. */
function longRequest(length: number): Buffer {
  const value = Buffer.alloc(length, 'x');
  // Literals without indexing (RFC 7541, sections 5.1 and 6.2.2): GET, /, and the field, whose length takes more than a byte.
  const lengthBytes: number[] = [0x7f];
  let rest = length - 0x7f;
  for (; rest >= 0x80; rest >>= 7) lengthBytes.push((rest & 0x7f) | 0x80);
  const block = Buffer.concat([
    Buffer.from([0x82, 0x84, 0x86, 0x00, 0x01]),
    Buffer.from('x'),
    Buffer.from([...lengthBytes, rest]),
    value,
  ]);
  const pieces = Array.from({ length: Math.ceil(block.length / MAX_FRAME) }, (_, at) =>
    block.subarray(at * MAX_FRAME, (at + 1) * MAX_FRAME),
  );
  const frames = pieces.map((piece, at) => {
    const isLast = at === pieces.length - 1;
    const [type, flags] = at === 0 ? [FrameType.headers, Flag.endStream] : [FrameType.continuation, 0];
    return frame(type, flags | (isLast ? Flag.endHeaders : 0), 1, piece);
  });
  return Buffer.concat([CLIENT_PREFACE, ...frames]);
}

test('a head over HTTP/2 is looked at that is longer than a daemon lets through, and no longer one', () => {
  const paths = (length: number): readonly string[] => {
    const logged: LoggedRequest[] = [];
    const log = new Http2Log({ report: (it) => logged.push(it), capture: undefined, now: () => 0 });
    log.request(longRequest(length));
    log.close();
    return logged.map(({ path }) => path);
  };
  assert.deepEqual(paths(1024 * 1024 + 65_536), ['/']);
  assert.deepEqual(paths(2 * 1024 * 1024), []);
});

test('a fault of a service is reported on its waiting requests over HTTP/2', () => {
  const store = new Store();
  const capture = store.capture({ tunnel: 1, client: '', replayOf: null });
  const log = new Http2Log({ report: undefined, capture, now: () => 0 });
  log.request(longRequest(200));
  log.fault('it is not there');
  log.close();
  assert.equal(store.get(1)?.fault, 'it is not there');
});

test('a request over HTTP/2 is sent again, as it was and edited', async (t) => {
  const { inspector, visit, api } = await start(t);
  await visit('POST', '/first', LONG);
  const { json } = await api('POST', '1/replay');
  assert.deepEqual(json, { id: 2 });
  await api('POST', '2/replay', JSON.stringify({ path: '/edited', body: 'five5' }));
  const over = () => inspector.store.all.every(({ outcome }) => outcome === 'complete');
  await inTime(
    new Promise<void>((resolve) => {
      const look = () => over() && resolve();
      inspector.store.watch(look);
      look();
    }),
    () => 'the answers',
  );
  const [first, second, third] = inspector.store.all;
  assert.equal(second?.response.bytes.toString(), first?.response.bytes.toString());
  assert.equal(second?.origin.replayOf, 1);
  assert.equal(third?.response.bytes.toString(), 'asked with 5');
  assert.match(third?.responseLines ?? '', /^x-asked: \/edited\r$/m);
});

test('what HTTP/2 does not have is refused, and what is broken off is shown as that', async (t) => {
  const { inspector, logged, visit, api } = await start(t);
  await visit('GET', '/broken');
  assert.equal(inspector.store.get(1)?.outcome, 'broken');
  assert.deepEqual([logged[0]?.path, logged[0]?.status], ['/broken', null]);
  const edits = JSON.stringify({ headers: [['http2-settings', 'x']] });
  await assert.rejects(api('POST', '1/replay', edits), /HTTP\/2 does not take this request/);
  await api('POST', '1/replay');
});

/** The bytes that a Node client sends for a request, and those of the response. */
async function conversation(paddingStrategy: number): Promise<readonly [asked: Buffer, answered: Buffer]> {
  const server = createServer({ paddingStrategy }, (_, response) =>
    response.writeHead(201, { 'x-a': 'b' }).end('answer'),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  const [asked, answered]: [Buffer[], Buffer[]] = [[], []];
  const { connect: dial } = await import('node:net');
  const socket = dial(port, '127.0.0.1');
  const { Duplex } = await import('node:stream');
  const seen = new Duplex({
    read: () => {},
    write: (chunk: Buffer, _, done) => {
      asked.push(chunk);
      socket.write(chunk, () => done());
    },
    final: (done) => done(),
  });
  socket.on('data', (chunk: Buffer) => {
    answered.push(chunk);
    seen.push(chunk);
  });
  const session = connect('http://demo.test', { paddingStrategy, createConnection: () => seen });
  for (const path of ['/one', '/two']) {
    const request = session.request({ ':method': 'POST', ':path': path, 'x-c': 'd' });
    request.end('body');
    await text(request);
  }
  session.destroy();
  socket.destroy();
  server.close();
  return [Buffer.concat(asked), Buffer.concat(answered)];
}

test('however the bytes are cut, and whatever they are, watching them goes on or stops, and never throws', async () => {
  const { PADDING_STRATEGY_NONE, PADDING_STRATEGY_MAX } = constants;
  let [asked, answered] = await inTime(conversation(PADDING_STRATEGY_MAX), () => 'the conversation');
  const watch = (pieces: (bytes: Buffer) => readonly Buffer[], malformed = (bytes: Buffer) => bytes) => {
    const store = new Store({ now: () => 0, clock: () => 0 });
    const source = { tunnel: 1, client: '', replayOf: null };
    const log = new Http2Log({ report: undefined, capture: store.capture(source), now: () => 0 });
    for (const piece of pieces(malformed(asked))) passBy(piece, (seen) => log.request(seen));
    for (const piece of pieces(malformed(answered))) passBy(piece, (seen) => log.response(seen));
    log.close();
    return store.all.map((it) => [
      ...[it.requestLines, it.request.bytes.toString(), it.responseLines],
      ...[it.response.bytes.toString(), it.outcome],
    ]);
  };
  const whole = watch((bytes) => [bytes]);
  assert.deepEqual(
    whole.map(([lines, ...rest]) => [lines?.split('\r\n', 1)[0], rest[0], rest[2], rest[3]]),
    ['/one', '/two'].map((path) => [`POST ${path} HTTP/2`, 'body', 'answer', 'complete']),
  );
  const cut = (size: number) => (bytes: Buffer) =>
    Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
      bytes.subarray(at * size, (at + 1) * size),
    );
  for (const size of [1, 2, 9, 10, 33]) assert.deepEqual(watch(cut(size)), whole, String(size));
  [asked, answered] = await inTime(conversation(PADDING_STRATEGY_NONE), () => 'the conversation');
  for (const size of [1, 2, 9, 10, 33, 10_000]) {
    const lines = watch(cut(size)).map(([line, ...rest]) => [line, rest[0], rest[2], rest[3]]);
    assert.deepEqual(
      lines,
      whole.map(([line, ...rest]) => [line, rest[0], rest[2], rest[3]]),
      String(size),
    );
  }
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(400), fc.nat(255)), { minLength: 1, maxLength: 5 }),
      fc.integer({ min: 1, max: 50 }),
      (changes, size) => {
        watch(cut(size), (bytes) => {
          const malformed = Buffer.from(bytes);
          for (const [at, value] of changes) if (at < malformed.length) malformed[at] = value;
          return malformed;
        });
      },
    ),
    { numRuns: 200 },
  );
});

test('a malformed response is shown with its field', () => {
  const seen: LoggedRequest[] = [];
  const log = new Http2Log({ report: (it) => seen.push(it), capture: undefined, now: () => 0 });
  const whole = Flag.endHeaders | Flag.endStream;
  const asked = Buffer.of(0x82, 0x84, 0x86);
  const answered = Buffer.concat([
    Buffer.of(0x88, 0, 5),
    Buffer.from('X-Bad'),
    Buffer.of(1),
    Buffer.from('1'),
  ]);
  log.request(Buffer.concat([CLIENT_PREFACE, frame(FrameType.headers, whole, 1, asked)]));
  log.response(frame(FrameType.headers, whole, 1, answered));
  assert.deepEqual(
    seen.map(({ status, fault }) => [status, fault]),
    [[null, 'a header field that HTTP/2 does not allow: "X-Bad: 1"']],
  );
});
