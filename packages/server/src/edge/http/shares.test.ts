import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../../../../test/harness/until.ts';
import { byHand, type Client, get, NAME, startTestServer, type TestServer } from './test-server.fixture.ts';

const OK = Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
const elsewhere = { localAddress: '127.0.0.2' };

const serve = byHand((stream, soFar) => {
  const [, body = ''] = soFar.slice(soFar.lastIndexOf(' HTTP/1.1')).split('\r\n\r\n');
  const isPost = soFar.lastIndexOf('POST') > soFar.lastIndexOf('GET');
  if (!isPost || body.endsWith('end')) stream.write(OK);
});

const unfinished = `POST /slow HTTP/1.1\r\nHost: ${NAME}\r\nContent-Length: 9\r\n\r\n`;

async function posts(testServer: TestServer, count: number): Promise<Client[]> {
  const clients: Client[] = [];
  for (let i = 0; i < count; i += 1) {
    const client = await testServer.connect();
    client.send(unfinished);
    clients.push(client);
  }
  return clients;
}

async function statusFor(testServer: TestServer, options = {}): Promise<string> {
  const client = await testServer.connect(options);
  client.send(get('/', 'Connection: close\r\n'));
  const { status, headers } = await client.answer();
  client.socket.destroy();
  return `${status} ${headers.get('underpass-error-code') ?? ''}`.trim();
}

test('one address cannot use up the streams of an agent with requests that it does not finish', async (t) => {
  const testServer = await startTestServer(t, serve, { streamsOfAgent: 8 });
  const { agentSession, opened } = testServer.agents[0]!;
  const clients = await posts(testServer, 4);
  await until(() => opened.length === 4);
  assert.equal(await statusFor(testServer), '503 ERR_TEST_60226');
  assert.equal(await statusFor(testServer, elsewhere), '200');

  // An ended request does not count, however it ended.
  clients[0]!.send('it is end');
  assert.equal((await clients[0]!.answer()).body, 'ok');
  assert.equal(await statusFor(testServer), '200');
  clients[1]!.socket.destroy();
  await until(() => agentSession.streamCount === 4);
  assert.equal(await statusFor(testServer), '200');
});

test('a group is served by those of its agents that have room for the address', async (t) => {
  const testServer = await startTestServer(t, serve, { streamsOfAgent: 4, isGroup: true });
  const second = await testServer.agent(serve, 4);
  testServer.group.push(testServer.agents[0]!.tunnel, second.tunnel);
  await posts(testServer, 4);
  await until(() => testServer.agents[0]!.opened.length === 2 && second.opened.length === 2);
  assert.equal(await statusFor(testServer), '503 ERR_TEST_60226');
  assert.equal(await statusFor(testServer, elsewhere), '200');
});

test('upstream connections that are kept idle give way to a request that needs a new one', async (t) => {
  const testServer = await startTestServer(t, serve, { streamsOfAgent: 4 });
  const { agentSession } = testServer.agents[0]!;
  const clients = [...(await posts(testServer, 2)), await testServer.connect(elsewhere)];
  clients[2]!.send(unfinished);
  await until(() => testServer.agents[0]!.opened.length === 3);
  for (const client of clients) client.send('it is end');
  for (const client of clients) assert.equal((await client.answer()).body, 'ok');
  assert.equal(agentSession.streamCount, 3);
  // Idle for so long that no POST is risked on them.
  testServer.pass(2_000);
  const more = await posts(testServer, 2);
  for (const client of more) client.send('it is end');
  for (const client of more) assert.equal((await client.answer()).status, 200);
  assert.equal(testServer.agents[0]!.opened.length, 5);
});
