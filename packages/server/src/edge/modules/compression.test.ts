import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { brotliDecompressSync, constants, gunzipSync, inflateSync } from 'node:zlib';
import { ErrorCode, type MuxStream } from '@underpass/wire';
import { ConditionVariable } from '../../../../../test/harness/until.ts';
import { tunnelBackend } from '../backends/tunnel-backend.ts';
import {
  always,
  byHand,
  type Client,
  get,
  NAME,
  type Serve,
  siteOf,
  startTestServer,
} from '../http/test-server.fixture.ts';
import { testConnection } from '../sites/connection-facts.fixture.ts';
import type { AnswerFacts, BodyStage, RequestFacts, StageDecision } from '../sites/site.ts';
import { standsStill } from '../stands-still.fixture.ts';
import { compressionModule } from './compression.ts';

type Values = Readonly<Record<string, string>>;
const TEXT = 'All work and no play makes a dull answer. '.repeat(200);
const GZIP = 'Accept-Encoding: gzip\r\n';

function stageOf(maxOpen?: number): BodyStage {
  const look = {
    get: () => undefined,
    group: () => [],
    rules: () => assert.fail(),
    secret: () => null,
    login: null,
    backend: () => assert.fail(),
  };
  const parts = compressionModule(maxOpen).compile(
    { enabled: true },
    { look, place: '', account: 'ac_1', carrier: 'here', before: undefined },
  );
  return parts.bodyStages![0]!;
}

function requestOf(fields: Values): RequestFacts {
  const values = (name: string) => (fields[name] === undefined ? [] : [fields[name]]);
  return {
    ...{ connection: testConnection(), method: 'GET', target: '/', values, decisions: new Map() },
    admittedBy: () => null,
  };
}

function answerOf({ length = '', ...fields }: Values, status = 200): AnswerFacts {
  return {
    status,
    length: length === '' ? null : Number(length),
    isOwn: false,
    isReused: false,
    field: (name) => fields[name] ?? '',
  };
}

const asking = requestOf({ 'accept-encoding': 'gzip' });
const styles = answerOf({ 'content-type': 'text/css' });

function decide(
  answer: Values,
  request: Values = { 'accept-encoding': 'gzip' },
  status = 200,
): StageDecision {
  return stageOf().decide(requestOf(request), answerOf(answer, status));
}

const html = { 'content-type': 'text/html; charset=utf-8' };

test('types that gain by it are compressed, whatever their case and parameters', () => {
  for (const type of [
    'text/html',
    'Text/Plain; charset=utf-8',
    'application/json',
    'application/problem+json;x=y',
    'image/svg+xml',
    'application/wasm',
    'font/ttf',
  ]) {
    assert.equal(decide({ 'content-type': type }).decision, 'gzip', type);
  }
  for (const type of [
    '',
    'image/png',
    'video/mp4',
    'application/zip',
    'font/woff2',
    'application/octet-stream',
  ]) {
    const { decision, add, body } = decide({ 'content-type': type });
    assert.deepEqual([decision, add, body], ['none', [], null], type);
  }
});

test('what must stay as it is, stays as it is', () => {
  for (const [field, value] of [
    ['cache-control', 'public, No-Transform'],
    ['content-encoding', 'gzip'],
    ['content-encoding', 'identity'],
    ['content-range', 'bytes 0-1/2'],
    ['content-type', 'text/event-stream'],
    ['content-digest', 'sha-256=:abc=:'],
    ['content-md5', 'abc'],
    ['length', '255'],
    ['length', '0'],
  ] as const) {
    const { decision, remove, add, body } = decide({ ...html, [field]: value });
    assert.deepEqual([decision, [...remove], add, body], ['none', [], [], null], field);
  }
  assert.equal(decide(html, undefined, 206).body, null);
  assert.equal(decide({ ...html, length: '256' }).decision, 'gzip');
});

