import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { until } from '../../../../test/harness/until.ts';
import { catalogue, type ErrorName } from '../errors/catalogue.ts';
import { KEY, OTHER_KEY, type Running, requestText, startApi } from './api.fixture.ts';
import type { Answer } from './raw-client.fixture.ts';
import { WIDGET } from './samples.fixture.ts';

const GOOD = requestText('GET', '/gadgets');
/** Short, for tests that wait until a client's time is up. */
const SHORT_TIMEOUTS = { head: 50, request: 100, keepAlive: 50, silence: 5000 };

function is(answer: Answer, code: ErrorName): void {
  assert.equal(answer.json.error_code, `ERR_SERVICE_${catalogue[code].number}`, answer.text);
  assert.equal(answer.status, catalogue[code].status);
  assert.equal(answer.headers.get('content-type'), 'application/json');
  assert.equal(answer.headers.get('underpass-operation-id'), answer.json.details?.operation_id);
}

async function stillServes(api: Running): Promise<void> {
  assert.equal((await api.request('GET', '/gadgets')).status, 200);
}

test('bytes that are not HTTP are answered with 400 in the shape of every error, and the connection ends', async (t) => {
  const api = await startApi(t);
  const head = `host: x\r\nauthorization: Bearer ${KEY}\r\nservice-version: 2\r\n`;
  const post = `POST /samples/widgets HTTP/1.1\r\n${head}content-type: application/json\r\n`;
  const broken = [
    'hello\r\n\r\n',
    '\u0000\u0001\u0002\r\n\r\n',
    '\u0016\u0003\u0001\u0002\u0000\u0001',
    'GET\r\n\r\n',
    'GET /gadgets HTTP/9.9\r\n\r\n',
    'GET /gadgets SMTP/1.1\r\n\r\n',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    `GET /gadgets HTTP/1.1\r\n${head}bad name: x\r\n\r\n`,
    `GET /gadgets HTTP/1.1\r\n${head}host : x\r\n\r\n`,
    `GET /gadgets HTTP/1.1\r\n${head}x: a\u0000b\r\n\r\n`,
    `GET /gadgets HTTP/1.1\r\n${head}x: a\rb\r\n\r\n`,
    `${post}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
    `${post}content-length: 2\r\ncontent-length: 3\r\n\r\n{}`,
    `${post}content-length: +2\r\n\r\n{}`,
    `${post}content-length: 0x2\r\n\r\n{}`,
    `${post}content-length: 99999999999999999999999\r\n\r\n{}`,
    `${post}transfer-encoding: xchunked\r\n\r\n{}`,
    `${post}transfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`,
    `${post}transfer-encoding: chunked\r\n\r\nfffffffffffffffff\r\n`,
  ];
  for (const bytes of broken) {
    const client = await api.open();
    client.send(Buffer.from(bytes, 'latin1'));
    const answer = await client.answer();
    is(answer, 'requestMalformed');
    assert.equal(answer.headers.get('connection'), 'close');
    assert.equal(await client.ended(), '', JSON.stringify(bytes));
  }
  await stillServes(api);
});

test('requests that HTTP parsers let through but that have two meanings are refused', async (t) => {
  const api = await startApi(t);
  for (const [method, target, headers] of [
    ['GET', '/gadgets', { host: undefined }],
    ['GET', '/gadgets', { Host: 'other' }],
    ['GET', '/gadgets', { Authorization: `Bearer ${KEY}` }],
    ['GET', '/gadgets', { 'Content-type': 'a/b', 'content-type': 'application/json' }],
    ['GET', 'http://other.test/gadgets', {}],
    ['GET', 'https://api.underpass.test@other.test/gadgets', {}],
    ['GET', 'https://api.underpass.test/gadgets', { host: undefined }],
    ['GET', 'https:///gadgets', {}],
    ['GET', 'ftp://api.underpass.test/gadgets', {}],
    ['GET', '*', {}],
    ['OPTIONS', '**', {}],
    ['GET', '/gadgets#x', {}],
    ['GET', '/gadgets/%', {}],
    ['GET', '/gadgets/%ff', {}],
    ['CONNECT', 'api.underpass.test:443', {}],
  ] as const) {
    is(await api.request(method, target, headers), 'requestMalformed');
  }
  await stillServes(api);
});

test('a target may be the whole URL of what is asked for, as proxies are sent it', async (t) => {
  const api = await startApi(t);
  for (const target of ['https://api.underpass.test', 'HTTP://API.underpass.test']) {
    const { json } = await api.request('GET', `${target}/gadgets/gadget_1`);
    assert.equal(json.asked, 'get gadget gadget_1', target);
    assert.equal((await api.request('GET', `${target}/gadgets?limit=7`)).status, 200);
    is(await api.request('GET', `${target}/gadgets?limit=0`), 'limitOutOfRange');
    for (const nothing of [target, `${target}?a=b`]) is(await api.request('GET', nothing), 'pathNotFound');
  }
  await stillServes(api);
});

test('a head beyond 16 KiB is refused, with how much may be sent', async (t) => {
  const api = await startApi(t);
  const answer = await api.request('GET', '/gadgets', { x: 'y'.repeat(17_000) });
  is(answer, 'requestHeadTooLarge');
  assert.equal(answer.json.details?.limit, '16384');
  is(await api.request('GET', `/${'x'.repeat(17_000)}`), 'requestHeadTooLarge');
  const many = Object.fromEntries(Array.from({ length: 6000 }, (_, i) => [`x${i}`, '']));
  is(await api.request('GET', '/gadgets', many), 'requestHeadTooLarge');
  await stillServes(api);
});

test('no bytes at all end the service', async (t) => {
  const api = await startApi(t);
  const pieces = fc.constantFrom(
    ...[
      'GET ',
      'POST ',
      '/gadgets',
      ' HTTP/1.1',
      '\r\n',
      '\r\n\r\n',
      'host: x',
      'content-length: 5',
      '{}',
      ':',
      '\u0000',
      '\n',
    ],
    ...[
      'transfer-encoding: chunked',
      '5\r\n',
      '0\r\n\r\n',
      'expect: 100-continue',
      'upgrade: h2c',
      'connection: upgrade',
      GOOD,
    ],
  );
  await fc.assert(
    fc.asyncProperty(fc.array(pieces, { maxLength: 14 }), async (parts) => {
      const client = await api.open();
      client.send(parts.join(''));
      client.socket.end();
      await client.ended();
    }),
    { numRuns: 150 },
  );
  await stillServes(api);
});

test('requests on one connection are answered in order, also when they are sent at once', async (t) => {
  const api = await startApi(t);
  const client = await api.open();
  const paths = Array.from({ length: 20 }, (_, i) => `/gadgets/gadget_${i}`);
  client.send(paths.map((path) => requestText('GET', path)).join(''));
  for (const path of paths)
    assert.equal((await client.answer()).json.asked, `get gadget ${path.slice('/gadgets/'.length)}`);
  client.send(requestText('DELETE', `/samples/widgets/${WIDGET}`), requestText('HEAD', '/gadgets'), GOOD);
  assert.equal((await client.answer()).status, 204);
  assert.equal((await client.answer('HEAD')).status, 200);
  assert.equal((await client.answer()).status, 200);
});

test('garbage after a good request does not replace the answer of the good one', async (t) => {
  const api = await startApi(t);
  const { promise, resolve } = Promise.withResolvers<void>();
  api.engine.blockedUntil = promise;
  const client = await api.open();
  client.send(GOOD, 'garbage\r\n\r\nmore\r\n\r\n');
  await until(() => api.engine.asked.length > 0);
  client.send('even more\r\n\r\n');
  resolve();
  assert.equal((await client.answer()).status, 200);
  is(await client.answer(), 'requestMalformed');
  assert.equal(await client.ended(), '');
});

test('a body beyond 1 MiB is refused before and while it arrives, and the sender gets to read why', async (t) => {
  const api = await startApi(t);
  const large = Buffer.alloc(3 * 1024 * 1024, ' ');
  const announced = await api.request('POST', '/samples/widgets', {}, large);
  is(announced, 'bodyTooLarge');
  assert.equal(announced.json.details?.limit, '1048576');

  const client = await api.open();
  const chunked = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' };
  client.send(
    requestText('POST', '/samples/widgets', chunked),
    `${large.length.toString(16)}\r\n`,
    large,
    '\r\n0\r\n\r\n',
  );
  is(await client.answer(), 'bodyTooLarge');
  client.send(GOOD);
  assert.equal((await client.answer()).status, 200, 'the connection goes on behind the refused body');

  const fitting = `"${'x'.repeat(1024 * 1024 - 2)}"`;
  assert.equal((await api.request('POST', '/samples/widgets', {}, fitting)).status, 201);
  is(await api.request('POST', '/samples/widgets', {}, `${fitting} `), 'bodyTooLarge');
});

test('a body that is announced as too large is refused before a byte of it has come', async (t) => {
  const api = await startApi(t);
  const client = await api.open();
  const announced = { 'content-type': 'application/json', 'content-length': String(1024 * 1024 + 1) };
  client.send(requestText('POST', '/samples/widgets', announced));
  is(await client.answer(), 'bodyTooLarge');
});

test('a refused request cannot be followed by a body without end', async (t) => {
  const api = await startApi(t);
  const client = await api.open();
  client.send(requestText('POST', '/nowhere', { 'content-length': String(2 ** 40) }));
  is(await client.answer(), 'pathNotFound');
  const block = Buffer.alloc(1024 * 1024);
  let ended = false;
  void client.ended().then(() => {
    ended = true;
  });
  for (let i = 0; i < 200 && !ended; i += 1) {
    await new Promise<void>((resolve) => {
      client.socket.write(block, () => resolve());
    });
  }
  assert.ok(ended);
  await stillServes(api);
});

test('a chunked body is read like any other, and so is one that waits to be asked for', async (t) => {
  const api = await startApi(t);
  const client = await api.open();
  const json = { 'content-type': 'application/json' };
  client.send(
    requestText('POST', '/samples/widgets', { ...json, 'transfer-encoding': 'chunked' }),
    '1\r\n{\r\n1;x=y\r\n}\r\n0\r\n\r\n',
  );
  assert.equal((await client.answer()).json.asked, 'create widget {}');
  client.send(
    requestText('POST', '/samples/widgets', { ...json, 'content-length': '2', expect: '100-continue' }),
  );
  assert.equal((await client.answer()).status, 100);
  client.send('{}');
  assert.equal((await client.answer()).status, 201);
  client.send(
    requestText('GET', '/gadgets', { expect: 'miracles', upgrade: 'websocket', connection: 'upgrade' }),
  );
  assert.equal((await client.answer()).status, 200);
});

test('a client that waits to send an unwanted body gets a response, and the connection ends', async (t) => {
  const api = await startApi(t);
  const client = await api.open();
  client.send(requestText('POST', '/nowhere', { 'content-length': '2', expect: '100-continue' }), GOOD);
  const answer = await client.answer();
  is(answer, 'pathNotFound');
  assert.equal(answer.headers.get('connection'), 'close');
  assert.equal(await client.ended(), '', 'what follows may be the body or another request');
  await stillServes(api);
});

test('HTTP/1.0 is answered, once for a connection', async (t) => {
  const api = await startApi(t);
  const client = await api.open();
  const old = GOOD.replace('HTTP/1.1', 'HTTP/1.0');
  client.send(old, old);
  const answer = await client.answer();
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('connection'), 'close');
  assert.equal(await client.ended(), '');
  const without = await api.open();
  without.send(old.replace('host: api.underpass.test\r\n', ''));
  assert.equal((await without.answer()).status, 200, 'Host came with HTTP/1.1');
  const chunked = await api.open();
  chunked.send(old.replace('\r\n\r\n', '\r\ntransfer-encoding: chunked\r\n\r\n'), '0\r\n\r\n');
  is(await chunked.answer(), 'requestMalformed');
});

test('a body that stops in the middle is no request, whether the client ends or vanishes', async (t) => {
  const api = await startApi(t);
  const half = requestText('POST', '/samples/widgets', {
    'content-type': 'application/json',
    'content-length': '100',
  });
  const ending = await api.open();
  ending.send(half, '{"a":');
  ending.socket.end();
  is(await ending.answer(), 'requestMalformed');
  assert.equal(await ending.ended(), '');

  const vanishing = await api.open();
  vanishing.send(half, '{"a":');
  await new Promise(setImmediate);
  vanishing.socket.resetAndDestroy();
  await stillServes(api);
  assert.ok(api.engine.asked.every((asked) => !asked.startsWith('create')));
});

test('a client that vanishes before its response affects no other', async (t) => {
  const api = await startApi(t);
  const { promise, resolve } = Promise.withResolvers<void>();
  api.engine.blockedUntil = promise;
  const client = await api.open();
  client.send(GOOD);
  await until(() => api.engine.asked.length > 0);
  client.socket.resetAndDestroy();
  resolve();
  await stillServes(api);
});

test('a client that sends its head or body too slowly gets an error, and a silent one is closed', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  const pass = (ms: number): void => {
    now += ms;
    t.mock.timers.tick(SHORT_TIMEOUTS.head);
  };
  const api = await startApi(t, { timeouts: SHORT_TIMEOUTS });
  const silent = await api.open();
  const inHead = await api.open();
  inHead.send('GET /gadgets HTTP/1.1\r\nhost:');
  const inBody = await api.open();
  inBody.send(
    requestText('POST', '/samples/widgets', { 'content-type': 'application/json', 'content-length': '5' }),
    '{',
  );
  // The daemon has read all earlier bytes after this request.
  await stillServes(api);
  pass(SHORT_TIMEOUTS.head + 1);
  is(await inHead.answer(), 'requestTimeout');
  pass(SHORT_TIMEOUTS.request);
  is(await inBody.answer(), 'requestTimeout');
  for (const client of [inHead, inBody]) assert.equal(await client.ended(), '');
  await silent.ended();
  await stillServes(api);
});

test('a connection that rests between requests is let go after a while', async (t) => {
  const api = await startApi(t, { timeouts: { ...SHORT_TIMEOUTS, head: 60_000, request: 60_000 } });
  const client = await api.open();
  client.send(GOOD);
  assert.equal((await client.answer()).status, 200);
  assert.equal(await client.ended(), '');
});

test('closing ends what rests, waits for what runs, and takes nothing new', async (t) => {
  const api = await startApi(t);
  const { promise, resolve } = Promise.withResolvers<void>();
  const resting = await api.open();
  resting.send(GOOD);
  await resting.answer();
  const fresh = await api.open();
  api.engine.blockedUntil = promise;
  const running = await api.open();
  running.send(GOOD);
  const uploading = await api.open();
  const announced = { 'content-type': 'application/json', 'content-length': '2', expect: '100-continue' };
  uploading.send(requestText('POST', '/samples/widgets', announced), '{');
  assert.equal((await uploading.answer()).status, 100);
  await until(() => api.engine.asked.length >= 2);

  let closed = false;
  const closing = api.api.close(60_000).then(() => {
    closed = true;
  });
  assert.equal(await resting.ended(), '');
  assert.equal(await fresh.ended(), '');
  for (const client of [resting, fresh]) client.socket.end();
  const late = await api.open();
  assert.equal(await late.ended(), '');
  assert.equal(closed, false);

  resolve();
  uploading.send('}');
  const answer = await running.answer();
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('connection'), 'close');
  assert.equal((await uploading.answer()).status, 201);
  for (const client of [running, uploading]) {
    assert.equal(await client.ended(), '');
    client.socket.end();
  }
  await closing;
});

test('closing cuts what is still there at the deadline', async (t) => {
  const api = await startApi(t);
  api.engine.blockedUntil = new Promise(() => {});
  const client = await api.open();
  client.send(GOOD);
  await until(() => api.engine.asked.length > 0);
  await api.api.close(1);
  assert.equal(await client.ended(), '');
});

test('a source that keeps all of its connections busy is told so on the next one, and served when one is free', async (t) => {
  const api = await startApi(t, { connections: { perSource: 2, total: 10 } });
  const { promise, resolve } = Promise.withResolvers<void>();
  api.engine.blockedUntil = promise;
  const waiting = [await api.open(), await api.open()];
  for (const client of waiting) client.send(GOOD);
  await until(() => api.engine.asked.length >= 2);
  const refused = await api.open();
  refused.send(GOOD);
  const answer = await refused.answer();
  is(answer, 'tooManyConnections');
  assert.equal(answer.headers.get('retry-after'), '1');
  assert.equal(await refused.ended(), '');
  resolve();
  for (const client of waiting) assert.equal((await client.answer()).status, 200);
  await stillServes(api);
});

test('bodies that do not arrive are held up to a limit for an account, which is not that of another', async (t) => {
  const api = await startApi(t);
  const size = 1024 * 1024;
  const json = { 'content-type': 'application/json', 'content-length': String(size) };
  const clients = await Promise.all(Array.from({ length: 40 }, () => api.open()));
  const answers: Answer[] = [];
  const answered = clients.map(async (client) => {
    client.send(requestText('POST', '/samples/widgets', json), `"${'x'.repeat(size - 2)}`);
    answers.push(await client.answer());
  });
  // There is room for 32 of them.
  await until(() => answers.length >= 8);
  for (const answer of answers) is(answer, 'tooMuchUnread');
  is(await api.request('POST', '/samples/widgets', {}, '{}'), 'tooMuchUnread');
  const other = { authorization: `Bearer ${OTHER_KEY}` };
  assert.equal((await api.request('POST', '/samples/widgets', other, '{}')).status, 201);

  for (const client of clients) client.send('"');
  await Promise.all(answered);
  const created = answers.filter(({ status }) => status === 201);
  assert.ok(created.length > 0 && created.length <= 32);
  assert.equal((await api.request('POST', '/samples/widgets', {}, '{}')).status, 201);
});

test('a body may come in pieces of one byte', async (t) => {
  const api = await startApi(t);
  const client = await api.open();
  const chunked = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' };
  const post = requestText('POST', '/samples/widgets', chunked);
  const pieces = (text: string): string => Array.from(text, (character) => `1\r\n${character}\r\n`).join('');
  const text = JSON.stringify('x'.repeat(200_000));
  client.send(post, `${pieces(text)}0\r\n\r\n`);
  assert.equal((await client.answer()).json.asked, `create widget ${text.slice(1, -1)}`);

  client.send(post, pieces(' '.repeat(1024 * 1024 + 1)));
  is(await client.answer(), 'bodyTooLarge');

  const nobody = await api.open();
  nobody.send(requestText('POST', '/nowhere', chunked), pieces(' '.repeat(2 * 1024 * 1024)));
  is(await nobody.answer(), 'pathNotFound');
  await stillServes(api);
});
