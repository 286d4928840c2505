/** How much and how long visitors may take, as the operator says it. Never that who is slow, idle or many keeps others out. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { closing, eventually, inTime, Platform } from '../harness/index.ts';
import { fixedEdge } from './attacks.fixture.ts';

const NAME = 'limits.underpass.localhost';
const REQUEST = `GET / HTTP/1.1\r\nHost: ${NAME}\r\n`;
const PER_SOURCE = 5;

let platform: Platform;

before(async () => {
  platform = await Platform.start({
    args: [
      ...['--handshake-seconds', '5', '--head-seconds', '5', '--idle-seconds', '5', '--body-seconds', '8'],
      ...['--head-bytes', '8192', '--connections', '200', '--connections-per-source', String(PER_SOURCE)],
    ],
  });
  await fixedEdge(platform, 'limits', 'served');
});
after(() => platform.stop());

/** Everything that comes until the connection ends. */
async function transcript(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
  });
  socket.on('error', () => {});
  await inTime(closing(socket), () => `the end after ${text}`);
  return text;
}

async function said(localAddress: string, bytes: string): Promise<string> {
  const socket = await platform.client.tls(NAME, { localAddress });
  socket.write(bytes);
  return await transcript(socket);
}

test('each stage has its deadline: hello, handshake, head, body and the wait for another request', async () => {
  const silent = connect({ port: platform.port, host: '127.0.0.1', localAddress: '127.0.2.1' });
  const [nothing, head, body, idle] = await Promise.all([
    transcript(silent),
    said('127.0.2.2', REQUEST),
    said('127.0.2.3', `POST / HTTP/1.1\r\nHost: ${NAME}\r\nContent-Length: 9\r\n\r\n`),
    said('127.0.2.4', `${REQUEST}\r\n`),
  ]);
  assert.equal(nothing, '');
  assert.match(head, /^HTTP\/1\.1 408 /);
  assert.match(body, /^HTTP\/1\.1 200 [\s\S]*served$/, 'an answer that did not wait for the body');
  assert.match(idle, /^HTTP\/1\.1 200 [\s\S]*served$/);
});

test('a head that is larger is refused', async () => {
  const field = (bytes: number): string => `X: ${'x'.repeat(bytes)}\r\nConnection: close\r\n\r\n`;
  assert.match(await said('127.0.2.5', REQUEST + field(7000)), /^HTTP\/1\.1 200 /);
  assert.match(await said('127.0.2.5', REQUEST + field(9000)), /^HTTP\/1\.1 431 /);
});

/** Answered, and the rest of the body of its request is still to come: not idle. */
const BUSY = `POST / HTTP/1.1\r\nHost: ${NAME}\r\nContent-Length: 9\r\n\r\n`;
const IDLE = `${REQUEST}\r\n`;

test('a source has its number of connections, of which idle ones give way, and others do not notice', async (t) => {
  const from = '127.0.2.6';
  const open = async (bytes: string): Promise<TLSSocket | null> => {
    const socket = await platform.client.tls(NAME, { localAddress: from }).catch(() => null);
    if (socket === null) return null;
    t.after(() => void socket.destroy());
    // With its answer the daemon's side of the handshake is over, too.
    socket.write(bytes);
    await once(socket, 'data');
    return socket;
  };
  const openMany = async (bytes: string): Promise<readonly TLSSocket[]> => {
    const sockets = await Promise.all(Array.from({ length: PER_SOURCE }, () => open(bytes)));
    return sockets.filter((socket) => socket !== null);
  };
  const idle = await openMany(IDLE);
  assert.equal(idle.length, PER_SOURCE);
  assert.equal((await openMany(BUSY)).length, PER_SOURCE);
  await eventually(() => assert.ok(idle.every(({ destroyed }) => destroyed)));
  assert.equal((await openMany(IDLE)).length, 0);
  assert.match(await said('127.0.2.7', `${REQUEST}Connection: close\r\n\r\n`), /^HTTP\/1\.1 200 /);
  const metrics = await fetch(`http://127.0.0.1:${platform.adminPort}/metrics`);
  assert.match(await metrics.text(), /underpass_tls_handshake_failures_total\{reason="source_limit"\} 5\n/);
  await platform.daemon.line(/no more connections of this source/);
  const logged = platform.daemon.lines.filter((line) => line.includes('no more connections of this source'));
  assert.equal(logged.length, 1);
  // Busy ones end by their deadlines, and there is room again.
  await eventually(async () => assert.ok((await open(IDLE)) !== null));
});