test('an answer that could have been compressed says that it varies', () => {
  const asked = { 'accept-encoding': 'gzip' };
  for (const request of [
    {},
    { 'accept-encoding': 'identity' },
    { ...asked, range: 'bytes=0-' },
    { ...asked, 'cache-control': 'max-age=0, No-Transform' },
  ] as Values[]) {
    const { decision, add, body } = decide(html, request);
    assert.deepEqual([decision, add, body], ['none', [['Vary', 'Accept-Encoding']], null]);
  }
  const merged = decide({ ...html, vary: 'Origin' });
  assert.deepEqual(merged.add[0], ['Vary', 'Origin, Accept-Encoding']);
  assert.ok(merged.remove.has('vary'));
  for (const vary of ['*', 'accept-encoding', 'Origin, Accept-Encoding']) {
    assert.deepEqual(decide({ ...html, vary }, {}).add, [], vary);
  }
});

test('a validator becomes a weak one, also where it only confirms what a cache has', () => {
  const etagOf = (decision: StageDecision) => decision.add.find(([name]) => name === 'ETag')?.[1];
  for (const status of [200, 404, 304]) {
    assert.equal(etagOf(decide({ ...html, etag: '"a"' }, undefined, status)), 'W/"a"');
    assert.ok(!decide({ ...html, etag: 'W/"a"' }, undefined, status).remove.has('etag'));
  }
  assert.equal(decide({ etag: '"a"' }, undefined, 304).body, null);
  assert.equal(etagOf(decide({ ...html, etag: '"a"' }, {})), undefined);
  const malformed = decide({ ...html, etag: 'a' });
  assert.ok(malformed.remove.has('etag') && etagOf(malformed) === undefined);
});

test('more compressors than may be open at a time are not made', async () => {
  const stage = stageOf(1);
  const filter = stage.decide(asking, styles).body!.filter();
  assert.equal(stage.decide(asking, styles).decision, 'none');
  filter.write(Buffer.from(TEXT));
  filter.destroy();
  await closed(stage);
});

/** Waits until a compressor was given back. */
async function closed(stage: BodyStage): Promise<void> {
  while (stage.decide(asking, styles).decision === 'none') {
    await new Promise((resolve) => setImmediate(resolve));
  }
}

// ----- on traffic

async function compressing(t: TestContext, serve: Serve, maxOpen?: number) {
  const testServer = await startTestServer(t, serve);
  const stage = stageOf(maxOpen);
  const backend = tunnelBackend(testServer.agents[0]!.tunnel);
  testServer.sites.set(NAME, siteOf(backend, { bodyStages: [stage], readsRequest: true }));
  return { testServer, stage };
}

function head(fields: string, status = '200 OK'): string {
  return `HTTP/1.1 ${status}\r\nContent-Type: text/plain\r\n${fields}\r\n`;
}

function chunk(text: string): string {
  return `${text.length.toString(16)}\r\n${text}\r\n`;
}

/** `isUnfinished`: what is there of it. */
function decoded(bytes: Buffer, coding: string | undefined, isUnfinished = false): string {
  if (coding === 'br') {
    const finishFlush = constants.BROTLI_OPERATION_FLUSH;
    return brotliDecompressSync(bytes, isUnfinished ? { finishFlush } : {}).toString();
  }
  const decode = coding === 'deflate' ? inflateSync : gunzipSync;
  return decode(bytes, isUnfinished ? { finishFlush: constants.Z_SYNC_FLUSH } : {}).toString();
}

async function bodyOf(client: Client): Promise<{ text: string; coding: string | undefined }> {
  const { headers, body, trailers } = await client.answer();
  assert.equal(trailers, '');
  const coding = headers.get('content-encoding');
  assert.equal(headers.get('content-length'), undefined);
  const bytes = Buffer.from(body, 'latin1');
  return { coding, text: decoded(bytes, coding) };
}

