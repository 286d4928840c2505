/** Recorded bodies: the beginnings of what both sides sent, and of nothing else. */
import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { type TestContext, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { until } from '../../../../../test/harness/until.ts';
import { startUpstream } from '../../../../../test/harness/upstream.ts';
import { type BodyPlace, MOST_RECORDED, type RecordedBody } from '../sites/body-recording.ts';
import type { Route } from '../sites/site.ts';
import { Http2Client } from './http2-client.fixture.ts';
import {
  always,
  byHand,
  forwardTo,
  NAME,
  type Serve,
  siteOf,
  startTestServer,
} from './test-server.fixture.ts';

/** Counts what the places of requests keep, as the daemon's store does. */
class Places {
  isOn = true;
  begun = 0;
  released = 0;
  bytes = 0;
  isOpen = true;
  room = Number.POSITIVE_INFINITY;

  begin(): BodyPlace {
    const places = this;
    this.begun += 1;
    return {
      get isOpen() {
        return places.isOpen;
      },
      keep: (bytes) => {
        this.bytes = bytes;
        return bytes <= this.room;
      },
      release: () => {
        this.released += 1;
      },
    };
  }
}

async function start(t: TestContext, serve: Serve | RequestListener, parts: Partial<Route> = {}) {
  const recordings = new Places();
  const isServe = serve.length === 1;
  const upstream = isServe ? null : await startUpstream(serve as RequestListener);
  t.after(() => upstream?.stop());
  const how = upstream === null ? (serve as Serve) : forwardTo(upstream.port);
  const server = await startTestServer(t, how, { recordings, recorded: () => 'outcome' });
  server.sites.set(NAME, siteOf(server.sites.get(NAME)!.route('').backend, parts));
  const last = async () => {
    await until(() => server.observed.length > 0);
    return server.observed.splice(0)[0]!;
  };
  return { server, recordings, last };
}

const head = (lines: string): string => `${lines.replaceAll('\n', '\r\n')}\r\nHost: ${NAME}\r\n\r\n`;
const textOf = (body: RecordedBody | null | undefined) => body?.bytes.toString();

/** Sends the body back in two pieces. */
const echo: RequestListener = (request, response) => {
  response.setHeader('content-type', 'text/x-echo');
  request.on('data', (chunk) => response.write(chunk)).on('end', () => response.end('!'));
};

test('both bodies are recorded without the framing of chunks, over HTTP/1.1 and HTTP/2', async (t) => {
  const { server, last } = await start(t, echo);
  const client = await server.connect();
  client.send(`${head('POST /a HTTP/1.1\nContent-Length: 5\nContent-Type: text/plain')}hello`);
  await client.answer();
  const sized = await last();
  assert.deepEqual([textOf(sized.bodies?.request), sized.bodies?.request?.type], ['hello', 'text/plain']);
  assert.deepEqual([textOf(sized.bodies?.response), sized.bodies?.response?.type], ['hello!', 'text/x-echo']);
  assert.deepEqual([sized.method, sized.path], ['POST', '/a']);
  client.send(`${head('POST / HTTP/1.1\nTransfer-Encoding: chunked')}3\r\nabc\r\n`);
  client.send('2\r\nde\r\n0\r\n\r\n');
  await client.answer();
  const chunked = await last();
  assert.deepEqual([textOf(chunked.bodies?.request), textOf(chunked.bodies?.response)], ['abcde', 'abcde!']);
  const old = await server.connect();
  old.send(`${head('POST / HTTP/1.0\nContent-Length: 3')}abc`);
  assert.ok((await old.rest()).endsWith('abc!'));
  const over10 = await last();
  assert.deepEqual([textOf(over10.bodies?.request), textOf(over10.bodies?.response)], ['abc', 'abc!']);
  const visitor = await Http2Client.open(t, server.port);
  const { body } = await visitor.ask({ ':method': 'PUT', ':path': '/' }, 'over HTTP/2');
  const over2 = await last();
  assert.equal(body, 'over HTTP/2!');
  assert.deepEqual([textOf(over2.bodies?.request), textOf(over2.bodies?.response)], ['over HTTP/2', body]);
});

test('the beginning of a long body is recorded, compressed ones as they were sent, and empty ones not', async (t) => {
  const long = Buffer.alloc(3 * MOST_RECORDED, 'x');
  const packed = gzipSync('packed');
  const { server, last, recordings } = await start(t, (request, response) => {
    if (request.url === '/long') response.end(long);
    else if (request.url === '/gzip') response.setHeader('content-encoding', 'gzip').end(packed);
    else response.end();
  });
  const client = await server.connect();
  for (const path of ['/long', '/gzip', '/empty']) {
    client.send(head(`GET ${path} HTTP/1.1`));
    await client.answer();
    const { bodies } = await last();
    assert.equal(bodies?.request, null);
    if (path === '/long')
      assert.deepEqual([bodies.response?.bytes.length, bodies.response?.size], [MOST_RECORDED, long.length]);
    else if (path === '/gzip') assert.equal(gunzipSync(bodies.response!.bytes).toString(), 'packed');
    else assert.equal(bodies.response, null);
    assert.ok(recordings.bytes <= 2 * MOST_RECORDED);
  }
  assert.equal(recordings.begun, 3);
});

test('no body is recorded of what a module refuses, of a switched connection, or without a recording', async (t) => {
  const guard = {
    name: 'ip_restriction',
    reads: 'connection',
    check: () => 'sourceRefused' as const,
  } as const;
  const { server, last, recordings } = await start(
    t,
    always('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'),
    {
      guards: [guard],
    },
  );
  const refused = await server.connect();
  refused.send(`${head('POST / HTTP/1.1\nContent-Length: 6')}secret`);
  assert.equal((await refused.answer()).status, 403);
  assert.deepEqual([(await last()).bodies, recordings.begun], [null, 0]);

  const body = { name: 'webhook_verification', terms: 'a', limit: 100, check: () => 'webhookRefused' };
  server.sites.set(NAME, siteOf(server.sites.get(NAME)!.route('').backend, { bodyGuards: [body as never] }));
  const judged = await server.connect();
  judged.send(`${head('POST / HTTP/1.1\nContent-Length: 6')}secret`);
  await judged.answer();
  assert.deepEqual([(await last()).bodies, recordings.released], [null, 1]);

  server.sites.set(NAME, siteOf(server.sites.get(NAME)!.route('').backend));
  recordings.isOn = false;
  const client = await server.connect();
  client.send(head('GET / HTTP/1.1'));
  await client.answer();
  assert.deepEqual([(await last()).bodies, recordings.begun], [null, 1]);
});

test('frames of a WebSocket are not recorded', async (t) => {
  const switching = 'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n';
  const { server, last, recordings } = await start(
    t,
    byHand((stream, soFar) => {
      if (soFar.endsWith('\r\n\r\n')) stream.write(Buffer.from(`${switching}frames`));
      else stream.end();
    }),
  );
  const client = await server.connect();
  client.send(head('GET / HTTP/1.1\nConnection: Upgrade\nUpgrade: websocket'));
  assert.equal((await client.answer()).status, 101);
  client.send('more');
  await client.takeBytes(6);
  client.socket.destroy();
  const { bodies, status } = await last();
  assert.deepEqual([status, bodies, recordings.released], [101, null, 1]);
});

test('nothing more is kept when the recording ends meanwhile, or without room', async (t) => {
  const { server, last, recordings } = await start(t, echo);
  const client = await server.connect();
  client.send(`${head('POST / HTTP/1.1\nContent-Length: 6')}abc`);
  await until(() => recordings.bytes > 0);
  recordings.isOpen = false;
  client.send('def');
  await client.answer();
  const ended = (await last()).bodies?.request;
  assert.deepEqual([textOf(ended), ended?.size], ['abc', 6]);
  Object.assign(recordings, { isOpen: true, room: 0 });
  client.send(`${head('POST / HTTP/1.1\nContent-Length: 3')}abc`);
  await client.answer();
  const full = (await last()).bodies?.request;
  assert.deepEqual([textOf(full), full?.size], ['', 3]);
});
