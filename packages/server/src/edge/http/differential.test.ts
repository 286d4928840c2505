import assert from 'node:assert/strict';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { propertyRuns } from '../../../../../test/harness/property-runs.ts';
import { forwardTo, NAME, startTestServer, type TestServer } from './test-server.fixture.ts';

interface Body {
  /** Null: none; a number: sent with Content-Length; else chunked, these pieces. */
  readonly kind: 'none' | 'length' | 'chunked';
  readonly pieces: readonly string[];
  readonly trailers: readonly (readonly [string, string])[];
}

interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Body;
  readonly status: number;
  readonly answerHeaders: readonly (readonly [string, string])[];
  readonly answer: Body;
}

const name = fc
  .tuple(
    fc.constantFrom('x-one', 'x-two', 'accept-language', 'cookie-like', 'x.dotted'),
    fc.infiniteStream(fc.boolean()),
  )
  .map(([text, upper]) => [...text].map((c) => (upper.next().value ? c.toUpperCase() : c)).join(''));
const value = fc.stringMatching(/^[!-~](?:[ -~]{0,20}[!-~])?$/);
const headers = fc.array(fc.tuple(name, value), { maxLength: 5 });
const piece = fc.oneof(
  { weight: 5, arbitrary: fc.uint8Array({ minLength: 1, maxLength: 50 }) },
  { weight: 1, arbitrary: fc.uint8Array({ minLength: 5000, maxLength: 40_000, size: 'max' }) },
);
const body = fc.record({
  kind: fc.constantFrom('none', 'length', 'chunked') as fc.Arbitrary<Body['kind']>,
  pieces: fc.array(
    piece.map((bytes) => Buffer.from(bytes).toString('latin1')),
    { maxLength: 4 },
  ),
  trailers: fc.array(fc.tuple(fc.constantFrom('X-Sum', 'X-Late'), value), { maxLength: 2 }),
});
const exchange: fc.Arbitrary<Exchange> = fc.record({
  method: fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'),
  path: fc.stringMatching(/^\/[!"$-~]{0,20}$/),
  headers,
  body,
  status: fc.constantFrom(200, 201, 204, 304, 404, 500),
  answerHeaders: headers,
  answer: body,
});

interface Seen {
  readonly line: string;
  readonly rawHeaders: string[];
  readonly body: string;
  readonly trailers: string[];
}

/** A node:http server that responds to the n-th request with the n-th exchange, and records its requests. */
async function upstreamServer(t: TestContext): Promise<{ port: number; script: Exchange[]; seen: Seen[] }> {
  const script: Exchange[] = [];
  const seen: Seen[] = [];
  const server = http.createServer((request, response) => {
    request.setEncoding('latin1');
    let text = '';
    request.on('data', (chunk: string) => {
      text += chunk;
    });
    request.on('end', () => {
      const { status, answer, answerHeaders } = script[seen.length]!;
      seen.push({
        line: `${request.method} ${request.url}`,
        rawHeaders: request.rawHeaders,
        body: text,
        trailers: request.rawTrailers,
      });
      for (const [key, text] of answerHeaders) response.appendHeader(key, text);
      response.statusCode = status;
      if (answer.kind === 'length') response.setHeader('Content-Length', answer.pieces.join('').length);
      if (answer.kind === 'none') response.setHeader('Content-Length', 0);
      const hasTrailers = answer.kind === 'chunked' && answer.trailers.length > 0;
      if (hasTrailers) response.setHeader('Transfer-Encoding', 'chunked');
      if (answer.kind !== 'none') for (const bytes of answer.pieces) response.write(bytes, 'latin1');
      if (hasTrailers)
        response.addTrailers(answer.trailers.map(([key, text]): [string, string] => [key, text]));
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, script, seen };
}

function requestBytes({ method, path, headers: lines, body: { kind, pieces, trailers } }: Exchange): string {
  let text = `${method} ${path} HTTP/1.1\r\nHost: ${NAME}\r\n`;
  for (const [key, value] of lines) text += `${key}: ${value}\r\n`;
  if (kind === 'none') return `${text}\r\n`;
  if (kind === 'length') return `${text}Content-Length: ${pieces.join('').length}\r\n\r\n${pieces.join('')}`;
  text += 'Transfer-Encoding: chunked\r\n\r\n';
  for (const bytes of pieces) text += `${bytes.length.toString(16)}\r\n${bytes}\r\n`;
  return `${text}0\r\n${trailers.map(([key, value]) => `${key}: ${value}\r\n`).join('')}\r\n`;
}

function pairs(raw: readonly string[]): [string, string][] {
  return Array.from({ length: raw.length / 2 }, (_, i) => [raw[2 * i]!, raw[2 * i + 1]!]);
}

const ADDED = /^(?:x-forwarded-(?:for|proto|host)|cdn-loop|host|content-length|transfer-encoding)$/i;

function checkSeen(seen: Seen, sent: Exchange): void {
  assert.equal(seen.line, `${sent.method} ${sent.path}`);
  assert.deepEqual(
    pairs(seen.rawHeaders).filter(([key]) => !ADDED.test(key)),
    sent.headers.map(([key, value]) => [key, value]),
  );
  assert.equal(seen.body, sent.body.kind === 'none' ? '' : sent.body.pieces.join(''));
  assert.deepEqual(
    pairs(seen.trailers),
    sent.body.kind === 'chunked' ? sent.body.trailers.map((pair) => [...pair]) : [],
  );
}

async function runExchanges(
  testServer: TestServer,
  exchanges: readonly Exchange[],
  cuts: readonly number[],
): Promise<void> {
  const client = await testServer.connect();
  const bytes = Buffer.from(exchanges.map(requestBytes).join(''), 'latin1');
  const points = [...new Set(cuts.map((at) => at % bytes.length))].sort((a, b) => a - b);
  for (const [i, from] of [0, ...points].entries())
    client.send(bytes.subarray(from, points[i] ?? bytes.length));
  for (const { method, status, answer, answerHeaders } of exchanges) {
    const got = await client.answer(method === 'HEAD');
    assert.equal(got.status, status);
    for (const [key, value] of answerHeaders) {
      assert.ok(
        got.headers.get(key.toLowerCase())!.includes(value),
        `${key}: ${value} is not in ${got.head}`,
      );
    }
    assert.equal(got.headers.has('connection'), false);
    if (method === 'HEAD' || status === 204 || status === 304) continue;
    assert.equal(got.body, answer.kind === 'none' ? '' : answer.pieces.join(''));
    const trailers =
      answer.kind === 'chunked' ? answer.trailers.map(([key, value]) => `${key}: ${value}\r\n`) : [];
    assert.equal(got.trailers, trailers.join(''));
  }
  assert.equal(client.pending, '');
  client.socket.destroy();
}

test('what an upstream gets and what a visitor gets is what was sent', async (t) => {
  const { port, script, seen } = await upstreamServer(t);
  const testServer = await startTestServer(t, forwardTo(port));
  const cuts = fc.array(fc.nat(), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(fc.array(exchange, { minLength: 1, maxLength: 5 }), cuts, async (exchanges, where) => {
      script.splice(0, script.length, ...exchanges);
      seen.length = 0;
      await runExchanges(testServer, exchanges, where);
      assert.equal(seen.length, exchanges.length);
      for (const [i, one] of exchanges.entries()) checkSeen(seen[i]!, one);
    }),
    { numRuns: propertyRuns(100), endOnFailure: true },
  );
});

/** Takes whole responses off the front; what is left must be the beginning of one. Fails on anything that is not HTTP. */
function checkWellFormed(text: string): void {
  let rest = text;
  while (rest !== '') {
    const headEnd = rest.indexOf('\r\n\r\n');
    const head = headEnd === -1 ? rest : rest.slice(0, headEnd);
    assert.ok('HTTP/1.1 '.startsWith(head.slice(0, 9)), `not HTTP: ${JSON.stringify(rest)}`);
    if (headEnd === -1) return;
    assert.match(head, /^HTTP\/1\.1 [1-5][0-9][0-9] [^\r\n]*(?:\r\n[^\s:]+:[^\r\n]*)*$/);
    rest = rest.slice(headEnd + 4);
    if (/^HTTP\/1\.1 (?:1|204|304)/.test(head)) continue;
    const length = /\r\ncontent-length:[ \t]*([0-9]+)/i.exec(head);
    if (length !== null) {
      rest = rest.slice(Number(length[1]));
      continue;
    }
    assert.match(head, /\r\ntransfer-encoding:[ \t]*chunked/i);
    const end = endOfChunks(rest);
    if (end === -1) return;
    rest = rest.slice(end);
  }
}

/** The offset after a chunked body with its trailers; -1 when it breaks off. Fails when it is malformed. */
function endOfChunks(text: string): number {
  let pos = 0;
  for (;;) {
    const line = text.indexOf('\r\n', pos);
    if (line === -1) return -1;
    assert.match(text.slice(pos, line), /^[0-9a-f]+$/i);
    const size = Number.parseInt(text.slice(pos, line), 16);
    pos = line + 2;
    if (size === 0) break;
    if (pos + size + 2 > text.length) return -1;
    pos += size;
    assert.equal(text.slice(pos, pos + 2), '\r\n');
    pos += 2;
  }
  const trailers = /^(?:[^\s:]+:[^\r\n]*\r\n)*\r\n/.exec(text.slice(pos));
  return trailers === null ? -1 : pos + trailers[0].length;
}

const mutation = fc.tuple(
  fc.nat(),
  fc.constantFrom('insert', 'replace', 'delete', 'repeat') as fc.Arbitrary<string>,
  fc.oneof(
    fc.constantFrom(
      '\r',
      '\n',
      '\r\n',
      '\0',
      ' ',
      ':',
      ';',
      '0',
      '\t',
      '\r\n\r\n',
      'Content-Length: 3\r\n',
      'chunked',
    ),
    fc.uint8Array({ minLength: 1, maxLength: 4 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
  ),
);

function mutate(text: string, mutations: readonly (readonly [number, string, string])[]): string {
  return mutations.reduce((now, [where, how, junk]) => {
    const at = where % (now.length + 1);
    if (how === 'insert') return now.slice(0, at) + junk + now.slice(at);
    if (how === 'replace') return now.slice(0, at) + junk + now.slice(at + junk.length);
    if (how === 'delete') return now.slice(0, at) + now.slice(at + junk.length);
    return now.slice(0, at) + now.slice(Math.max(0, at - 20));
  }, text);
}

test('damaged requests get well-formed answers or a closed connection, and the next visitor is served', async (t) => {
  const server = http.createServer((request, response) => {
    request.resume();
    request.on('end', () => response.end('done'));
    request.on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const testServer = await startTestServer(t, forwardTo((server.address() as AddressInfo).port));
  const small = fc.array(exchange, { minLength: 1, maxLength: 3 }).map((all) =>
    all.map((one) => ({
      ...one,
      method: one.method === 'HEAD' ? 'PUT' : one.method,
      body: { ...one.body, pieces: one.body.pieces.map((text) => text.slice(0, 100)) },
    })),
  );
  await fc.assert(
    fc.asyncProperty(
      small,
      fc.array(mutation, { minLength: 1, maxLength: 4 }),
      async (exchanges, mutations) => {
        const client = await testServer.connect();
        client.send(mutate(exchanges.map(requestBytes).join(''), mutations));
        for (let turns = 0; !client.ended && !client.closed; turns += 1) {
          await new Promise((resolve) => setImmediate(resolve));
          if (turns > 100) testServer.pass(100_000);
        }
        checkWellFormed(await client.rest());
      },
    ),
    { numRuns: propertyRuns(150), endOnFailure: true },
  );
  const client = await testServer.connect();
  client.send(`GET / HTTP/1.1\r\nHost: ${NAME}\r\n\r\n`);
  assert.equal((await client.answer()).body, 'done');
});

test('damaged answers become an error or a closed connection, never something else', async (t) => {
  let answer = '';
  const testServer = await startTestServer(t, (stream) => {
    stream.handler = {
      data: () => {
        stream.write(Buffer.from(answer, 'latin1'));
        stream.end();
      },
      end() {},
      drain() {},
      close() {},
    };
  });
  const answers = fc.constantFrom(
    'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-A: b\r\n\r\nhello',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nX-Sum: 1\r\n\r\n',
    'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 404 Not Found\r\n\r\nhello',
    'HTTP/1.0 200 OK\r\n\r\nhello',
  );
  await fc.assert(
    fc.asyncProperty(answers, fc.array(mutation, { minLength: 1, maxLength: 3 }), async (text, mutations) => {
      answer = mutate(text, mutations);
      const client = await testServer.connect();
      client.send(`GET / HTTP/1.1\r\nHost: ${NAME}\r\nConnection: close\r\n\r\n`);
      checkWellFormed(await client.rest());
      client.socket.destroy();
    }),
    { numRuns: propertyRuns(150), endOnFailure: true },
  );
});
