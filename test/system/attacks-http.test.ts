/** Attacks on the framing and the headers of HTTP, through a real agent to an upstream that keeps every byte it gets. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { after, before, beforeEach, test } from 'node:test';
import { closing, eventually, Platform, until } from '../harness/index.ts';
import { fixedEdge, rawHttp, statuses } from './attacks.fixture.ts';
import { StockAgent } from './stock-agent.fixture.ts';

let platform: Platform;
let upstream: Server;
let host: string;
/** Texts that the upstream got in this test, one per connection; and its answer to each request. */
let received: string[];
let answer: string;

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

before(async () => {
  platform = await Platform.start();
  upstream = createServer((socket: Socket) => {
    const index = received.push('') - 1;
    let rest = '';
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      const text = chunk.toString('latin1');
      received[index] += text;
      rest += text;
      for (let end = rest.indexOf('\r\n\r\n'); end !== -1; end = rest.indexOf('\r\n\r\n')) {
        const isRequest = rest.slice(0, end).includes(' HTTP/1.1\r\n');
        rest = rest.slice(end + 4);
        if (isRequest) socket.write(answer, 'latin1');
      }
    });
  });
  upstream.listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  received = [];
  const agent = await platform.agent(['http', String((upstream.address() as { port: number }).port)]);
  host = new URL(agent.url).hostname;
});
after(async () => {
  await platform.stop();
  upstream.close();
});
beforeEach(() => {
  for (const index of received.keys()) received[index] = '';
  answer = OK;
});

const ask = (bytes: string): Promise<string> => rawHttp(platform, host, bytes);
const head = (target: string, more = ''): string => `GET ${target} HTTP/1.1\r\nHost: ${host}\r\n${more}`;
const last = (target: string, more = ''): string => `${head(target, more)}Connection: close\r\n\r\n`;
const post = (fields: string, body: string): string =>
  `POST /first HTTP/1.1\r\nHost: ${host}\r\n${fields}\r\n${body}`;
const smuggled = (): boolean => received.some((text) => text.includes('/smuggled'));

test('every ambiguous framing is refused and the connection closed, and what follows reaches nobody', async () => {
  const chunked = 'Transfer-Encoding: chunked\r\n';
  const inner = `GET /smuggled HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
  for (const bytes of [
    post(`Content-Length: 5\r\n${chunked}`, `0\r\n\r\n${inner}`),
    post(`${chunked}Content-Length: 5\r\n`, `0\r\n\r\n${inner}`),
    post('Transfer-Encoding: identity, chunked\r\n', `0\r\n\r\n${inner}`),
    post('Transfer-Encoding: xchunked\r\n', `0\r\n\r\n${inner}`),
    post('Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n', `0\r\n\r\n${inner}`),
    post('Transfer-Encoding : chunked\r\n', `0\r\n\r\n${inner}`),
    post('Content-Length: 0\r\nContent-Length: 5\r\n', inner),
    ...['+5', '0x5', '5, 5', '5 ', '-1', '5_0', '٥'].map((length) =>
      length === '5 ' ? post('Content-Length : 5\r\n', inner) : post(`Content-Length: ${length}\r\n`, inner),
    ),
    post(`X: a\r\n ${chunked}`, inner),
    post(`X: a\r${chunked}`, inner),
    post(`X: a\n${chunked}`, inner),
    post(chunked, `5;${'x'.repeat(1_000_000)}\r\nhello\r\n0\r\n\r\n${inner}`),
    post(chunked, `ffffffffffffffff1\r\nhello\r\n0\r\n\r\n${inner}`),
    post(chunked, `0\r\nContent-Length: 5\r\n\r\n${inner}`),
    post(chunked, `5\nhello\n0\n\n${inner}`),
  ]) {
    const got = await ask(bytes);
    assert.deepEqual(statuses(got), [400], bytes.slice(0, 120));
    assert.match(got, /\r\nconnection: close\r\n/i);
    assert.equal(smuggled(), false, bytes.slice(0, 120));
  }
});

test('HTTP/1.0 with coding gets an error and a close, and without a length it has no body', async () => {
  const old = (fields: string): string =>
    `GET /old HTTP/1.0\r\nHost: ${host}\r\n${fields}\r\n0\r\n\r\nGET /smuggled HTTP/1.0\r\n\r\n`;
  assert.deepEqual(statuses(await ask(old('Transfer-Encoding: chunked\r\n'))), [400]);
  assert.deepEqual(statuses(await ask(old('Connection: keep-alive\r\n'))), [200, 400]);
  assert.deepEqual(statuses(await ask(old(''))), [200]);
  assert.equal(smuggled(), false);
});

test('an upgrade that the upstream does not switch to leaves HTTP in force for the pipelined request', async () => {
  const bytes = `${head('/first', 'Connection: Upgrade\r\nUpgrade: foo\r\n\r\n')}GET /second HTTP/1.1\r\nHost: other.example.com\r\nConnection: close\r\n\r\n`;
  assert.deepEqual(statuses(await ask(bytes)), [200, 421]);
  assert.ok(received.every((text) => !text.includes('/second')));
});

test('CONNECT is refused, and an early answer harms no connection for the next visitor', async () => {
  assert.deepEqual(statuses(await ask(`CONNECT ${host}:443 HTTP/1.1\r\nHost: ${host}\r\n\r\n`)), [501]);
  // The upstream responds before the body has arrived. The body must not become a request.
  const body = `GET /smuggled HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
  const early = await ask(post(`Content-Length: ${body.length + 500_000}\r\nConnection: close\r\n`, body));
  assert.deepEqual(statuses(early), [200]);
  for (let n = 0; n < 5; n++) assert.deepEqual(statuses(await ask(last(`/next${n}`))), [200]);
});

