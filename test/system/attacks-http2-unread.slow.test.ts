/** HTTP/2 visitors and backends that do not read: requests and data in pieces of any size cost a bounded amount of memory. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { CLIENT_PREFACE, Flag, FrameType, frame } from '@underpass/wire/http2';
import { encodeHeaders } from '../../packages/server/src/http2/header-encoder.ts';
import { settingsFrame } from '../../packages/server/src/http2/settings.ts';
import { Platform, Resident, residentMissing } from '../harness/index.ts';
import { httpsEdge } from './attacks.fixture.ts';

/** MB of garbage that an attack may leave; each attack here was worth more. */
const SLACK = 200;
const LABEL = 'unread';
const NAME = `${LABEL}.underpass.localhost`;
const skip = residentMissing;

function request(id: number, method: string): Buffer {
  const fields = { ':method': method, ':scheme': 'https', ':authority': NAME, ':path': '/' };
  const block = encodeHeaders(Object.entries(fields).map(([name, value]) => ({ name, value })));
  return frame(FrameType.headers, Flag.endHeaders | (method === 'GET' ? Flag.endStream : 0), id, block);
}

/** A visitor that reads nothing. */
async function visitor(t: TestContext, platform: Platform): Promise<TLSSocket> {
  const socket = await platform.client.tls(NAME, { ALPNProtocols: ['h2'] });
  t.after(() => socket.destroy());
  socket.pause().write(Buffer.concat([CLIENT_PREFACE, settingsFrame(new Map())]));
  return socket;
}

/** Resolves when the daemon has read all of it, or has ended the connection. */
async function send(socket: TLSSocket, bytes: Buffer): Promise<void> {
  if (socket.destroyed || socket.write(bytes)) return;
  const waiting = new AbortController();
  const event = (name: string) => once(socket, name, { signal: waiting.signal }).catch(() => {});
  await Promise.race([event('drain'), event('close')]);
  waiting.abort();
}

async function start(t: TestContext): Promise<Platform> {
  const platform = await Platform.start();
  t.after(() => platform.stop());
  return platform;
}

test('requests whose answers are heads alone, and which nobody reads', { skip }, async (t) => {
  const platform = await start(t);
  const answer = { status_code: 204, headers: { 'x-long': 'x'.repeat(3000) } };
  const { json } = await platform.api('POST', '/backends/http_response', answer);
  await httpsEdge(platform, LABEL, String(json.id));
  const resident = new Resident(platform.daemon.pid);
  await resident.start();
  const socket = await visitor(t, platform);
  for (let first = 1; first < 80_000; first += 200) {
    const requests = Array.from({ length: 100 }, (_, at) => request(first + 2 * at, 'GET'));
    await send(socket, Buffer.concat(requests));
  }
  await resident.rest();
  assert.ok(resident.grown < SLACK, `${resident.grown} MB`);
});

test('bodies in frames of a single byte, for a backend that does not read', { skip }, async (t) => {
  const server = createServer((socket) => socket.on('error', () => {}).pause()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const platform = await start(t);
  await platform.agent(['http', String((server.address() as AddressInfo).port), '--domain', NAME]);
  const resident = new Resident(platform.daemon.pid);
  await resident.start();
  for (let visitors = 0; visitors < 8; visitors += 1) {
    const socket = await visitor(t, platform);
    for (let stream = 1; stream < 16; stream += 2) {
      const one = frame(FrameType.data, 0, stream, Buffer.from('x'));
      await send(socket, request(stream, 'POST'));
      await send(socket, Buffer.alloc(one.length * 100_000, one));
    }
  }
  await resident.rest();
  assert.ok(resident.grown < SLACK, `${resident.grown} MB`);
});
