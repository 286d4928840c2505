import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { until } from '../../../../../test/harness/until.ts';
import { tunnelBackend } from '../backends/tunnel-backend.ts';
import type { BodyGuard, Route } from '../sites/site.ts';
import { byHand, get, NAME, siteOf, startTestServer } from './test-server.fixture.ts';

const ANSWER = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
const LIMIT = 1000;

/** A server whose one route judges bodies: those that contain "good" go on. */
async function start(t: TestContext, parts: Partial<Route> = {}, limits = {}) {
  const seen = { judged: [] as string[], upstream: '' };
  const bodyGuard: BodyGuard = {
    name: 'webhook_verification',
    terms: 'good',
    limit: LIMIT,
    check(_facts, body) {
      seen.judged.push(body.toString('latin1'));
      return body.includes('good') ? null : 'webhookRefused';
    },
  };
  const serve = byHand((stream, soFar) => {
    seen.upstream = soFar;
    if (/\r\n\r\n.*(?:good|\r\n0\r\n(?:.*\r\n)*\r\n)$/s.test(soFar)) stream.write(Buffer.from(ANSWER));
  });
  const testServer = await startTestServer(t, serve, { limits });
  const backend = tunnelBackend(testServer.agents[0]!.tunnel);
  const renew = (terms = bodyGuard.terms): void => {
    const judged = { bodyGuards: [{ ...bodyGuard, terms }], readsRequest: true };
    testServer.sites.set(NAME, siteOf(backend, { ...judged, ...parts }));
  };
  renew();
  return { testServer, seen, renew };
}

function post(headers: string, body = ''): string {
  return `POST /hook HTTP/1.1\r\nHost: ${NAME}\r\n${headers}\r\n${body}`;
}

test('a body is judged as a whole, and goes on as it came', async (t) => {
  const { testServer, seen } = await start(t);
  const client = await testServer.connect();
  const body = 'a\r\n\0b\xff good';
  client.send(post(`Content-Length: ${body.length}\r\n`, body.slice(0, 3)));
  client.send(body.slice(3));
  assert.equal((await client.answer()).status, 200);
  assert.deepEqual(seen.judged, [body]);
  assert.ok(seen.upstream.endsWith(`\r\n\r\n${body}`));
  assert.equal(testServer.observed[0]?.decisions.get('webhook_verification'), 'allow');
});

test('what comes in chunks is judged without their framing, and goes on in one, with its trailers', async (t) => {
  const { testServer, seen } = await start(t);
  const client = await testServer.connect();
  const chunks = '3\r\na-g\r\n5\r\nood-b\r\n0\r\nX-T: 1\r\nabc: 2\r\n\r\n';
  for (const piece of [post('Transfer-Encoding: chunked\r\nTE: trailers\r\n'), ...chunks]) client.send(piece);
  assert.equal((await client.answer()).status, 200);
  assert.deepEqual(seen.judged, ['a-good-b']);
  assert.match(seen.upstream, /\r\n\r\n8\r\na-good-b\r\n0\r\nX-T: 1\r\nabc: 2\r\n\r\n$/);
});

test('nothing of a request that is refused goes on, and the connection serves the next one', async (t) => {
  const { testServer, seen } = await start(t);
  const client = await testServer.connect();
  client.send(post('Content-Length: 3\r\n', 'bad'));
  const refused = await client.answer();
  assert.deepEqual([refused.status, refused.headers.get('underpass-error-code')], [403, 'ERR_TEST_3204']);
  client.send(get());
  assert.equal((await client.answer()).status, 403, 'no body is judged, too');
  assert.equal(testServer.agents[0]?.opened.length, 0);
  client.send(post('Content-Length: 4\r\n', 'good') + post('Content-Length: 4\r\n', 'good'));
  assert.equal((await client.answer()).status, 200);
  assert.equal((await client.answer()).status, 200);
  assert.deepEqual(seen.judged, ['bad', '', 'good', 'good']);
});

