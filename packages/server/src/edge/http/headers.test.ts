import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tunnelBackend } from '../backends/tunnel-backend.ts';
import type { Route } from '../sites/site.ts';
import { always, byHand, get, NAME, siteOf, startTestServer } from './test-server.fixture.ts';

type Context = Parameters<typeof startTestServer>[0];

/** The header lines that the upstream gets for a GET with these ones, without Host. */
async function upstreamSees(t: Context, headers: string, parts: Partial<Route> = {}): Promise<string[]> {
  let seen = '';
  const testServer = await startTestServer(
    t,
    byHand((stream, soFar) => {
      seen = soFar;
      stream.write(Buffer.from('HTTP/1.1 204 No Content\r\n\r\n'));
    }),
  );
  testServer.sites.set(NAME, siteOf(tunnelBackend(testServer.agents[0]!.tunnel), parts));
  const client = await testServer.connect();
  client.send(get('/', headers));
  assert.equal((await client.answer()).status, 204);
  const lines = seen.slice(0, -4).split('\r\n');
  assert.equal(lines[1], `Host: ${NAME}`);
  return lines.slice(2);
}

const mark = 'CDN-Loop: shared.test';
const usual = ['X-Forwarded-For: 127.0.0.1', 'X-Forwarded-Proto: https', `X-Forwarded-Host: ${NAME}`, mark];

test('other headers pass as they are: order, case, repetition, white space', async (t) => {
  const lines = ['x-A: 1', 'Cookie: a', 'X-a:2', 'cookie:  b', 'Empty:', 'X-Bytes: \xe4\xff'];
  const seen = await upstreamSees(t, `${lines.join('\r\n')}\r\n`);
  assert.deepEqual(seen, [...lines, ...usual]);
});

test('the visitor is named in X-Forwarded-For after those it names, and nobody else says the protocol', async (t) => {
  const seen = await upstreamSees(
    t,
    'X-Forwarded-For: 10.0.0.1\r\nX-Forwarded-Proto: http\r\nx-forwarded-for: 10.0.0.2, 10.0.0.3\r\nX-Forwarded-Host: public.example.net\r\n',
  );
  assert.deepEqual(seen, [
    'X-Forwarded-Host: public.example.net',
    'X-Forwarded-For: 10.0.0.1, 10.0.0.2, 10.0.0.3, 127.0.0.1',
    'X-Forwarded-Proto: https',
    mark,
  ]);
});

test('what other proxies say about the visitor goes no further, however it is spelled', async (t) => {
  const names = 'Forwarded X-Real-IP X-Forwarded-Port X-Forwarded-Server x-forwarded-ssl True-Client-IP';
  const underscored = 'X_Real_IP True_Client-IP x-forwarded_port X_Forwarded_Server x_forwarded_';
  const lines = `${names} ${underscored}`.split(' ').map((name) => `${name}: 10.0.0.1`);
  const others = ['Forwarded-To: 1', 'X-Real-IPs: 2', 'X-Forwarded: 3', 'x-forward-ed: 4'];
  assert.deepEqual(await upstreamSees(t, `${[...lines, ...others].join('\r\n')}\r\n`), [...others, ...usual]);
});

test('what gives a request another path or method does not go on behind a guard, however it is spelled', async (t) => {
  const names = 'X-Original-URL x-rewrite-url X_Rewrite_Url X-HTTP-Method-Override X-Http-Method SCRIPT_NAME';
  const lines = names.split(' ').map((name) => `${name}: /admin`);
  const others = ['X-Original-To: 1', 'X-Method-Overrides: 2'];
  const sent = `${[...lines, ...others].join('\r\n')}\r\n`;
  assert.deepEqual(await upstreamSees(t, sent, { isGuarded: true }), [...others, ...usual]);
  assert.deepEqual(await upstreamSees(t, sent), [...lines, ...others, ...usual]);
});

test('hop-by-hop fields go no further', async (t) => {
  const seen = await upstreamSees(
    t,
    'Connection: keep-alive, X-Hop\r\nKeep-Alive: timeout=5\r\nProxy-Connection: keep-alive\r\nX-Hop: 1\r\nX-Stays: 2\r\nProxy-Authorization: Basic eDp5\r\nTE: gzip\r\nUpgrade: h2c\r\nHTTP2-Settings: AAA\r\n',
  );
  assert.deepEqual(seen, ['X-Stays: 2', ...usual]);
});