test('Connection names no header of ours away, and forged identity headers reach no upstream', async () => {
  await ask(
    last(
      '/headers',
      'connection: x-forwarded-for, X-Forwarded-Proto, X-Forwarded-Host, Host, authorization, X_Forwarded_For\r\n' +
        'Authorization: Basic eA==\r\nX-Forwarded-For: 10.0.0.1\r\nX_Forwarded_For: 10.0.0.2\r\n' +
        'Underpass-Mtls-Subject-Cn: root\r\nunderpass_auth_user_id: root\r\nUNDERPASS-TUNNEL-ID: x\r\n' +
        'Keep-Alive: 5\r\nProxy-Connection: x\r\nTE: gzip\r\nProxy-Authorization: x\r\n',
    ),
  );
  const seen = received.join('').toLowerCase();
  assert.match(seen, /\r\nx-forwarded-for: (10\.0\.0\.1, )?127\.0\.0\.1\r\n/);
  assert.match(seen, /\r\nx-forwarded-proto: https\r\n/);
  assert.match(seen, new RegExp(`\r\nx-forwarded-host: ${host}`));
  assert.equal(seen.match(/\r\nx-forwarded-for:/g)?.length, 1);
  assert.doesNotMatch(
    seen,
    /mtls|underpass-|underpass_|x_forwarded|keep-alive|proxy-|\r\nte:|\r\nconnection: x-/,
  );
});

test('what a visitor says about itself reaches no upstream, in trailers neither', async () => {
  const names = ['Forwarded', 'X-Real-IP', 'X-Forwarded-Port', 'X_Forwarded_Server', 'True-Client-IP'];
  const claims = names.map((name) => `${name}: 10.9.8.7\r\n`).join('');
  const body = `1\r\nx\r\n0\r\nCookie: 10.9.8.7\r\nX-Forwarded-For: 10.9.8.7\r\n${claims}X-Sum: 1\r\n\r\n`;
  await ask(post(`Transfer-Encoding: chunked\r\n${claims}Connection: close\r\n`, body));
  // The upstream answers a head, whatever comes behind it.
  await until(() => received.join('').includes('X-Sum'));
  const seen = received.join('');
  assert.doesNotMatch(seen, /10\.9\.8\.7/);
  assert.match(seen, /\r\n\r\n1\r\nx\r\n0\r\nX-Sum: 1\r\n\r\n$/);
});

test('what frames a message is written anew in both directions', async () => {
  const chunks = ['02\r\nok\r\n00\r\n\r\n', '2\r\nok\r\n0\r\n\r\n'] as const;
  for (const [untidy, line, [body, mended]] of [
    ['Content-Length:\t 0002 \t', 'Content-Length: 2', ['ok', 'ok']],
    ['content-length:2', 'Content-Length: 2', ['ok', 'ok']],
    ['Transfer-Encoding:\tChunked ', 'Transfer-Encoding: chunked', chunks],
  ] as const) {
    answer = `HTTP/1.1 200 OK\r\n${untidy}\r\nX: y\r\n\r\n${body}`;
    const got = await ask(post(`${untidy}\r\nConnection: close\r\n`, body));
    assert.equal(got, `HTTP/1.1 200 OK\r\nX: y\r\n${line}\r\nConnection: close\r\n\r\n${mended}`);
    await eventually(() => assert.ok(received.join('').endsWith(`\r\n\r\n${mended}`), received.join('')));
    const seen = received.join('');
    assert.ok(seen.startsWith(`POST /first HTTP/1.1\r\nHost: ${host}\r\n${line}\r\nX-Forwarded-For:`), seen);
    for (const index of received.keys()) received[index] = '';
  }
});

test('an upstream cannot speak with the error code of the edge, nor split its answer', async () => {
  answer =
    'HTTP/1.1 200 OK\r\nUnderpass-Error-Code: ERR_SERVICE_3200\r\nunderpass_error_code: x\r\nContent-Length: 0\r\n\r\n';
  assert.doesNotMatch(await ask(last('/spoof')), /error.code: ERR/i);
  answer = 'HTTP/1.1 200 OK\r\nX: a\rSet-Cookie: evil\r\nContent-Length: 0\r\n\r\n';
  const split = await ask(last('/split'));
  assert.match(split, /^HTTP\/1\.1 502 /);
  assert.match(split, /underpass-error-code: ERR_SERVICE_3004/i);
  assert.doesNotMatch(split, /set-cookie/i);
});