test('a body above the bound is refused as soon as that is known', async (t) => {
  const { testServer, seen } = await start(t);
  const chunk = `100\r\n${'x'.repeat(256)}\r\n`;
  for (const request of [
    post(`Content-Length: ${LIMIT + 1}\r\n`),
    post('Transfer-Encoding: chunked\r\n', chunk.repeat(4)),
  ]) {
    const client = await testServer.connect();
    client.send(request);
    const answer = await client.answer();
    assert.deepEqual([answer.status, answer.headers.get('underpass-error-code')], [413, 'ERR_TEST_60428']);
    assert.match(answer.body, /1000 bytes/);
    await client.until(() => client.ended);
  }
  assert.deepEqual(seen.judged, []);
  assert.equal(testServer.agents[0]?.opened.length, 0);
});

test('a visitor that waits for 100 Continue sends its body, and the backend is not asked for another one', async (t) => {
  const { testServer, seen } = await start(t);
  const client = await testServer.connect();
  client.send(post('Content-Length: 4\r\nExpect: 100-continue\r\n'));
  assert.equal((await client.answer()).status, 100);
  client.send('good');
  assert.equal((await client.answer()).status, 200);
  assert.match(seen.upstream, /^POST \/hook /);
  assert.doesNotMatch(seen.upstream, /expect/i);
});

test('what all visitors leave half-sent has a bound: the oldest gives way', async (t) => {
  const { testServer } = await start(t, {}, { awaitedBodies: 1500 });
  const [first, second] = [await testServer.connect(), await testServer.connect()];
  const half = post('Content-Length: 900\r\n', 'x'.repeat(800));
  first.send(half);
  await until(() => testServer.edge.connections === 2, 'both connections');
  second.send(half);
  const answer = await first.answer();
  assert.deepEqual([answer.status, answer.headers.get('underpass-error-code')], [429, 'ERR_TEST_60323']);
  second.send(`${'x'.repeat(96)}good`);
  assert.equal((await second.answer()).status, 200);
});

test('a request whose route changes before its body is there ends', async (t) => {
  const { testServer, renew, seen } = await start(t);
  const client = await testServer.connect();
  client.send(post('Content-Length: 4\r\nExpect: 100-continue\r\n'));
  assert.equal((await client.answer()).status, 100);
  testServer.edge.recheck(null);
  assert.equal(client.closed, false);
  renew();
  testServer.edge.recheck(null);
  await client.until(() => client.closed);
  assert.deepEqual(seen.judged, []);
});

test('R4: an answer under way ends when bodies come to be judged by other terms, and goes on while they are the same', async (t) => {
  const { testServer, renew, seen } = await start(t);
  const client = await testServer.connect();
  client.send(post('Content-Length: 9\r\n', 'good, but'));
  await until(() => seen.upstream.endsWith('good, but'));
  renew();
  testServer.edge.recheck(null);
  assert.equal(client.closed, false);
  renew('better');
  testServer.edge.recheck(null);
  await client.until(() => client.closed);
});

test('a body that does not come is not waited for longer than any', async (t) => {
  const { testServer } = await start(t);
  const client = await testServer.connect();
  client.send(post('Content-Length: 4\r\nExpect: 100-continue\r\n'));
  assert.equal((await client.answer()).status, 100);
  testServer.pass(61_000);
  assert.equal((await client.answer()).status, 408);
});

test('a request that its body lets through is no WebSocket, and a refused one does not close an open circuit', async (t) => {
  const answered: number[] = [];
  const watches = [{ answered: (status: number) => void answered.push(status) }];
  const { testServer } = await start(t, { converter: { name: 'websocket_tcp' }, watches });
  const client = await testServer.connect();
  client.send(post('Content-Length: 4\r\n', 'good'));
  assert.equal((await client.answer()).headers.get('underpass-error-code'), 'ERR_TEST_3206');
  client.send(post('Content-Length: 3\r\n', 'bad'));
  assert.equal((await client.answer()).status, 403);
  assert.deepEqual(answered, [0, 0], 'which says nothing of the backend');
});
