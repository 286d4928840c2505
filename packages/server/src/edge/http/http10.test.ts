import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import tls from 'node:tls';
import type { MuxStream } from '@underpass/wire';
import { until } from '../../../../../test/harness/until.ts';
import type { Guard } from '../sites/site.ts';
import {
  always,
  byHand,
  fixedBackend,
  NAME,
  siteOf,
  startTestServer,
  type TestServer,
} from './test-server.fixture.ts';

const H = `Host: ${NAME}\r\n`;
const KEPT = 'Connection: Keep-Alive\r\n';
const CHUNKED =
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n2\r\nhi\r\n4\r\n you\r\n0\r\nX-Sum: 1\r\n\r\n';
const SIZED = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi';

const line = (headers = H, method = 'GET', target = '/ten'): string =>
  `${method} ${target} HTTP/1.0\r\n${headers}\r\n`;

/** Everything that a visitor gets for what it sends, until the connection ends. */
async function all(testServer: TestServer, sent: string): Promise<string> {
  const client = await testServer.connect();
  client.send(sent);
  return client.rest();
}

test('a request of HTTP/1.0 gets the response, and the connection ends', async (t) => {
  const testServer = await startTestServer(t, always(SIZED));
  const came = await all(testServer, line());
  assert.match(came, /^HTTP\/1\.1 200 OK\r\n/);
  assert.match(came, /\r\nConnection: close\r\n/i);
  assert.ok(came.endsWith('\r\n\r\nhi'), came);
  const { heads } = testServer.observed[0]!;
  assert.equal(heads?.version, 'HTTP/1.0');
});

const isHead = (text: string): boolean => text.endsWith('\r\n\r\n');
const hasHello = (text: string): boolean => text.startsWith('GET') || text.endsWith('\r\n\r\nhello');

/** Answers each whole request, and keeps it in `seen`. */
function noting(seen: string[], isWhole: (text: string) => boolean, answer = SIZED) {
  const read = new Map<MuxStream, number>();
  return byHand((stream, soFar) => {
    const request = soFar.slice(read.get(stream) ?? 0);
    if (!isWhole(request)) return;
    read.set(stream, soFar.length);
    seen.push(request);
    stream.write(Buffer.from(answer));
  });
}

test('a chunked response is sent without chunks and trailers, and ends with the connection', async (t) => {
  const testServer = await startTestServer(t, always(CHUNKED));
  for (const headers of [H, `${H}${KEPT}`]) {
    const came = await all(testServer, line(headers));
    assert.doesNotMatch(came, /chunked|trailer|x-sum/i);
    assert.match(came, /\r\nConnection: close\r\n/);
    assert.ok(came.endsWith('\r\n\r\nhi you'), came);
  }
});

test('the response to HEAD has no Transfer-Encoding, and the connection is kept', async (t) => {
  const head = CHUNKED.slice(0, CHUNKED.indexOf('\r\n\r\n') + 4);
  const testServer = await startTestServer(t, always(head));
  const client = await testServer.connect();
  client.send(line(`${H}${KEPT}`, 'HEAD') + line(H, 'HEAD'));
  const first = await client.answer(true);
  assert.doesNotMatch(first.head, /chunked/i);
  assert.equal(first.headers.get('connection'), 'keep-alive');
  assert.equal((await client.answer(true)).headers.get('connection'), 'close');
  assert.equal(await client.rest(), '');
});

test('a connection is kept if the visitor says so and the response has a length', async (t) => {
  const testServer = await startTestServer(t, always(SIZED));
  const client = await testServer.connect();
  for (let i = 0; i < 3; i += 1) {
    client.send(line(`${H}${KEPT}`));
    const answer = await client.answer();
    assert.equal(answer.body, 'hi');
    assert.equal(answer.headers.get('connection'), 'keep-alive');
  }
  client.send(line(`${H}${KEPT}`) + line(`${H}${KEPT}`) + line());
  assert.equal((await client.answer()).body, 'hi');
  assert.equal((await client.answer()).body, 'hi');
  assert.equal((await client.answer()).headers.get('connection'), 'close');
  assert.equal(await client.rest(), '');
});

test('what goes to the upstream is HTTP/1.1 with a Host, without what HTTP/1.0 does not have', async (t) => {
  const seen: string[] = [];
  const testServer = await startTestServer(t, noting(seen, isHead));
  const headers =
    'Expect: 100-continue\r\nUpgrade: websocket\r\nTE: trailers\r\nConnection: upgrade, te\r\nX-A: b\r\n';
  const came = await all(testServer, line(headers));
  assert.match(came, /^HTTP\/1\.1 200 /);
  assert.match(seen[0]!, new RegExp(`^GET /ten HTTP/1\\.1\r\nHost: ${NAME}\r\nX-A: b\r\nX-Forwarded-For: `));
  assert.doesNotMatch(seen[0]!, /expect|upgrade|\r\nte:|\r\nconnection:/i);
  await all(testServer, line('', 'GET', `https://${NAME}/a?b`));
  assert.match(seen[1]!, /^GET \/a\?b HTTP\/1\.1\r\n/);
});

