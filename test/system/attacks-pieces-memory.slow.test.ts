/** Visitors and backends that send single bytes. Memory grows with the bytes, not with the pieces that they came in. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { CLIENT_PREFACE, Flag, FrameType, frame } from '@underpass/wire/http2';
import { clientFrame, HANDSHAKE } from '../../packages/server/src/edge/http/websocket-client.fixture.ts';
import { encodeHeaders } from '../../packages/server/src/http2/header-encoder.ts';
import { settingsFrame } from '../../packages/server/src/http2/settings.ts';
import { Platform, Resident, residentMissing } from '../harness/index.ts';
import { httpsEdge } from './attacks.fixture.ts';

/** Megabytes that an attack may cost: kept by the piece, each attack here costs more. A container of 512 MiB survives several. */
const BOUND = 150;
const LABEL = 'pieces';
const NAME = `${LABEL}.underpass.localhost`;
const skip = residentMissing;

const CHUNK = '1\r\nx\r\n';
/** The zero is cut out of what goes on, so that each chunk is a piece of its own. */
const CUT_CHUNK = `0${CHUNK}`;
const ONE_BYTE = (id: number) => frame(FrameType.data, 0, id, Buffer.from('x'));
const PADDED = (id: number) => frame(FrameType.data, Flag.padded, id, Buffer.from([1, 0x78, 0]));

class Attacked {
  readonly platform: Platform;
  readonly #test: TestContext;
  readonly #sockets: Socket[] = [];
  readonly resident: Resident;