test('a body is compressed however the upstream frames it, and the connection goes on', async (t) => {
  const { testServer } = await compressing(
    t,
    byHand((stream, soFar) => {
      const path = soFar.slice(soFar.lastIndexOf('GET ')).split(' ')[1];
      if (path === '/length')
        stream.write(Buffer.from(`${head(`Content-Length: ${TEXT.length}\r\n`)}${TEXT}`));
      else if (path === '/chunks') {
        const fields =
          'Transfer-Encoding: chunked\r\nTrailer: X-Sum\r\nETag: "v1"\r\nAccept-Ranges: bytes\r\n';
        stream.write(Buffer.from(head(fields) + chunk(TEXT.slice(0, 3)) + chunk(TEXT.slice(3, 5000))));
        stream.write(Buffer.from(`${chunk(TEXT.slice(5000))}000\r\nX-Sum: 1\r\n\r\n`));
      } else {
        stream.write(Buffer.from(head('Connection: close\r\n') + TEXT));
        stream.end();
      }
    }),
  );
  const client = await testServer.connect();
  for (const path of ['/length', '/chunks', '/close']) {
    for (const coding of ['gzip', 'br', 'deflate']) {
      client.send(get(path, `Accept-Encoding: ${coding}\r\n`));
      assert.deepEqual(await bodyOf(client), { coding, text: TEXT }, `${path} ${coding}`);
    }
  }
  client.send(get('/chunks', GZIP));
  const { headers } = await client.answer();
  assert.equal(headers.get('etag'), 'W/"v1"');
  assert.equal(headers.get('vary'), 'Accept-Encoding');
  assert.equal(headers.get('accept-ranges'), undefined);
  assert.equal(headers.get('trailer'), undefined);
  const { observed } = testServer;
  assert.equal(observed[0]!.decisions.get('compression'), 'gzip');
  assert.ok(observed[0]!.bytesOut < TEXT.length / 4);
});

test('an answer to HEAD says what GET would, without a body', async (t) => {
  const { testServer } = await compressing(
    t,
    always(head(`Content-Length: ${TEXT.length}\r\nETag: "v"\r\n`)),
  );
  const client = await testServer.connect();
  for (let i = 0; i < 2; i += 1) {
    client.send(get('/', GZIP).replace('GET', 'HEAD'));
    const { headers } = await client.answer(true);
    assert.equal(headers.get('content-encoding'), 'gzip');
    assert.equal(headers.get('content-length'), undefined);
    assert.equal(headers.get('etag'), 'W/"v"');
  }
});

test('where nothing is to come nothing is made of it', async (t) => {
  const { testServer } = await compressing(
    t,
    byHand((stream, soFar) => {
      const status = /GET \/(\d+) /.exec(soFar.slice(soFar.lastIndexOf('GET ')))?.[1];
      const framing = status === '205' ? 'Transfer-Encoding: chunked\r\n' : '';
      stream.write(Buffer.from(`${head(framing, `${status} X`)}${framing === '' ? '' : '0\r\n\r\n'}`));
    }),
  );
  const client = await testServer.connect();
  for (const status of [204, 205]) {
    client.send(get(`/${status}`, GZIP));
    const answer = await client.answer();
    assert.deepEqual([answer.status, answer.body], [status, '']);
    for (const field of ['content-encoding', 'vary']) assert.equal(answer.headers.get(field), undefined);
  }
});

test('what a second line forbids is not done either', async (t) => {
  const fields = `Cache-Control: public\r\nCache-Control: no-transform\r\nContent-Length: ${TEXT.length}\r\n`;
  const { testServer } = await compressing(t, always(head(fields) + TEXT));
  const client = await testServer.connect();
  client.send(get('/', GZIP));
  const { headers, body } = await client.answer();
  assert.equal(headers.get('content-encoding'), undefined);
  assert.equal(body, TEXT);
});