test('bodies with a length are forwarded, in one piece or many', async (t) => {
  const seen: string[] = [];
  const testServer = await startTestServer(t, noting(seen, hasHello));
  const head = line(`${H}${KEPT}Content-Length: 5\r\n`, 'POST');
  const client = await testServer.connect();
  client.send(`${head}hello`);
  assert.equal((await client.answer()).status, 200);
  client.send(head);
  await until(() => testServer.agents[0]!.agentSession.streamCount === 1);
  client.send('hel');
  client.send(`lo${head}hello`);
  assert.equal((await client.answer()).status, 200);
  assert.equal((await client.answer()).status, 200);
});

test('interim responses do not reach a visitor of HTTP/1.0', async (t) => {
  const interim = 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n';
  const testServer = await startTestServer(t, always(`${interim}HTTP/1.1 100 Continue\r\n\r\n${SIZED}`));
  const came = await all(testServer, line());
  assert.match(came, /^HTTP\/1\.1 200 /);
  assert.doesNotMatch(came, /103|100 Continue/);
});

test('Transfer-Encoding in HTTP/1.0 is refused, also beside a length', async (t) => {
  const testServer = await startTestServer(t, () => assert.fail('it reached the upstream'));
  for (const more of ['', 'Content-Length: 5\r\n']) {
    const sent = line(`${H}${KEPT}Transfer-Encoding: chunked\r\n${more}`, 'POST');
    const came = await all(testServer, `${sent}0\r\n\r\n${line()}`);
    assert.match(came, /^HTTP\/1\.1 400 .*ERR_TEST_60790/s);
    assert.equal(came.split('HTTP/1.1 ').length, 2);
  }
});

test('a response that breaks off before its end does not end like a whole one', async (t) => {
  const testServer = await startTestServer(
    t,
    byHand((stream) => {
      stream.write(Buffer.from('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n'));
      stream.end();
    }),
  );
  const client = await testServer.connect();
  const errors: Error[] = [];
  client.socket.on('error', (error) => errors.push(error));
  client.send(line());
  await client.until(() => client.closed || client.ended);
  assert.equal(testServer.observed.length, 1);
  assert.equal(testServer.edge.connections, 0);
});

test('fixed responses and errors of the edge are sent in HTTP/1.0 too, and many of one read', async (t) => {
  const testServer = await startTestServer(t);
  testServer.sites.set(NAME, siteOf(fixedBackend('fixed')));
  const client = await testServer.connect();
  const count = 500;
  client.send(line(`${H}${KEPT}`).repeat(count) + line());
  for (let i = 0; i < count; i += 1) {
    const { body, headers } = await client.answer();
    assert.equal(body, 'fixed');
    assert.equal(headers.get('connection'), 'keep-alive');
  }
  assert.equal((await client.answer()).headers.get('connection'), 'close');
  assert.equal(await client.rest(), '');
  testServer.sites.delete(NAME);
  assert.match(await all(testServer, line()), /^HTTP\/1\.1 404 .*ERR_TEST_3200/s);
});

for (const version of ['1.0', '1.1']) {
  test(`HTTP/${version}: a body that comes while the verdict is awaited goes on behind it`, async (t) => {
    const seen: string[] = [];
    const testServer = await startTestServer(t, noting(seen, hasHello));
    const waiting: (() => void)[] = [];
    const guard: Guard = {
      name: 'slow',
      reads: 'request',
      check: () => new Promise((resolve) => waiting.push(() => resolve(null))),
    };
    const { backend } = testServer.sites.get(NAME)!.route('')!;
    testServer.sites.set(NAME, siteOf(backend, { guards: [guard], readsRequest: true }));
    const client = await testServer.connect();
    const post = line(`${H}${KEPT}Content-Length: 5\r\n`, 'POST').replace('1.0', version);
    const last = line(`${H}Connection: close\r\n`).replace('1.0', version);
    client.send(post);
    await until(() => waiting.length === 1);
    client.send(`hello${last}`);
    // A second visitor is served meanwhile: what the first one sent was read.
    const other = await testServer.connect();
    other.send(last);
    await until(() => waiting.length === 2);
    waiting[1]!();
    await other.rest();
    waiting[0]!();
    assert.equal((await client.answer()).status, 200);
    await until(() => waiting.length === 3);
    waiting[2]!();
    assert.equal((await client.answer()).status, 200);
    assert.equal(await client.rest(), '');
    assert.equal(seen.length, 3);
  });
}

test('a handshake that offers nothing but http/1.0 succeeds', async (t) => {
  const testServer = await startTestServer(t, always(SIZED));
  const socket = tls.connect({
    ...{ port: testServer.port, host: '127.0.0.1', servername: NAME },
    ...{ rejectUnauthorized: false, ALPNProtocols: ['http/1.0'] },
  });
  await once(socket, 'secureConnect');
  assert.equal(socket.alpnProtocol, 'http/1.0');
  socket.destroy();
});
