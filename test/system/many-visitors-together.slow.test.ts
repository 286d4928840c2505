/** Many visitors of one agent at a time: long-lived connections through ours, bursts through one that others wrote. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { closing, eventually, Platform } from '../harness/index.ts';
import { StockAgent } from './stock-agent.fixture.ts';

const VISITORS = 700;
const UPGRADE =
  'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';
/** Streams of a session in which nothing else goes on. */
const HEARTBEATS = 2;
const SWITCHED = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';

let platform: Platform;
let upstream: Server;
let upstreamPort: string;
const local = new Set<Socket>();

before(async () => {
  // Takes every upgrade, and repeats what it is sent.
  upstream = createServer((socket) => {
    local.add(socket);
    socket.on('error', () => {}).once('close', () => local.delete(socket));
    socket.once('data', (first) => {
      socket.write(first.toString('latin1').startsWith('GET ') ? SWITCHED : first);
      socket.pipe(socket);
    });
  });
  upstream.listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  upstreamPort = String((upstream.address() as { port: number }).port);
  platform = await Platform.start();
});
after(async () => {
  await platform.stop();
  upstream.close();
});

/** Sends, and answers with what came back first; '' when the connection was closed without a byte. */
async function exchange(socket: Socket | TLSSocket, bytes: string): Promise<string> {
  const answered = Promise.withResolvers<string>();
  socket.on('error', () => {});
  socket.once('data', (chunk) => answered.resolve(chunk.toString('latin1')));
  socket.once('close', () => answered.resolve(''));
  socket.write(bytes);
  return await answered.promise;
}

for (const [whence, addresses] of [
  ['one address', 1],
  ['seven addresses', 7],
] as const) {
  test(`${VISITORS} WebSockets of ${whence} through one agent are all open together, and leave nothing`, async () => {
    const agent = await platform.agent(['http', upstreamPort], { quiet: true });
    const { hostname } = new URL(agent.url);
    const request = `GET / HTTP/1.1\r\nHost: ${hostname}\r\n${UPGRADE}\r\n`;
    const sockets: TLSSocket[] = [];
    const answers = new Map<string, number>();
    for (let from = 0; from < VISITORS; from += 70) {
      const some = Array.from({ length: 70 }, async (_, at) => {
        const localAddress = `127.0.0.${((from + at) % addresses) + 1}`;
        const socket = await platform.client.tls(hostname, { localAddress });
        sockets.push(socket);
        const answer = (await exchange(socket, request)).slice(0, 12);
        answers.set(answer, (answers.get(answer) ?? 0) + 1);
      });
      await Promise.all(some);
    }
    assert.deepEqual([...answers], [['HTTP/1.1 101', VISITORS]]);
    assert.equal(local.size, VISITORS);
    const [first] = sockets;
    assert.equal(await exchange(first!, 'still there'), 'still there');
    for (const socket of sockets) socket.destroy();
    await Promise.all(sockets.map((socket) => closing(socket)));
    await eventually(() => assert.equal(local.size, 0));
    await agent.process.stop();
  });
}

test(`${VISITORS} connections of a TCP tunnel are all open together, and leave nothing`, async () => {
  const agent = await platform.agent(['tcp', upstreamPort]);
  const port = Number(new URL(agent.url).port);
  const sockets = Array.from({ length: VISITORS }, () => connect({ port, host: '127.0.0.1' }));
  const answers = await Promise.all(sockets.map((socket, at) => exchange(socket, `visitor ${at}`)));
  assert.deepEqual(
    answers,
    [...sockets.keys()].map((at) => `visitor ${at}`),
  );
  assert.equal(local.size, VISITORS);
  for (const socket of sockets) socket.resetAndDestroy();
  await eventually(() => assert.equal(local.size, 0));
  await agent.process.stop();
});

test('300 requests at once from one address through an agent that takes 512 streams, 64 at a time, are all answered', async () => {
  const agent = await StockAgent.connect(platform, (_, response) => response.end('ok'), { isStrict: true });
  const { hostname } = new URL((await agent.bind({})).url);
  const bytes = `GET / HTTP/1.1\r\nHost: ${hostname}\r\nConnection: close\r\n\r\n`;
  const sockets = await Promise.all(Array.from({ length: 300 }, () => platform.client.tls(hostname)));
  const answers = await Promise.all(sockets.map((socket) => exchange(socket, bytes)));
  const statuses = new Set(answers.map((answer) => answer.slice(0, 12)));
  assert.deepEqual([...statuses], ['HTTP/1.1 200']);
  for (const socket of sockets) socket.destroy();
  await agent.stop();
});

test('300 connections at once of a TCP tunnel of such an agent are all served, although it refuses many at first', async () => {
  const agent = await StockAgent.connect(platform, () => {}, { isStrict: true });
  agent.echoes = true;
  const { url } = await agent.bind({}, { Proto: 'tcp' });
  const port = Number(new URL(url).port);
  const sockets = Array.from({ length: 300 }, () => connect({ port, host: '127.0.0.1' }));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  const answering = sockets.map(async (socket, at) => {
    const answer = await exchange(socket, `visitor ${at}`);
    socket.resetAndDestroy();
    return answer;
  });
  assert.deepEqual(
    await Promise.all(answering),
    [...sockets.keys()].map((at) => `visitor ${at}`),
  );
  await eventually(() => assert.equal(agent.session.streams, HEARTBEATS));
  await agent.stop();
});

test('visitors who leave while they wait leave nothing, and long-lived ones of one address let others in', async () => {
  const agent = await StockAgent.connect(platform, () => {}, { isStrict: true });
  const { url } = await agent.bind({}, { Proto: 'tcp' });
  agent.echoes = true;
  const to = { port: Number(new URL(url).port), host: '127.0.0.1' };
  const long = Array.from({ length: 240 }, () => connect(to));
  await Promise.all(long.map((socket) => exchange(socket, 'here')));
  const waiting = Array.from({ length: 200 }, () => connect(to));
  await Promise.all(waiting.map((socket) => once(socket, 'connect')));
  const other = connect({ ...to, localAddress: '127.0.0.2' });
  assert.equal(await exchange(other, 'from elsewhere'), 'from elsewhere');
  for (const socket of waiting) socket.resetAndDestroy();
  const last = connect(to);
  const answer = exchange(last, 'in turn');
  long.pop()!.resetAndDestroy();
  assert.equal(await answer, 'in turn');
  for (const socket of [...long, other, last]) socket.resetAndDestroy();
  await eventually(() => assert.equal(agent.session.streams, HEARTBEATS));
  await agent.stop();
});
