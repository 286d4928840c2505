/**
 * Visitors that come and leave while the service that they visited keeps its side open, as Node's servers do. Invariant: nothing of them
 * remains in the daemon or the agent.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createServer as createHttpServer, type Server as HttpServer } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { type AddressInfo, connect, createServer, type Server, Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { eventually, inTime, Platform, type RunningAgent, timeoutMs } from '../harness/index.ts';

const VISITORS = 1_000;
/** Raw connections, from a few addresses: each may have eight whose visitors are silent for longer than half a minute. */
const RAW_VISITORS = 400;
const RAW_ADDRESSES = 4;
const RAW_SILENT = 8;
/** Visitors at a time: an agent has streams for all of them. */
const AT_A_TIME = 250;
/** Milliseconds from the last byte of a half-closed raw connection to its end, and a little more. */
const RAW_MS = 60_000;
/** A kernel knows a socket for a minute after its program has closed it. */
const KERNEL_MS = 150_000;
/** Descriptors that a process may have opened for itself meanwhile. */
const SLACK = 12;
const HTTP2_STREAMS = 100;

let platform: Platform;
/** Keeps connections whose visitor has ended, and reports them. */
let raw: Server;
let web: HttpServer;
let http: RunningAgent;
let tcp: RunningAgent;
let staticHost: string;
/** Connections of the agents themselves. */
let agents = 0;
const kept = new Set<Socket>();