test('Connection takes away what it names, but not what this service says, nor Host or the framing', async (t) => {
  for (const name of ['X-Forwarded-For', 'x-forwarded-for', 'X_Forwarded_For']) {
    const seen = await upstreamSees(
      t,
      `Connection: X-Real-Ip, ${name}, Authorization, host, content-length, X-Forwarded-Proto, X-Forwarded-Host\r\nX-Real-Ip: 10.0.0.1\r\nAuthorization: Basic eDp5\r\nContent-Length: 0\r\nX-Forwarded-Host: evil.example\r\n`,
    );
    assert.deepEqual(seen, ['Content-Length: 0', ...usual]);
  }
});

test('what only this service says is stripped from requests, however it is spelled', async (t) => {
  const seen = await upstreamSees(
    t,
    'underpass-mtls-subject-cn: admin\r\nUnderpass-Error-Code: 1\r\nUNDERPASS_AUTH_USER_ID: 1\r\nunderpass_auth-user-id: 1\r\nunderpass-: 1\r\nX_Forwarded_For: 10.0.0.1\r\nX-Forwarded_Proto: http\r\nX_Forwarded_Host: evil\r\nContent_Length: 5\r\nTransfer_Encoding: chunked\r\nunderpassage: stays\r\n',
  );
  assert.deepEqual(seen, ['underpassage: stays', ...usual]);
});

test('TE: trailers is passed on when Connection names it', async (t) => {
  const asked = await upstreamSees(t, 'TE: gzip;q=0.5, trailers\r\nConnection: TE\r\n');
  assert.deepEqual(asked, [...usual, 'Connection: TE', 'TE: trailers']);
  assert.deepEqual(await upstreamSees(t, 'TE: trailers\r\n'), usual);
});

test('trailers of a request go on, without those that have no business there', async (t) => {
  let seen = '';
  const testServer = await startTestServer(
    t,
    byHand((stream, soFar) => {
      seen = soFar;
      if (soFar.endsWith('X-Sum: 1\r\n\r\n')) stream.write(Buffer.from('HTTP/1.1 204 No Content\r\n\r\n'));
    }),
  );
  const client = await testServer.connect();
  client.send(
    `POST / HTTP/1.1\r\nHost: ${NAME}\r\nConnection: x-hop\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n3\r\nabc\r\n0\r\n`,
  );
  client.send(
    'underpass-auth-user-id: 1\r\nX-Hop: 1\r\nX-Forwarded-For: 10.0.0.1\r\nX_Real_IP: 10.0.0.1\r\nX-Original-URL: /a\r\nX_HTTP_Method_Override: PUT\r\nForwarded: for=x\r\ncookie: a\r\nAuthori',
  );
  client.send('zation: x\r\nX-Sum: 1\r\n\r');
  client.send('\n');
  assert.equal((await client.answer()).status, 204);
  assert.ok(seen.endsWith('\r\n\r\n3\r\nabc\r\n0\r\nX-Sum: 1\r\n\r\n'), seen);
});

test('an upstream cannot set what only this service says, nor hop-by-hop fields', async (t) => {
  const testServer = await startTestServer(
    t,
    always(
      'HTTP/1.1 200 OK\r\nunderpass-error-code: ERR_1\r\nUnderpass_Error_Code: ERR_2\r\nX-A:  b \r\nConnection: keep-alive, X-Hop\r\nKeep-Alive: timeout=100\r\nX-Hop: 1\r\nProxy-Authenticate: x\r\nUpgrade: h2c\r\nSet-Cookie: a\r\nSet-Cookie: b\r\nContent-Length: 2\r\n\r\nok',
    ),
  );
  const client = await testServer.connect();
  client.send(get());
  const { head } = await client.answer();
  assert.equal(
    head,
    'HTTP/1.1 200 OK\r\nX-A:  b \r\nSet-Cookie: a\r\nSet-Cookie: b\r\nContent-Length: 2\r\n\r\n',
  );
});

