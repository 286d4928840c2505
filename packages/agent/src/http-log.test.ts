import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { propertyRuns } from '../../../test/harness/property-runs.ts';
import { responseForms } from '../../../test/harness/response-forms.ts';
import { HttpLog, type LoggedRequest } from './http-log.ts';

interface Step {
  readonly side: 'request' | 'response';
  readonly bytes: Buffer;
}

function run(steps: readonly Step[], cut: (bytes: Buffer) => Buffer[] = (bytes) => [bytes]): LoggedRequest[] {
  const seen: LoggedRequest[] = [];
  const log = new HttpLog({ report: (it) => seen.push(it), capture: undefined, now: () => 0 });
  for (const { side, bytes } of steps) for (const piece of cut(bytes)) log[side](piece);
  log.close();
  return seen;
}

function lines(exchanges: readonly LoggedRequest[]): string[] {
  return exchanges.map(({ method, path, status }) => `${method} ${path} ${status}`);
}

const request = (text: string): Step => ({ side: 'request', bytes: Buffer.from(text, 'latin1') });
const response = (text: string): Step => ({ side: 'response', bytes: Buffer.from(text, 'latin1') });

test('a request and its answer make one entry', () => {
  const steps = [
    request('GET /a?b=c HTTP/1.1\r\nHost: x\r\n\r\n'),
    response('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'),
  ];
  assert.deepEqual(lines(run(steps)), ['GET /a?b=c 200']);
});

test('the duration runs from the request to the end of the answer', () => {
  const seen: LoggedRequest[] = [];
  let now = 10;
  const log = new HttpLog({ report: (it) => seen.push(it), capture: undefined, now: () => now });
  log.request(request('GET / HTTP/1.1\r\n\r\n').bytes);
  now = 15;
  log.response(response('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\no').bytes);
  assert.equal(seen.length, 0);
  now = 17;
  log.response(Buffer.from('k'));
  assert.equal(seen[0]?.durationMs, 7);
});

test('bodies are skipped, whatever they look like', () => {
  const inner = 'GET /inner HTTP/1.1\r\n\r\n';
  const steps = [
    request(`POST /p HTTP/1.1\r\ncontent-LENGTH:  ${inner.length} \r\n\r\n${inner}`),
    request(
      `PUT /c HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n${inner.length.toString(16)};x="y"\r\n${inner}\r\n0\r\nT: v\r\n\r\n`,
    ),
    response('HTTP/1.1 201 Created\r\nTransfer-Encoding: Chunked\r\n\r\n5\r\nHTTP/\r\n0\r\n\r\n'),
    response('HTTP/1.1 204 No Content\r\n\r\n'),
  ];
  assert.deepEqual(lines(run(steps)), ['POST /p 201', 'PUT /c 204']);
});

test('answers without a body are known as such', () => {
  const steps = [
    request('HEAD /h HTTP/1.1\r\n\r\nGET /m HTTP/1.1\r\n\r\nGET /last HTTP/1.1\r\n\r\n'),
    response('HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n'),
    response('HTTP/1.1 304 Not Modified\r\nContent-Length: 500\r\n\r\n'),
    response('HTTP/1.0 500 Oops\r\n\r\nuntil the end'),
  ];
  assert.deepEqual(lines(run(steps)), ['HEAD /h 200', 'GET /m 304', 'GET /last 500']);
});

test('interim answers are no answers', () => {
  const steps = [
    request('POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\n'),
    response('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n'),
    request('x'),
    response('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'),
  ];
  assert.deepEqual(lines(run(steps)), ['POST / 200']);
});

test('an upgrade is one entry and nothing after it', () => {
  const steps = [
    request('GET /ws HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n'),
    response('HTTP/1.1 101 Switching Protocols\r\n\r\n'),
    request('GET /not HTTP/1.1\r\n\r\n'),
    response('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'),
  ];
  assert.deepEqual(lines(run(steps)), ['GET /ws 101']);
});

