/** Requests on open connections, while their agent is on its way to another daemon. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { until } from '../../../../../test/harness/until.ts';
import { tunnelBackend } from '../backends/tunnel-backend.ts';
import { AwaitedTunnels } from '../listeners/awaited-tunnels.ts';
import { byHand, get, NAME, siteOf, startTestServer } from './test-server.fixture.ts';

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
const WAIT_MS = 10_000;

/** A server whose agent a test takes away, and brings back as another tunnel with another site. */
async function start(t: TestContext, answers = true) {
  const clock = { ms: 0 };
  const expected = new AwaitedTunnels(() => clock.ms);
  let requests = 0;
  const serve = byHand((stream, soFar) => {
    if (!soFar.endsWith('\r\n\r\n')) return;
    requests += 1;
    if (answers || requests > 1) stream.write(Buffer.from(OK));
  });
  const server = await startTestServer(t, serve, { expected });
  const lose = (isExpected = true): void => {
    if (isExpected) expected.expectAt(NAME, WAIT_MS);
    server.agents[0]!.goOffline();
  };
  const comeBack = async (parts = {}, changes = {}): Promise<void> => {
    const { tunnel } = await server.agent(serve);
    server.sites.set(NAME, siteOf(tunnelBackend(tunnel), parts, { id: 'ep_other', ...changes }));
    expected.look();
  };
  const expire = (): void => {
    clock.ms += WAIT_MS;
    expected.look();
  };
  return { server, expected, lose, comeBack, expire, requests: () => requests };
}

test('a request on a kept connection waits for the agent, and goes to it', async (t) => {
  const { server, expected, lose, comeBack } = await start(t);
  const client = await server.connect();
  client.send(get('/one'));
  assert.equal((await client.answer()).status, 200);
  lose();
  client.send(get('/two'));
  await until(() => expected.size === 1, 'it waits');
  await comeBack();
  assert.equal((await client.answer()).status, 200);
  assert.deepEqual(
    server.observed.map(({ status }) => status),
    [200, 200],
  );
});

test('a request that its agent took and lost is sent again when the agent is back', async (t) => {
  const { server, lose, comeBack, requests } = await start(t, false);
  const client = await server.connect();
  client.send(get('/one'));
  await until(() => requests() === 1, 'the request arrives');
  lose();
  await comeBack();
  assert.equal((await client.answer()).status, 200);
  assert.equal(requests(), 2);
});

test('without an agent the response comes when none is expected any more', async (t) => {
  const { server, expected, lose, expire } = await start(t);
  const client = await server.connect();
  lose();
  client.send(get('/one'));
  await until(() => expected.size === 1, 'it waits');
  expire();
  assert.equal((await client.answer()).status, 404);
});

test('an agent that nobody expects is not waited for', async (t) => {
  const { server, lose } = await start(t);
  const client = await server.connect();
  lose(false);
  client.send(get('/one'));
  assert.equal((await client.answer()).status, 404);
});

test('a lost request does not go to another account, nor past a guard that refuses it', async (t) => {
  for (const [parts, changes] of [
    [{}, { account: 'ac_2' }],
    [{ guards: [{ name: 'ip', reads: 'connection', check: () => 'sourceRefused' }] }, {}],
    [{ refusal: 'moduleWithoutEffect' }, {}],
  ]) {
    const { server, lose, comeBack, requests } = await start(t, false);
    const client = await server.connect();
    client.send(get('/one'));
    await until(() => requests() === 1, 'the request arrives');
    lose();
    await comeBack(parts, changes);
    assert.equal((await client.answer()).status, 404);
    assert.equal(requests(), 1);
  }
});

test('a visitor who leaves while it waits leaves nothing behind', async (t) => {
  const { server, expected, lose, comeBack, requests } = await start(t);
  const client = await server.connect();
  lose();
  client.send(get('/one'));
  await until(() => expected.size === 1, 'it waits');
  client.socket.destroy();
  await until(() => server.edge.connections === 0);
  await comeBack();
  assert.deepEqual([requests(), expected.size], [0, 0]);
});