test('a configured answer is compressed too', async (t) => {
  const fields = { 'content-type': 'text/plain', etag: '"v1"' };
  const reply = {
    kind: 'reply',
    status: 200,
    headers: Object.entries(fields),
    body: Buffer.from(TEXT),
  } as const;
  const testServer = await startTestServer(t);
  const backend = { id: 'bkdhr_1', pick: () => reply, leadsTo: () => false, tunnels: () => null };
  testServer.sites.set(NAME, siteOf(backend, { bodyStages: [stageOf()], readsRequest: true }));
  const client = await testServer.connect();
  for (const coding of ['gzip', 'br', 'deflate', 'gzip']) {
    client.send(get('/', `Accept-Encoding: ${coding}\r\n`));
    const { headers, body } = await client.answer();
    assert.equal(headers.get('content-encoding'), coding);
    assert.equal(headers.get('etag'), 'W/"v1"');
    const bytes = Buffer.from(body, 'latin1');
    assert.equal(decoded(bytes, coding), TEXT);
  }
  client.send(get());
  const { headers, body } = await client.answer();
  assert.deepEqual([headers.get('vary'), body], ['Accept-Encoding', TEXT]);
});

test('what is written slowly comes piece by piece', async (t) => {
  let upstream = null as MuxStream | null;
  const { testServer } = await compressing(
    t,
    byHand((stream) => {
      upstream = stream;
      stream.write(Buffer.from(head('Transfer-Encoding: chunked\r\n') + chunk('first')));
    }),
  );
  for (const coding of ['gzip', 'br', 'deflate']) {
    const client = await testServer.connect();
    client.send(get('/', `Accept-Encoding: ${coding}\r\n`));
    await client.take('\r\n\r\n');
    await client.until(() => soFar(client, coding) === 'first');
    upstream!.write(Buffer.from(chunk(' second')));
    await client.until(() => soFar(client, coding) === 'first second');
    client.socket.destroy();
  }
});

/** Returns the content that a client has of an unfinished response. */
function soFar({ pending }: Client, coding: string): string {
  const parts: Buffer[] = [];
  const bytes = Buffer.from(pending, 'latin1');
  for (let at = 0; at < bytes.length; ) {
    const lineEnd = bytes.indexOf('\r\n', at);
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16);
    parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 4 + size;
  }
  const all = Buffer.concat(parts);
  return decoded(all, coding, true);
}

test('a visitor that reads nothing stops the upstream, and one that goes away ends the compressor', async (t) => {
  let produced = 0;
  // Of what does not compress, as much goes out as comes in.
  const piece = Buffer.from(
    Uint8Array.from({ length: 65536 }, (_, i) => ((i * i * 2654435761) >>> 13) & 0xff),
  );
  const closes = new ConditionVariable();
  let reset = false;
  const produce = (stream: MuxStream): void => {
    while (produced < 256 * 1024 * 1024) {
      produced += piece.length;
      if (!stream.write(piece)) return;
    }
  };
  const { testServer, stage } = await compressing(
    t,
    (stream) => {
      stream.handler = {
        data() {
          stream.write(Buffer.from(head('Connection: close\r\n')));
          produce(stream);
        },
        end() {},
        drain: () => produce(stream),
        close() {
          reset = true;
          closes.notify();
        },
      };
    },
    1,
  );
  const client = await testServer.connect();
  client.socket.pause();
  client.send(get('/', GZIP));
  await standsStill(() => produced);
  assert.ok(produced < 64 * 1024 * 1024, `${produced} bytes were taken for a visitor that reads none`);
  client.socket.destroy();
  await closes.until(() => reset);
  await closed(stage);
});

test('an answer that the upstream cuts is cut for the visitor too', async (t) => {
  const { testServer } = await compressing(
    t,
    byHand((stream) => {
      stream.write(Buffer.from(head('Content-Length: 100000\r\n') + TEXT));
      stream.reset(ErrorCode.streamReset);
    }),
  );
  const client = await testServer.connect();
  client.send(get('/', GZIP));
  const text = await client.rest();
  assert.ok(!text.endsWith('\r\n0\r\n\r\n'));
});

test('a stream whose answer was still being compressed when it ended serves the next request', async (t) => {
  const large = TEXT.repeat(300);
  const { testServer } = await compressing(t, always(head(`Content-Length: ${large.length}\r\n`) + large));
  const client = await testServer.connect();
  for (let i = 0; i < 3; i += 1) {
    client.send(get('/', GZIP));
    assert.equal((await bodyOf(client)).text, large);
  }
  assert.equal(testServer.agents[0]!.opened.length, 1);
});