test('a refused upgrade goes on as HTTP', () => {
  const steps = [
    request('GET /ws HTTP/1.1\r\nUpgrade: foo\r\n\r\nGET /two HTTP/1.1\r\n\r\n'),
    response('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\nHTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n'),
  ];
  assert.deepEqual(lines(run(steps)), ['GET /ws 200', 'GET /two 404']);
});

test('a connection that ends without an answer says so', () => {
  assert.deepEqual(lines(run([request('GET /lost HTTP/1.1\r\n\r\n')])), ['GET /lost null']);
});

test('heads are looked at that are longer than a daemon lets through, and no longer ones', () => {
  const ofLength = (length: number) => [
    request(`GET /${'a'.repeat(length)} HTTP/1.1\r\n\r\n`),
    response(`HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX-Long: ${'b'.repeat(length)}\r\n\r\n`),
    request('GET /next HTTP/1.1\r\n\r\n'),
    response('HTTP/1.1 204 No Content\r\n\r\n'),
  ];
  const inPieces = (bytes: Buffer) => [bytes.subarray(0, 40_000), bytes.subarray(40_000)];
  for (const cut of [undefined, inPieces])
    assert.deepEqual(
      run(ofLength(1024 * 1024 + 65_536), cut).map(({ status }) => status),
      [200, 204],
    );
  assert.deepEqual(run(ofLength(2 * 1024 * 1024)), []);
});

test('what is not HTTP/1 is left alone', () => {
  const heads = [
    '\x16\x03\x01\x02\x00\x01',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'get / HTTP/1.1\r\n\r\n',
    'GET  / HTTP/1.1\r\n\r\n',
    'GET / HTTP/1.1 \r\n\r\n',
    'GET / HTTP/1.1\r\nContent-Length: +5\r\n\r\n',
    'GET / HTTP/1.1\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\n',
    'GET / HTTP/1.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n',
    `GET /${'x'.repeat(3_000_000)} HTTP/1.1\r\n\r\n`,
    `GET ${'x'.repeat(3_000_000)}`,
  ];
  for (const head of heads) {
    const steps = [request(head), request('GET / HTTP/1.1\r\n\r\n'), response('HTTP/1.1 200 OK\r\n\r\n')];
    assert.deepEqual(run(steps), [], JSON.stringify(head.slice(0, 60)));
  }
});

const token = fc.stringMatching(/^[!-~]{0,30}$/);
const body = fc.string({ unit: fc.constantFrom('a', '\r', '\n', 'G', '0', ';', ' '), maxLength: 60 });
const methods = fc.constantFrom('GET', 'POST', 'HEAD', 'DELETE', 'PROPFIND');
const statuses = fc.constantFrom(200, 201, 204, 301, 304, 404, 500);

function framed(text: string, isChunked: boolean, pieces: number): string {
  if (!isChunked) return `Content-Length: ${text.length}\r\nX: y\r\n\r\n${text}`;
  const size = Math.max(1, Math.ceil(text.length / pieces));
  const chunks = Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
    text.slice(index * size, (index + 1) * size),
  );
  const bytes = chunks.map((chunk) => `${chunk.length.toString(16)};e=1\r\n${chunk}\r\n`).join('');
  return `A: b\r\ntransfer-encoding: chunked\r\n\r\n${bytes}0\r\nTrailer: t\r\n\r\n`;
}

const exchange = fc
  .record({
    method: methods,
    path: token.map((text) => `/${text}`),
    status: statuses,
    sent: body,
    answered: body,
    isChunked: fc.boolean(),
    pieces: fc.integer({ min: 1, max: 4 }),
    interim: fc.boolean(),
  })
  .map((it) => {
    const isBare = it.method === 'HEAD' || it.status === 204 || it.status === 304;
    const head = `HTTP/1.1 ${it.status} Whatever\r\n`;
    return {
      line: `${it.method} ${it.path} ${it.status}`,
      request: `${it.method} ${it.path} HTTP/1.1\r\n${framed(it.sent, it.isChunked, it.pieces)}`,
      response:
        (it.interim ? 'HTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\n' : '') +
        (isBare ? `${head}Content-Length: 77\r\n\r\n` : head + framed(it.answered, !it.isChunked, it.pieces)),
    };
  });

