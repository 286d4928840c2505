import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../../../../test/harness/until.ts';
import { byHand, get, NAME, siteOf, startTestServer, type TestServer } from '../http/test-server.fixture.ts';
import { tunnelBackend } from './tunnel-backend.ts';

const OK = Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');

/** Has `count` visitors ask at once, so that as many upstream connections are used, and answers them. */
async function askAtOnce(testServer: TestServer, waiting: (() => void)[], count: number): Promise<void> {
  const clients = await Promise.all(Array.from({ length: count }, () => testServer.connect()));
  for (const client of clients) client.send(get());
  await until(() => waiting.length === count);
  for (const answer of waiting.splice(0)) answer();
  for (const client of clients) assert.equal((await client.answer()).body, 'ok');
}

function onRequest(waiting: (() => void)[]) {
  return byHand((stream) => waiting.push(() => stream.write(OK)));
}

test('as many upstream connections are kept idle as the limit says, and used again', async (t) => {
  const waiting: (() => void)[] = [];
  const testServer = await startTestServer(t, onRequest(waiting), { limits: { idleStreams: 3 } });
  const { agentSession, opened } = testServer.agents[0]!;
  await askAtOnce(testServer, waiting, 5);
  assert.equal(opened.length, 5);
  await until(() => agentSession.streamCount === 3);
  await askAtOnce(testServer, waiting, 3);
  assert.equal(opened.length, 5);
});

test('upstream connections idle for long are closed', async (t) => {
  const waiting: (() => void)[] = [];
  const testServer = await startTestServer(t, onRequest(waiting));
  const { agentSession } = testServer.agents[0]!;
  await askAtOnce(testServer, waiting, 4);
  testServer.pass(59_000);
  await askAtOnce(testServer, waiting, 1);
  assert.equal(agentSession.streamCount, 4);
  testServer.pass(2_000);
  await until(() => agentSession.streamCount === 1);
});

test('a tunnel that goes offline takes its idle connections with it, and a new one starts with none', async (t) => {
  const waiting: (() => void)[] = [];
  const testServer = await startTestServer(t, onRequest(waiting));
  await askAtOnce(testServer, waiting, 2);
  const [old] = testServer.agents;
  old!.goOffline();
  await until(() => old!.tunnel.closed.aborted);
  const { tunnel, opened } = await testServer.agent(onRequest(waiting));
  testServer.sites.set(NAME, siteOf(tunnelBackend(tunnel)));
  await askAtOnce(testServer, waiting, 1);
  assert.equal(opened.length, 1);
});