  constructor(t: TestContext, platform: Platform) {
    this.#test = t;
    this.platform = platform;
    this.resident = new Resident(platform.daemon.pid);
    t.after(() => {
      for (const socket of this.#sockets) socket.destroy();
    });
  }

  async visitor(protocol: 'h2' | 'http/1.1', name = NAME): Promise<Socket> {
    const socket = await this.platform.client.tls(name, { ALPNProtocols: [protocol] });
    this.#sockets.push(socket);
    socket.on('error', () => {});
    if (protocol === 'h2') socket.write(Buffer.concat([CLIENT_PREFACE, settingsFrame(new Map())]));
    return socket.pause();
  }

  /** A request that posts a body in chunks, over HTTP/1.1; the chunk is sent so many times, and the body does not end. */
  async chunks(chunk: string, times: number, name = NAME, asked = '/ HTTP/1.1\r\n'): Promise<void> {
    const head = `POST ${asked}Host: ${name}\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const socket = await this.visitor('http/1.1', name);
    await send(socket, Buffer.concat([Buffer.from(head), Buffer.alloc(chunk.length * times, chunk)]));
  }

  /** One connection over HTTP/2 with so many such requests, of each of which the frame is sent so many times. */
  async frames(streams: number, times: number, made = ONE_BYTE, name = NAME): Promise<void> {
    const socket = await this.visitor('h2', name);
    for (let at = 0; at < streams; at += 1) {
      const one = made(1 + 2 * at);
      await send(socket, request(1 + 2 * at, name));
      await send(socket, Buffer.alloc(one.length * times, one));
    }
  }

  async costsLittle(): Promise<void> {
    await this.resident.rest();
    this.#test.diagnostic(`${Math.round(this.resident.grown)} MB`);
    assert.ok(this.resident.grown < BOUND, `${this.resident.grown} MB`);
  }
}

/** `more`: further fields, encoded. */
function request(id: number, name: string, more: Buffer = Buffer.alloc(0)): Buffer {
  const fields = { ':method': 'POST', ':scheme': 'https', ':authority': name, ':path': '/' };
  const block = encodeHeaders(Object.entries(fields).map(([key, value]) => ({ name: key, value })));
  return frame(FrameType.headers, Flag.endHeaders, id, Buffer.concat([block, more]));
}

/** Resolves when the daemon has read all but what fits into buffers, or has ended the connection, or reads no more. */
async function send(socket: Socket, bytes: Buffer): Promise<void> {
  if (socket.destroyed || socket.write(bytes)) return;
  const waiting = new AbortController();
  const event = (name: string) => once(socket, name, { signal: waiting.signal }).catch(() => {});
  const unread = new Promise<void>((done) => {
    let left = socket.bytesWritten;
    const timer = setInterval(() => {
      if (left === socket.bytesWritten) done();
      left = socket.bytesWritten;
    }, 500);
    waiting.signal.addEventListener('abort', () => clearInterval(timer));
  });
  await Promise.race([event('drain'), event('close'), unread]);
  waiting.abort();
}

async function start(t: TestContext, args: readonly string[] = []): Promise<Attacked> {
  const platform = await Platform.start({ args: ['--log-level', 'warn', ...args] });
  t.after(() => platform.stop());
  return new Attacked(t, platform);
}

/** A server that takes connections and never reads; answers its port. */
function unreading(t: TestContext): Promise<number> {
  return listening(t, (socket) => void socket.pause());
}

async function listening(t: TestContext, accept: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    accept(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

async function withWebhook(t: TestContext): Promise<Attacked> {
  const attacked = await start(t);
  const { platform } = attacked;
  const backend = await platform.api('POST', '/backends/http_response', { body: 'ok' });
  const edge = await httpsEdge(platform, LABEL, backend.json.id);
  const { json } = await platform.api('GET', edge);
  const path = `${edge}/routes/${json.routes[0].id}/webhook_verification`;
  const put = await platform.api('PUT', path, { provider: 'GITHUB', secret: 'a secret of these tests' });
  assert.equal(put.status, 200, put.text);
  await attacked.resident.start();
  return attacked;
}

async function withTunnels(
  t: TestContext,
  count: number,
  ...flags: string[]
): Promise<readonly [Attacked, readonly string[]]> {
  const attacked = await start(t);
  const port = String(await unreading(t));
  const names: string[] = [];
  for (let at = 0; at < count; at += 1) {
    const name = `${LABEL}${at}.underpass.localhost`;
    await attacked.platform.agent(['http', port, '--domain', name, ...flags], { quiet: true });
    names.push(name);
  }
  await attacked.resident.start();
  return [attacked, names];
}

async function withStatic(t: TestContext): Promise<Attacked> {
  const attacked = await start(t, ['--allow-private', '127.0.0.0/8']);
  const address = `127.0.0.1:${await unreading(t)}`;
  const backend = await attacked.platform.api('POST', '/backends/static', { address });
  assert.equal(backend.status, 201, backend.text);
  await httpsEdge(attacked.platform, LABEL, backend.json.id);
  await attacked.resident.start();
  return attacked;
}

test('bodies that wait for their verification, in chunks of a byte', { skip }, async (t) => {
  const attacked = await withWebhook(t);
  for (let bodies = 0; bodies < 15; bodies += 1) await attacked.chunks(CHUNK, 330_000);
  await attacked.costsLittle();
});

for (const [what, made] of Object.entries({ plain: ONE_BYTE, padded: PADDED })) {
  test(`bodies that wait for their verification, in frames of a byte, ${what}`, { skip }, async (t) => {
    const attacked = await withWebhook(t);
    for (let connections = 0; connections < 3; connections += 1) await attacked.frames(5, 330_000, made);
    await attacked.costsLittle();
  });
}

test('a few bodies that wait for their verification on each of many connections', { skip }, async (t) => {
  const attacked = await withWebhook(t);
  for (let connections = 0; connections < 60; connections += 1) await attacked.frames(100, 500);
  await attacked.costsLittle();
});

test('requests to tunnels that do not read, in chunks of a byte', { skip }, async (t) => {
  const [attacked, names] = await withTunnels(t, 3);
  for (const name of names)
    for (let visitors = 0; visitors < 60; visitors += 1) await attacked.chunks(CUT_CHUNK, 60_000, name);
  await attacked.costsLittle();
});

test('requests to tunnels that do not read, in frames of a byte', { skip }, async (t) => {
  const [attacked, names] = await withTunnels(t, 3);
  for (const name of names)
    for (let visitors = 0; visitors < 2; visitors += 1) await attacked.frames(100, 6_000, ONE_BYTE, name);
  await attacked.costsLittle();
});

test('requests to a static backend that does not read, in frames of a byte', { skip }, async (t) => {
  const attacked = await withStatic(t);
  for (let visitors = 0; visitors < 4; visitors += 1) await attacked.frames(60, 10_000);
  await attacked.costsLittle();
});

test('requests to a tunnel over HTTP/2 that does not read, in frames and chunks of a byte', {
  skip,
}, async (t) => {
  const [attacked, [name = '']] = await withTunnels(t, 1, '--upstream-protocol=http2');
  for (let visitors = 0; visitors < 2; visitors += 1) await attacked.frames(60, 10_000, ONE_BYTE, name);
  for (let visitors = 0; visitors < 60; visitors += 1) await attacked.chunks(CUT_CHUNK, 60_000, name);
  await attacked.costsLittle();
});

test('messages of a WebSocket of a byte each, for bytes that nobody reads', { skip }, async (t) => {
  const attacked = await start(t);
  const { platform } = attacked;
  await platform.agent(['http', String(await unreading(t)), '--label', 'app=pieces'], { quiet: true });
  const group = await platform.api('POST', '/backends/tunnel_group', { labels: { app: 'pieces' } });
  const edge = await httpsEdge(platform, LABEL, group.json.id);
  const { json } = await platform.api('GET', edge);
  const route = `${edge}/routes/${json.routes[0].id}`;
  await platform.api('PUT', `${route}/websocket_tcp_converter`, {});
  await attacked.resident.start();
  const one = clientFrame(0x82, Buffer.from('x'));
  for (let visitors = 0; visitors < 200; visitors += 1) {
    const socket = await attacked.visitor('http/1.1');
    await send(socket, Buffer.from(`GET / HTTP/1.1\r\nHost: ${NAME}\r\n${HANDSHAKE}\r\n`));
    await send(socket, Buffer.alloc(one.length * 60_000, one));
  }
  await attacked.costsLittle();
});

test('requests whose short blocks stand for 60 KB of fields each', { skip }, async (t) => {
  const attacked = await withWebhook(t);
  const kept = encodeHeaders([{ name: 'x', value: 'y'.repeat(4000) }]);
  // Into the table of fields, in which the newest field has this index.
  kept[0] = 0x40;
  const references = Buffer.alloc(15, 0xbe);
  for (let connections = 0; connections < 100; connections += 1) {
    const socket = await attacked.visitor('h2');
    await send(socket, request(1, NAME, kept));
    for (let id = 3; id < 180; id += 2) await send(socket, request(id, NAME, references));
  }
  await attacked.costsLittle();
});

for (const [protocol, requests] of [
  ['http/1.1', 1],
  ['h2', 60],
] as const) {
  test(`responses in chunks of a byte, for visitors that do not read, over ${protocol}`, {
    skip,
  }, async (t) => {
    const attacked = await start(t);
    const head = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
    const answer = Buffer.concat([Buffer.from(head), Buffer.alloc(CUT_CHUNK.length * 1_000_000, CUT_CHUNK)]);
    const port = await listening(t, (socket) => {
      socket.once('data', () => socket.write(answer)).resume();
    });
    await attacked.platform.agent(['http', String(port), '--domain', NAME], { quiet: true });
    await attacked.resident.start();
    for (let visitors = 0; visitors < 120 / requests; visitors += 1) {
      const socket = await attacked.visitor(protocol);
      const get = `GET / HTTP/1.1\r\nHost: ${NAME}\r\n\r\n`;
      if (protocol === 'http/1.1') await send(socket, Buffer.from(get));
      else for (let at = 0; at < requests; at += 1) await send(socket, request(1 + 2 * at, NAME));
    }
    await attacked.costsLittle();
  });
}

test('bytes inside TLS, each in a record of its own, for a server that does not read', {
  skip,
}, async (t) => {
  const attacked = await start(t, ['--allow-private', '127.0.0.0/8']);
  const { platform } = attacked;
  const address = `127.0.0.1:${await unreading(t)}`;
  const backend = await platform.api('POST', '/backends/static', { address });
  await platform.api('POST', '/reserved_domains', { name: NAME });
  const edge = await platform.api('POST', '/edges/tls', {
    hostports: [`${NAME}:443`],
    backend: { backend_id: backend.json.id },
    tls_termination: { terminate_at: 'edge' },
  });
  assert.equal(edge.status, 201, edge.text);
  await attacked.resident.start();
  const byte = Buffer.from('x');
  for (let visitors = 0; visitors < 100; visitors += 1) {
    const socket = await attacked.visitor('http/1.1');
    for (let at = 0; at < 5_000; at += 1) socket.write(byte);
    await send(socket, byte);
  }
  await attacked.costsLittle();
});

test('bodies for the API in chunks of a byte that do not end', { skip }, async (t) => {
  const attacked = await start(t);
  await attacked.resident.start();
  const { api_key } = attacked.platform.bootstrap;
  const fields = `Authorization: Bearer ${api_key}\r\nService-Version: 2\r\nContent-Type: application/json\r\n`;
  for (let visitors = 0; visitors < 60; visitors += 1)
    await attacked.chunks(CHUNK, 500_000, 'api.underpass.localhost', `/ip_policies HTTP/1.1\r\n${fields}`);
  await attacked.costsLittle();
});
