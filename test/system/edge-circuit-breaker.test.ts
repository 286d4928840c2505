/**
 * Circuit breakers of routes.
 * Invariant: a failing backend gets one trial request only.
 */
import assert from 'node:assert/strict';
import type { Duplex } from 'node:stream';
import { after, before, test } from 'node:test';
import type { TLSSocket } from 'node:tls';
import {
  curl,
  curlMissing,
  eventually,
  inTime,
  Platform,
  startUpstream,
  type Upstream,
} from '../harness/index.ts';
import { httpsEdge } from './attacks.fixture.ts';

const NAME = 'failing.underpass.localhost';
const UPGRADE = 'Connection: Upgrade\r\nUpgrade: websocket\r\n';

let platform: Platform;
let upstream: Upstream;
let status = 500;
let asked = 0;
let group: string;
/** The path of the edge, and of its first route. */
let edge: string;
let route: string;

before(async () => {
  platform = await Platform.shared();
  upstream = await startUpstream((request, response) => {
    asked += 1;
    if (request.url === '/long/stream') {
      response.write('begun');
      return;
    }
    response.statusCode = status;
    response.end('ok');
  });
  upstream.server.on('upgrade', (_request, socket: Duplex) => {
    socket.on('error', () => {});
    socket.write(`HTTP/1.1 101 Switching Protocols\r\n${UPGRADE}\r\nbegun`);
    socket.pipe(socket);
  });
  await platform.agent(['http', String(upstream.port), '--label', 'app=failing']);
  group = (await platform.api('POST', '/backends/tunnel_group', { labels: { app: 'failing' } })).json.id;
  edge = await httpsEdge(platform, 'failing', group);
  const { json } = await platform.api('GET', edge);
  route = `${edge}/routes/${json.routes[0].id}`;
});
after(async () => {
  await platform.stop();
  await upstream.stop();
});

async function call(method: string, path: string, body?: object): Promise<void> {
  const { status: told, text } = await platform.api(method, path, body);
  assert.ok(told < 300, text);
}

async function visit(path = '/'): Promise<string> {
  const format = '%{http_code} %header{underpass-error-code}';
  const url = `https://${NAME}:${platform.port}${path}`;
  return (await curl(platform, ['-o', '/dev/null', '-w', format, url])).stdout.trim();
}

test('a route whose backend keeps failing answers by itself, until the module is taken off', {
  skip: curlMissing,
}, async () => {
  await call('PUT', `${route}/circuit_breaker`, {
    error_threshold_percentage: 0.5,
    volume_threshold: 3,
    rolling_window: 4_294_967_295,
    tripped_duration: 4_294_967_295,
  });
  for (let i = 0; i < 3; i += 1) assert.equal(await visit(), '500');
  const before = asked;
  for (let i = 0; i < 3; i += 1) assert.equal(await visit(), '503 ERR_SERVICE_3202');
  await call('PATCH', route, { description: 'another' });
  assert.equal(await visit(), '503 ERR_SERVICE_3202', 'a change of something else is no reason to ask again');
  assert.equal(asked, before);
  const other = await platform.api('POST', `${edge}/routes`, {
    match_type: 'exact_path',
    match: '/other',
    backend: { backend_id: group },
    circuit_breaker: { error_threshold_percentage: 0.5, volume_threshold: 3 },
  });
  assert.equal(other.status, 201, other.text);
  assert.equal(await visit('/other'), '500', 'the circuit of another route is its own');
  await call('DELETE', `${route}/circuit_breaker`);
  assert.equal(await visit(), '500');
});

test('a backend that has recovered is found out', { skip: curlMissing }, async () => {
  await call('PUT', `${route}/circuit_breaker`, {
    error_threshold_percentage: 0.5,
    volume_threshold: 3,
    rolling_window: 4_294_967_295,
    tripped_duration: 1,
  });
  // One that tries may come in between, on a machine that is slow.
  await eventually(async () => assert.equal(await visit(), '503 ERR_SERVICE_3202'));
  status = 200;
  await eventually(async () => assert.equal(await visit(), '200'));
  const before = asked;
  assert.deepEqual([await visit(), await visit()], ['200', '200']);
  assert.equal(asked, before + 2);
});

/** Begins an endless request; returns null if the edge does not reach the backend. */
async function begin(path: string, fields: string): Promise<TLSSocket | null> {
  const socket = await platform.client.tls(NAME);
  let text = '';
  const { promise, resolve } = Promise.withResolvers<boolean>();
  socket.on('data', (chunk) => {
    text += chunk;
    if (text.includes('begun')) resolve(true);
    else if (text.includes('_3202')) resolve(false);
  });
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${NAME}\r\n${fields}\r\n`);
  const hasBegun = await inTime(promise, () => `an answer after ${text}`);
  if (!hasBegun) socket.destroy();
  return hasBegun ? socket : null;
}

for (const [what, path, fields] of [
  ['a WebSocket', '/long/websocket', UPGRADE],
  ['an answer without an end', '/long/stream', ''],
] as const) {
  test(`${what} finds out that a backend has recovered as soon as it begins, and outlives an open circuit`, {
    skip: curlMissing,
  }, async (t) => {
    status = 500;
    const made = await platform.api('POST', `${edge}/routes`, {
      ...{ match_type: 'path_prefix', match: '/long/', backend: { backend_id: group } },
      circuit_breaker: {
        ...{ error_threshold_percentage: 0.5, volume_threshold: 2 },
        ...{ rolling_window: 4_294_967_295, tripped_duration: 1 },
      },
    });
    assert.equal(made.status, 201, made.text);
    const before = await begin(path, fields);
    assert.ok(before);
    await eventually(async () => assert.equal(await visit('/long/'), '503 ERR_SERVICE_3202'));
    let trying: TLSSocket | null = null;
    await eventually(async () => {
      trying ??= await begin(path, fields);
      assert.ok(trying);
    });
    // One failure is too few to open it again.
    assert.equal(await visit('/long/'), '500');
    for (const socket of [before, trying]) {
      assert.ok(socket !== null);
      t.after(() => void socket.destroy());
      assert.ok(!socket.destroyed && !socket.readableEnded);
    }
    await call('DELETE', `${edge}/routes/${made.json.id}`);
  });
}