test('headers of a fixed response that would break its framing are refused by the API', async () => {
  for (const [name, value, code] of [
    ['x', 'a\r\nSet-Cookie: evil', 60111],
    ['x', 'a\u0000', 60111],
    ['x', 'ä', 60111],
    ['x: y', 'a', 60110],
    ['x\r\ny', 'a', 60110],
    [':status', '200', 60110],
    ['', 'a', 6522],
    ['Content-Length', '5', 60112],
    ['transfer-encoding', 'chunked', 60112],
    ['Connection', 'close', 60112],
    ['Underpass-Error-Code', 'x', 60112],
  ] as const) {
    const refused = await platform.api('POST', '/backends/http_response', { headers: { [name]: value } });
    assert.equal(refused.json.error_code, `ERR_SERVICE_${code}`, JSON.stringify(name));
    assert.equal(refused.status, 400);
  }
  const { backendId } = await fixedEdge(platform, 'dated', 'x');
  const given = { date: 'Thu, 01 Jan 1970 00:00:00 GMT', server: 'mine' };
  await platform.api('PATCH', `/backends/http_response/${backendId}`, { headers: given });
  const name = 'dated.underpass.localhost';
  const got = await rawHttp(platform, name, `GET / HTTP/1.1\r\nHost: ${name}\r\nConnection: close\r\n\r\n`);
  for (const field of ['date', 'server', 'content-length']) {
    assert.equal(got.match(new RegExp(`\r\n${field}:`, 'gi'))?.length, 1, `one ${field} in ${got}`);
  }
});

test('the upstream sees exactly the target that the visitor sent, or the request is refused', async () => {
  for (const target of [
    '/api../admin',
    '/api%2e%2e/admin',
    '//admin',
    '/./admin',
    '/a/../admin',
    '/%2Fadmin',
    '/%2fadmin',
    '/\\admin',
    '/admin;x=1',
    '/%00',
    '/a%zz',
    '/?a=/../b#',
    '/a?b?c=d&&=',
  ]) {
    const [status] = statuses(await ask(last(target)));
    const lines = received.join('');
    if (status === 200) assert.ok(lines.includes(`GET ${target} HTTP/1.1\r\n`), target);
    else {
      assert.equal(status, 400, target);
      assert.equal(lines, '', target);
    }
    for (const index of received.keys()) received[index] = '';
  }
});

test('a visitor that sends nothing or stops in its head holds up nobody else', async () => {
  const stalled = await Promise.all(Array.from({ length: 30 }, () => platform.client.tls(host)));
  for (const [index, socket] of stalled.entries()) socket.write(head('/slow').slice(0, index));
  for (let n = 0; n < 5; n++) assert.deepEqual(statuses(await ask(last(`/quick${n}`))), [200]);
  for (const socket of stalled) socket.destroy();
  await Promise.all(stalled.map((socket) => closing(socket)));
});

test('one address that finishes no request cannot take an agent from the others, whatever the name', async () => {
  let isAnswered = false;
  let unanswered = 0;
  const agent = await StockAgent.connect(
    platform,
    (request, response) => {
      if (isAnswered && request.method === 'GET') response.end('ok');
      else unanswered += 1;
    },
    { isStrict: true },
  );
  const names = [(await agent.bind({})).url, (await agent.bind({})).url].map((url) => new URL(url).hostname);
  const [name = ''] = names;
  const sockets = await Promise.all(Array.from({ length: 250 }, () => platform.client.tls(name)));
  const refused: Promise<unknown>[] = [];
  for (const socket of sockets) {
    refused.push(once(socket, 'data').catch(() => null));
    socket.write(`POST /unanswered HTTP/1.1\r\nHost: ${name}\r\nContent-Length: 100\r\n\r\nx`);
  }
  const [data] = (await Promise.race(refused)) as [Buffer];
  assert.match(
    data.toString('latin1'),
    /^HTTP\/1\.1 503 [\s\S]*\r\nunderpass-error-code: ERR_SERVICE_60226\r\nRetry-After: 5\r\n/,
  );
  await until(() => unanswered === 240);
  isAnswered = true;
  await Promise.all(
    names.map(async (host) => {
      const bytes = `GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
      const elsewhere = { localAddress: '127.0.0.2' };
      assert.deepEqual(statuses(await rawHttp(platform, host, bytes, elsewhere)), [200]);
      assert.deepEqual(statuses(await rawHttp(platform, host, bytes)), [503]);
    }),
  );
  for (const socket of sockets) socket.destroy();
  await Promise.all(sockets.map((socket) => closing(socket)));
  await agent.stop();
});