/** A framing field as it comes, what goes on, and the body, which has nothing to be mended but sizes of chunks. */
const framings = [
  ['Content-Length: 5', 'Content-Length: 5', 'hello'],
  ['content-length:   5 \t', 'Content-Length: 5', 'hello'],
  ['Content-Length:5', 'Content-Length: 5', 'hello'],
  ['Content-Length: 005', 'Content-Length: 5', 'hello'],
  ['Content-Length:\t0000000000000005', 'Content-Length: 5', 'hello'],
  ['Content-Length: 000', 'Content-Length: 0', ''],
  ['TRANSFER-encoding:\tCHUNKED ', 'Transfer-Encoding: chunked', '05\r\nhello\r\n000\r\n\r\n'],
  ['Transfer-Encoding:chunked', 'Transfer-Encoding: chunked', '005\r\nhello\r\n00\r\n\r\n'],
] as const;
const mended = (body: string) => body.replace(/^0+5/, '5').replace(/\r\n0+\r\n\r\n$/, '\r\n0\r\n\r\n');

test('the framing of a request is written anew', async (t) => {
  const answer = 'HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n';
  let whole = '';
  let seen = '';
  const testServer = await startTestServer(
    t,
    byHand((stream, soFar) => {
      seen = soFar;
      if (soFar.endsWith(whole)) stream.write(Buffer.from(answer));
    }),
  );
  const client = await testServer.connect();
  for (const [came, line, body] of framings) {
    whole = `\r\n\r\n${mended(body)}`;
    client.send(`POST / HTTP/1.1\r\nHost: ${NAME}\r\nX-A: b\r\n${came}\r\nX-C: d\r\n\r\n${body}`);
    assert.equal((await client.answer()).status, 204);
    const lines = seen.slice(0, -whole.length).split('\r\n');
    assert.deepEqual(lines.slice(2), ['X-A: b', 'X-C: d', line, ...usual], came);
  }
});

test('the framing of a response is written anew, and what is right already goes on as it came', async (t) => {
  let sent = '';
  const testServer = await startTestServer(
    t,
    byHand((stream, soFar) => {
      if (soFar.endsWith('\r\n\r\n')) stream.write(Buffer.from(sent));
    }),
  );
  const client = await testServer.connect();
  const ok = 'HTTP/1.1 200 OK\r\n';
  for (const [came, line, body] of framings) {
    sent = `${ok}${came}\r\nX-C: d\r\n\r\n${body}`;
    client.send(get());
    const lines = came === line ? `${line}\r\nX-C: d` : `X-C: d\r\n${line}`;
    const expected = `${ok}${lines}\r\n\r\n${mended(body)}`;
    assert.equal(await client.takeBytes(expected.length), expected);
  }
  sent = `${ok}content-length: 5\r\nX-C: d\r\n\r\nhello`;
  client.send(get());
  assert.equal(await client.takeBytes(sent.length), sent);
  assert.equal(client.pending, '');
});

test('a response without a body tells its length anew, and only where it may', async (t) => {
  const interim = 'HTTP/1.1 103 Early Hints\r\nContent-Length: 00\r\nLink: <a>\r\n\r\n';
  const testServer = await startTestServer(
    t,
    always(`${interim}HTTP/1.1 304 Not Modified\r\nContent-Length:07\r\n\r\n`),
  );
  const client = await testServer.connect();
  for (const request of [get(), `HEAD / HTTP/1.1\r\nHost: ${NAME}\r\n\r\n`]) {
    client.send(request);
    assert.equal((await client.answer()).head, 'HTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\n');
    assert.equal((await client.answer()).head, 'HTTP/1.1 304 Not Modified\r\nContent-Length: 7\r\n\r\n');
  }
  const other = await startTestServer(t, always('HTTP/1.1 200 OK\r\nContent-Length:\t0012 \r\n\r\n'));
  const reader = await other.connect();
  reader.send(`HEAD / HTTP/1.1\r\nHost: ${NAME}\r\n\r\n`);
  assert.equal((await reader.answer(true)).head, 'HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\n');
});

test('a length on an answer that has no body is dropped where it must not stand', async (t) => {
  const testServer = await startTestServer(
    t,
    always('HTTP/1.1 204 No Content\r\nContent-Length: 0\r\nX-A: b\r\n\r\n'),
  );
  const client = await testServer.connect();
  client.send(get());
  assert.equal((await client.answer()).head, 'HTTP/1.1 204 No Content\r\nX-A: b\r\n\r\n');
});

test('a status line without a reason is repaired', async (t) => {
  const testServer = await startTestServer(t, always('HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok'));
  const client = await testServer.connect();
  client.send(get());
  assert.equal((await client.answer()).head, 'HTTP/1.1 200 \r\nContent-Length: 2\r\n\r\n');
});
