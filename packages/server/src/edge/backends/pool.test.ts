import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noopHandler } from '@underpass/wire';
import { until } from '../../../../../test/harness/until.ts';
import type { ByteStream, ProxyConnection } from '../../online/online.ts';
import { byHand, get, NAME, siteOf, startTestServer, type TestServer } from '../http/test-server.fixture.ts';
import { tunnelBackend } from './tunnel-backend.ts';

const OK = Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');

/** Sends `count` concurrent requests, so that as many upstream connections are used, and responds. */
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

test('an upstream that answers, ends, and reads no more of the request keeps no stream', async (t) => {
  let answer = (): void => {};
  const testServer = await startTestServer(t, (stream) => {
    // No credit: what the edge has of the body stays there.
    stream.handler = { ...noopHandler, data: () => stream.pause() };
    answer = () => {
      stream.write(Buffer.from('HTTP/1.1 413 X\r\n\r\ntoo much'));
      stream.end();
    };
  });
  const { agentSession, tunnel } = testServer.agents[0]!;
  let ofEdge: ByteStream | null = null;
  const open = tunnel.open.bind(tunnel);
  Object.assign(tunnel, {
    open(connection: ProxyConnection) {
      ofEdge = open(connection);
      return ofEdge;
    },
  });
  const client = await testServer.connect();
  client.send(`POST / HTTP/1.1\r\nHost: ${NAME}\r\nContent-Length: 2000000\r\n\r\n`);
  client.send(Buffer.alloc(1_000_000));
  await until(() => ofEdge?.writableNeedDrain === true);
  answer();
  assert.equal((await client.answer()).status, 413);
  await until(() => agentSession.streamCount === 0 && tunnel.outstanding === 0);
});