function cutter(sizes: readonly number[]): (bytes: Buffer) => Buffer[] {
  let turn = 0;
  return (bytes) => {
    const pieces: Buffer[] = [];
    for (let at = 0; at < bytes.length; ) {
      const size = sizes[turn++ % sizes.length]!;
      pieces.push(bytes.subarray(at, at + size));
      at += size;
    }
    return pieces;
  };
}

const sizes = fc.array(fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 300 })), {
  minLength: 1,
  maxLength: 12,
});

test('however the bytes are cut, the entries are the same', () => {
  fc.assert(
    fc.property(
      fc.array(exchange, { minLength: 1, maxLength: 6 }),
      sizes,
      fc.boolean(),
      (exchanges, cuts, isPipelined) => {
        const steps = isPipelined
          ? [
              request(exchanges.map((it) => it.request).join('')),
              response(exchanges.map((it) => it.response).join('')),
            ]
          : exchanges.flatMap((it) => [request(it.request), response(it.response)]);
        const expected = exchanges.map((it) => it.line);
        assert.deepEqual(lines(run(steps)), expected);
        assert.deepEqual(lines(run(steps, cutter(cuts))), expected);
      },
    ),
    { numRuns: propertyRuns(300) },
  );
});

test('bytes of any kind never throw, and cutting them changes nothing', () => {
  const scrap = fc.oneof(
    fc.constantFrom(
      'GET / HTTP/1.1\r\n',
      '\r\n',
      '\r\n\r\n',
      'HTTP/1.1 200 OK\r\n',
      'Content-Length: ',
      '3',
      'fff',
      '\n',
      ' ',
    ),
    fc.constantFrom(
      'Transfer-Encoding: chunked\r\n',
      'HTTP/1.1 101 S\r\n\r\n',
      ':',
      'CONNECT a HTTP/1.1\r\n\r\n',
      '\0',
      'ÿ',
    ),
  );
  const side = fc.array(scrap, { maxLength: 25 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(side, side, sizes, (up, down, cuts) => {
      const steps = [request(up), response(down)];
      // Of a faulty line as much is shown as came in one piece.
      const outcomes = (seen: readonly LoggedRequest[]) =>
        seen.map(({ fault, ...rest }) => ({ ...rest, isFaulty: fault !== undefined }));
      assert.deepEqual(outcomes(run(steps, cutter(cuts))), outcomes(run(steps)));
    }),
    { numRuns: propertyRuns(1_000) },
  );
});

/** The daemon knows what it takes, and what was requested. */
const ONLY_OF_DAEMON: ReadonlySet<string> = new Set(['a head of 70,000 bytes', '101 that was not requested']);

for (const form of responseForms) {
  test(`response: ${form.name}: the fault is that of the daemon`, () => {
    const seen: LoggedRequest[] = [];
    const log = new HttpLog({ report: (it) => seen.push(it), capture: undefined, now: () => 0 });
    log.request(request('GET / HTTP/1.1\r\n\r\n').bytes);
    log.response(Buffer.from(form.bytes, 'latin1'));
    if (form.closes) log.responseEnd();
    else log.close();
    const [one, ...others] = seen;
    assert.deepEqual(others, []);
    if (ONLY_OF_DAEMON.has(form.name)) return;
    const isCut = form.ours === 'cut' && form.fault === null;
    const fault = isCut ? 'the connection ended before the body was whole' : form.fault;
    if (fault === null) assert.equal(one?.fault, undefined);
    else assert.ok(one?.fault?.includes(fault), `${one?.fault} is not ${fault}`);
    if (form.ours !== '502' && form.ours !== 'cut') assert.equal(one?.status, Number(form.ours.slice(0, 3)));
  });
}
