/** Requests to a daemon that is isolated. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../../../../test/harness/until.ts';
import { AwaitedTunnels } from '../listeners/awaited-tunnels.ts';
import { byHand, get, NAME, startTestServer } from './test-server.fixture.ts';

const ISOLATED = 'ERR_TEST_60852';
const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

test('a kept connection gets the error while the daemon is isolated, and is served afterwards', async (t) => {
  let isIsolated = false;
  let requests = 0;
  const serve = byHand((stream) => {
    requests += 1;
    stream.write(Buffer.from(OK));
  });
  const server = await startTestServer(t, serve, { isIsolated: () => isIsolated });
  const client = await server.connect();
  const outcomes: number[] = [];
  for (const value of [false, true, false]) {
    isIsolated = value;
    client.send(get('/'));
    const { status, headers } = await client.answer();
    outcomes.push(status);
    if (value) assert.equal(headers.get('underpass-error-code'), ISOLATED);
  }
  assert.deepEqual([outcomes, requests], [[200, 503, 200], 2]);
});

test('a request whose agent is lost with the isolation does not wait for it', async (t) => {
  let isIsolated = false;
  const expected = new AwaitedTunnels(() => 0);
  let requests = 0;
  const serve = byHand(() => {
    requests += 1;
  });
  const server = await startTestServer(t, serve, { expected, isIsolated: () => isIsolated });
  const client = await server.connect();
  client.send(get('/'));
  await until(() => requests === 1);
  isIsolated = true;
  expected.expectAt(NAME, 10_000);
  server.agents[0]!.goOffline();
  const { status, headers } = await client.answer();
  assert.deepEqual([status, headers.get('underpass-error-code')], [503, ISOLATED]);
  assert.equal(expected.size, 0);
});
