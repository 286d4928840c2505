/**
 * Limits for visitors in number and time, by the operator's options.
 * Invariant: slow, idle or many visitors do not lock others out.
 */
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

const opened: TLSSocket[] = [];
/** A daemon with short deadlines. */
let hurried: Platform;
/** A daemon with the default deadlines: connections stay open on slow machines, too. */
let usual: Platform;

before(async () => {
  const least = [
    '--handshake-seconds',
    '8',
    '--head-seconds',
    '5',
    '--idle-seconds',
    '5',
    '--body-seconds',
    '8',
  ];
  const limits = [
    '--head-bytes',
    '8192',
    '--connections',
    '200',
    '--connections-per-source',
    String(PER_SOURCE),
  ];
  hurried = await Platform.start({ args: [...limits, ...least] });
  usual = await Platform.start({ args: limits });
  for (const platform of [hurried, usual]) await fixedEdge(platform, 'limits', 'served');
});
after(async () => {
  for (const socket of opened) socket.destroy();
  await hurried.stop();
  await usual.stop();
});

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

async function said(platform: Platform, localAddress: string, bytes: string): Promise<string> {
  const socket = await platform.client.tls(NAME, { localAddress });
  socket.write(bytes);
  return await transcript(socket);
}

/** Answered, and the rest of the body of its request is still to come: not idle. */
const BUSY = `POST / HTTP/1.1\r\nHost: ${NAME}\r\nContent-Length: 9\r\n\r\n`;
const IDLE = `${REQUEST}\r\n`;

/** A connection that has been answered; null where none is to be had. */
async function open(platform: Platform, localAddress: string, bytes: string): Promise<TLSSocket | null> {
  const socket = await platform.client.tls(NAME, { localAddress }).catch(() => null);
  if (socket === null) return null;
  opened.push(socket);
  // After its response the daemon's side of the handshake is complete, too.
  socket.write(bytes);
  await inTime(once(socket, 'data'), () => `an answer to ${bytes}`);
  return socket;
}

/** Opens as many connections as a source may have. */
async function openAll(
  platform: Platform,
  localAddress: string,
  bytes: string,
): Promise<readonly TLSSocket[]> {
  const sockets = await Promise.all(
    Array.from({ length: PER_SOURCE }, () => open(platform, localAddress, bytes)),
  );
  return sockets.filter((socket) => socket !== null);
}

async function hasRoom(platform: Platform, localAddress: string): Promise<void> {
  await eventually(async () => assert.ok((await open(platform, localAddress, IDLE)) !== null));
}

/** Waits until the daemon has closed idle connections by their deadlines. */
async function hasRoomAgain(platform: Platform, localAddress: string): Promise<void> {
  const busy = await openAll(platform, localAddress, BUSY);
  await inTime(Promise.all(busy.map(closing)), () => 'the end of what is busy');
  await hasRoom(platform, localAddress);
}

test('each stage has its deadline: hello, handshake, head, body and the wait for another request', async () => {
  const silent = connect({ port: hurried.port, host: '127.0.0.1', localAddress: '127.0.2.1' });
  const [nothing, head, body, idle] = await Promise.all([
    transcript(silent),
    said(hurried, '127.0.2.2', REQUEST),
    said(hurried, '127.0.2.3', BUSY),
    said(hurried, '127.0.2.4', IDLE),
    hasRoomAgain(hurried, '127.0.2.8'),
  ]);
  assert.equal(nothing, '');
  assert.match(head, /^HTTP\/1\.1 408 /);
  assert.match(body, /^HTTP\/1\.1 200 [\s\S]*served$/, 'an answer that did not wait for the body');
  assert.match(idle, /^HTTP\/1\.1 200 [\s\S]*served$/);
});

test('a head that is larger is refused', async () => {
  const field = (bytes: number): string => `X: ${'x'.repeat(bytes)}\r\nConnection: close\r\n\r\n`;
  assert.match(await said(usual, '127.0.2.5', REQUEST + field(7000)), /^HTTP\/1\.1 200 /);
  assert.match(await said(usual, '127.0.2.5', REQUEST + field(9000)), /^HTTP\/1\.1 431 /);
});

test('a source has its number of connections, of which idle ones give way, and others do not notice', async () => {
  const from = '127.0.2.6';
  const idle = await openAll(usual, from, IDLE);
  assert.equal(idle.length, PER_SOURCE);
  const busy = await openAll(usual, from, BUSY);
  assert.equal(busy.length, PER_SOURCE);
  await eventually(() => assert.ok(idle.every(({ destroyed }) => destroyed)));
  assert.equal((await openAll(usual, from, IDLE)).length, 0);
  assert.match(await said(usual, '127.0.2.7', `${REQUEST}Connection: close\r\n\r\n`), /^HTTP\/1\.1 200 /);
  const metrics = await fetch(`http://127.0.0.1:${usual.adminPort}/metrics`);
  assert.match(await metrics.text(), /underpass_tls_handshake_failures_total\{reason="source_limit"\} 5\n/);
  await usual.daemon.line(/no more connections of this source/);
  const logged = usual.daemon.lines.filter((line) => line.includes('no more connections of this source'));
  assert.equal(logged.length, 1);
  busy[0]?.destroy();
  await hasRoom(usual, from);
});
