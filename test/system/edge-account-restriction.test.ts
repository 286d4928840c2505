/**
 * IP restrictions of the type `endpoints`.
 * Invariant: they cover every way to visit an account.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { after, before, type TestContext, test } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { curl, curlMissing, eventually, freePorts, Platform } from '../harness/index.ts';
import { httpsEdge } from './attacks.fixture.ts';

const ALLOWED = '127.0.0.1';
const REFUSED = '127.0.0.2';
let platform: Platform;
let upstream: Server;
let tcpPort: number;
let restriction: string;
const urls: string[] = [];

before(async () => {
  // It responds to all input, HTTP or not.
  upstream = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'));
  }).listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  const { port } = upstream.address() as { port: number };
  const [first = 0] = await freePorts(1);
  platform = await Platform.start({ args: ['--tcp-ports', `${first}-${first}`] });
  tcpPort = first;
  await platform.agent(['http', String(port), '--label', 'app=any']);
  await platform.agent(['http', String(port), '--domain', 'plain.underpass.localhost']);
  const backend = { backend_id: await create('/backends/tunnel_group', { labels: { app: 'any' } }) };
  await httpsEdge(platform, 'edge', backend.backend_id);
  await create('/reserved_domains', { name: 'passed.underpass.localhost' });
  await create('/edges/tls', { hostports: ['passed.underpass.localhost:443'], backend });
  const { json } = await platform.api('POST', '/reserved_addrs', {});
  await create('/edges/tcp', { hostports: [json.addr], backend });
  for (const name of ['edge', 'plain']) urls.push(`https://${name}.underpass.localhost:${platform.port}/`);
  const policy = await create('/ip_policies', {});
  await create('/ip_policy_rules', { ip_policy_id: policy, cidr: `${ALLOWED}/32`, action: 'allow' });
  restriction = await create('/ip_restrictions', { type: 'endpoints', ip_policy_ids: [policy] });
});
after(async () => {
  await platform.stop();
  upstream.close();
});

async function create(path: string, body: object): Promise<string> {
  const { status, json, text } = await platform.api('POST', path, body);
  assert.equal(status, 201, text);
  return json.id;
}

async function enforce(enforced: boolean): Promise<void> {
  const { status, text } = await platform.api('PATCH', `/ip_restrictions/${restriction}`, { enforced });
  assert.equal(status, 200, text);
}

/** Returns what the list of names has for those that are served. */
async function protections(): Promise<ReadonlySet<string>> {
  const { names } = (await platform.api('GET', '/names?filter=served_by%20!=%20nothing')).json;
  const shown = (one: { protection: string; protected_by: string[] }) =>
    [one.protection, ...one.protected_by].join(' ');
  return new Set(names.map(shown));
}

async function visit(url: string, from: string): Promise<string> {
  const format = '%{http_code} %header{underpass-error-code}';
  return (await curl(platform, ['--interface', from, '-o', '/dev/null', '-w', format, url])).stdout.trim();
}

function open(t: TestContext, port: number, from: string): Socket {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from });
  socket.on('error', () => {});
  t.after(() => void socket.destroy());
  return socket;
}

/**
 * Returns true if anything comes back to what is written first; TLS that is passed through has an answer that is none
 * of TLS.
 */
async function isAnswered(t: TestContext, port: number, from: string): Promise<boolean> {
  const socket = open(t, port, from);
  if (port === tcpPort) socket.write('hello\n');
  else connectTls({ socket, servername: 'passed.underpass.localhost' }).on('error', () => {});
  await eventually(() => assert.ok(socket.bytesRead > 0 || socket.destroyed || socket.readableEnded));
  return socket.bytesRead > 0;
}

test('one that is not enforced refuses nobody, and the log says once whom it would', {
  skip: curlMissing,
}, async (t) => {
  for (const url of urls) assert.equal(await visit(url, REFUSED), '200');
  for (const port of [platform.port, tcpPort]) assert.ok(await isAnswered(t, port, REFUSED));
  await platform.daemon.line(/"ip":"127\.0\.0\.2".*visitor would have been refused/);
  assert.equal(platform.daemon.output.split('visitor would have been refused').length, 2);
  await eventually(async () => assert.deepEqual(await protections(), new Set(['none'])));
});

test('a name without a tunnel and a path without a route are not seen either', {
  skip: curlMissing,
}, async () => {
  await enforce(true);
  await create('/reserved_domains', { name: 'nothing.underpass.localhost' });
  await create('/reserved_domains', { name: 'routes.underpass.localhost' });
  await create('/edges/https', { hostports: ['routes.underpass.localhost:443'] });
  for (const name of ['nothing', 'routes']) {
    const url = `https://${name}.underpass.localhost:${platform.port}/`;
    assert.match(await visit(url, ALLOWED), /^404 /);
    assert.equal(await visit(url, REFUSED), '403 ERR_SERVICE_3205');
  }
});

test('one that is enforced lets in only whom its rules allow, wherever they come', {
  skip: curlMissing,
}, async (t) => {
  await enforce(true);
  for (const url of urls)
    await eventually(async () => assert.equal(await visit(url, REFUSED), '403 ERR_SERVICE_3205'));
  for (const url of urls) assert.equal(await visit(url, ALLOWED), '200');
  for (const port of [platform.port, tcpPort]) {
    assert.equal(await isAnswered(t, port, REFUSED), false, String(port));
    assert.ok(await isAnswered(t, port, ALLOWED), String(port));
  }
  const expected = new Set(['all account_ip_restriction']);
  await eventually(async () => assert.deepEqual(await protections(), expected));
});

test('what is under way ends when it is enforced, but for whom its rules allow', {
  skip: curlMissing,
}, async (t) => {
  await enforce(false);
  await eventually(async () => assert.equal(await visit(urls[0]!, REFUSED), '200'));
  const [refused, allowed] = [open(t, tcpPort, REFUSED), open(t, tcpPort, ALLOWED)];
  for (const socket of [refused, allowed]) {
    socket.write('hello\n');
    await once(socket, 'data');
    socket.resume();
  }
  await enforce(true);
  await eventually(() => assert.ok(refused.destroyed || refused.readableEnded));
  assert.ok(!allowed.destroyed && !allowed.readableEnded);
});