before(async () => {
  raw = createServer({ allowHalfOpen: true }, (socket) => {
    keep(socket);
    socket.on('data', (chunk) => void socket.write(chunk));
  }).listen(0, '127.0.0.1');
  await once(raw, 'listening');
  web = createHttpServer((request, response) => {
    response.on('close', () => {});
    if (request.url === '/stream') response.write('first');
  }).listen(0, '127.0.0.1');
  web.on('connection', keep);
  web.on('upgrade', (request, socket) => {
    socket.on('error', () => {}).resume();
    const { upgrade = '', 'sec-websocket-key': key = '' } = request.headers;
    const accept = key === '' ? '' : `Sec-WebSocket-Accept: ${acceptOf(key)}\r\n`;
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: ${upgrade}\r\n${accept}\r\n`,
    );
  });
  await once(web, 'listening');
  platform = await Platform.start({ args: ['--allow-private', '127.0.0.0/8'] });
  http = await platform.agent(['http', String(portOf(web))]);
  tcp = await platform.agent(['tcp', String(portOf(raw))]);
  staticHost = await staticEdge();
  await platform.client.endKept();
  await eventually(async () => {
    agents = await connections();
    assert.equal(agents, 2);
  });
});
after(async () => {
  await platform.stop();
  for (const socket of kept) socket.destroy();
  raw.close();
  web.close();
});

function portOf(server: Server | HttpServer): number {
  return (server.address() as AddressInfo).port;
}

function keep(socket: Socket): void {
  kept.add(socket);
  socket.on('error', () => {});
  socket.on('close', () => kept.delete(socket));
}

/** A TLS edge that terminates TLS and carries bytes to an address. */
async function staticEdge(): Promise<string> {
  await platform.api('POST', '/reserved_domains', { name: 'bytes' });
  const address = { address: `127.0.0.1:${portOf(raw)}` };
  const backend = await platform.api('POST', '/backends/static', address);
  assert.equal(backend.status, 201, backend.text);
  const name = 'bytes.underpass.localhost';
  const edge = await platform.api('POST', '/edges/tls', {
    hostports: [`${name}:443`],
    backend: { backend_id: backend.json.id },
    tls_termination: { terminate_at: 'edge' },
  });
  assert.equal(edge.status, 201, edge.text);
  return name;
}

function acceptOf(key: string): string {
  return createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
}

function descriptors({ pid }: { readonly pid: number }): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

async function connections(): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${platform.adminPort}/metrics`);
  const match = /^underpass_front_door_connections (\d+)$/m.exec(await answer.text());
  return Number(match?.[1]);
}

/** Checks that the visitors leave no descriptors in the daemon and the agents. */
async function leavesNothing(come: () => Promise<void>): Promise<void> {
  const processes = [platform.daemon, http.process, tcp.process];
  const before = processes.map(descriptors);
  await come();
  await eventually(async () => {
    for (const [at, process] of processes.entries()) {
      const more = descriptors(process) - before[at]!;
      assert.ok(more <= SLACK, `${more} descriptors more of process ${at}`);
    }
  });
}

/** Visits `atATime` at a time. The next round begins when the daemon has lost all connections of the last one. */
async function inRounds(
  visitors: number,
  atATime: number,
  visit: (at: number) => Promise<void>,
): Promise<void> {
  for (let first = 0; first < visitors; first += atATime) {
    const round = Array.from({ length: Math.min(atATime, visitors - first) }, (_, at) => visit(first + at));
    await Promise.all(round);
    await eventually(async () => assert.ok((await connections()) <= agents));
  }
}

/** Ends the socket, by turns: as browsers do, with a half-close, or like a killed process with unread bytes. */
function leave(socket: Socket, at: number): void {
  socket.on('error', () => {});
  if (at % 3 === 0) socket.destroy();
  else if (at % 3 === 1) socket.end().resume();
  else if (socket instanceof Socket && !('encrypted' in socket)) socket.resetAndDestroy();
  else socket.destroySoon();
}

const upgradeTo = (protocol: string) =>
  `GET / HTTP/1.1\r\nHost: ${new URL(http.url).hostname}\r\nConnection: upgrade\r\nUpgrade: ${protocol}\r\n` +
  'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';

async function upgraded(protocol: string, at: number): Promise<Socket> {
  const localAddress = `127.0.1.${1 + (at % RAW_ADDRESSES)}`;
  const socket = await platform.client.tls(new URL(http.url).hostname, { localAddress });
  socket.write(upgradeTo(protocol));
  const [chunk] = await inTime(once(socket, 'data'), () => 'the answer to an upgrade');
  assert.match(String(chunk), /^HTTP\/1\.1 101 /);
  return socket;
}

test('1,000 WebSockets whose visitors leave are gone within seconds, over HTTP/1.1', async () => {
  await leavesNothing(() =>
    inRounds(VISITORS, AT_A_TIME, async (at) => leave(await upgraded('websocket', at), at)),
  );
});

test('1,000 WebSockets whose visitors leave are gone within seconds, over HTTP/2', async () => {
  await leavesNothing(async () => {
    for (let done = 0; done < VISITORS; done += HTTP2_STREAMS) {
      const host = new URL(http.url).hostname;
      const tls = await platform.client.tls(host, { ALPNProtocols: ['h2'] });
      const session = connectHttp2(`https://${host}`, { createConnection: () => tls });
      session.on('error', () => {});
      await once(session, 'remoteSettings');
      const ended = Array.from({ length: HTTP2_STREAMS }, async (_, at) => {
        const request = { ':method': 'CONNECT', ':protocol': 'websocket', ':scheme': 'https', ':path': '/' };
        const stream = session.request(request, { endStream: false });
        const closed = new Promise((resolve) => stream.once('close', resolve));
        stream.on('error', () => {}).resume();
        await inTime(once(stream, 'response'), () => 'the answer to a WebSocket');
        if (at % 2 === 0) stream.end();
        else stream.close();
        await inTime(closed, () => 'the end of a WebSocket');
      });
      await Promise.all(ended);
      session.destroy();
    }
  });
});

test('1,000 requests whose answers never come, or never end, go with their visitors', async () => {
  const host = new URL(http.url).hostname;
  await leavesNothing(() =>
    inRounds(VISITORS, AT_A_TIME, async (at) => {
      const socket = await platform.client.tls(host, { localAddress: `127.0.1.${1 + (at % 50)}` });
      const path = at % 2 === 0 ? '/stream' : '/never';
      socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
      if (path === '/stream') await inTime(once(socket, 'data'), () => 'the beginning of an answer');
      leave(socket, at);
    }),
  );
});

test('raw connections whose visitors leave are gone within a minute, and a few when their kernel is: TCP, bytes inside TLS, other upgrades', {
  timeout: timeoutMs(2 * KERNEL_MS),
}, async () => {
  const { port } = new URL(tcp.url);
  const visitors: Socket[] = [];
  const leftBy = async (at: number): Promise<void> => {
    const localAddress = `127.0.1.${1 + (at % RAW_ADDRESSES)}`;
    const plain = connect({ port: Number(port), host: '127.0.0.1', localAddress });
    plain.write('hello');
    const secured = await platform.client.tls(staticHost, { localAddress });
    secured.write('hello');
    for (const socket of [plain, secured])
      await inTime(once(socket, 'data'), () => 'what was sent to come back');
    const switched = await upgraded('tcp', at);
    for (const socket of [plain, secured, switched]) {
      visitors.push(socket);
      leave(socket, at);
    }
  };
  // Bytes are counted together, and upgrades for themselves.
  const silent = 2 * RAW_ADDRESSES * RAW_SILENT;
  await leavesNothing(async () => {
    await Promise.all(Array.from({ length: RAW_VISITORS }, (_, at) => leftBy(at)));
    await eventually(async () => assert.ok((await connections()) <= agents + silent), RAW_MS);
    // Some have only ended their side, and wait.
    for (const socket of visitors) socket.destroy();
    await eventually(async () => assert.ok((await connections()) <= agents), KERNEL_MS);
  });
});

test('a visitor that has ended its direction and waits gets a response that is slower than the bound', async () => {
  const slow = createServer({ allowHalfOpen: true }, (socket) => {
    let asked = '';
    socket.on('data', (chunk) => {
      asked += chunk;
    });
    socket.on('end', () => setTimeout(() => socket.end(`${asked} at last`), 45_000));
  }).listen(0, '127.0.0.1');
  await once(slow, 'listening');
  const { url } = await platform.agent(['tcp', String(portOf(slow))]);
  const visitor = connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: true });
  visitor.end('answered');
  const [answer] = await inTime(once(visitor, 'data'), () => 'the slow answer', 90_000);
  assert.equal(String(answer), 'answered at last');
  visitor.destroy();
  slow.close();
});
