/** Uploads that are refused before they were read: a client that sends all of its body before it reads must get the response. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { curl, curlMissing, freePorts, Platform } from '../harness/index.ts';
import { rowsOf } from '../harness/property-runs.ts';
import { httpsEdge } from './attacks.fixture.ts';

const BYTES = 12_000_000;
const TRIES = 4;
const piece = Buffer.alloc(64 * 1024, 'x');
const REFUSAL = 'HTTP/1.1 413 Too Large\r\nConnection: close\r\nContent-Length: 4\r\n\r\nbig!';

/** An action of an upstream after its response. */
type Ending = (socket: Socket) => void;
const readsOn: Ending = (socket) => {
  socket.end();
  socket.resume();
};
const closes: Ending = (socket) => socket.destroySoon();
const stopsReading: Ending = (socket) => socket.pause();

let platform: Platform;
let plainPort: number;
const upstreams: { server: Server; sockets: Set<Socket> }[] = [];

before(async () => {
  [plainPort] = (await freePorts(1)) as [number];
  const plain = ['--http-listen', `127.0.0.1:${plainPort}`];
  platform = await Platform.start({ args: ['--allow-private', '127.0.0.1/32', ...plain] });
});
after(async () => {
  await platform.stop();
  for (const { server, sockets } of upstreams) {
    server.close();
    for (const socket of sockets) socket.destroy();
  }
});

/** A service that refuses each request at its first bytes. Returns its port. */
async function refusing(ending: Ending, response = REFUSAL): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
    socket.once('data', () => socket.write(response, () => ending(socket)));
  });
  upstreams.push({ server, sockets });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return String((server.address() as { port: number }).port);
}

/** Sends all of the body, and only then reads: the status line, or the error that came instead. */
async function upload(host: string, more: string, path: string, isPlain = false): Promise<string> {
  const socket = isPlain ? connect(plainPort, '127.0.0.1') : await platform.client.tls(host);
  try {
    socket.write(`POST ${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Length: ${BYTES}\r\n${more}\r\n`);
    for (let sent = 0; sent < BYTES; sent += piece.length) {
      if (!socket.write(piece.subarray(0, Math.min(piece.length, BYTES - sent)))) await once(socket, 'drain');
    }
    const [first] = (await once(socket, 'data')) as [Buffer];
    return first.toString('latin1').split('\r\n', 1)[0]!;
  } catch (error) {
    return String(error);
  } finally {
    socket.destroy();
  }
}

async function uploads(host: string, more = '', path = '/up'): Promise<string[]> {
  const came: string[] = [];
  for (let i = 0; i < TRIES; i += 1) came.push(await upload(host, more, path));
  return came;
}

const all = (line: string): string[] => Array.from({ length: TRIES }, () => line);

for (const [what, ending] of rowsOf([
  ['reads on', readsOn],
  ['closes at once', closes],
  ['stops reading', stopsReading],
] as const)) {
  test(`the 413 of a service that ${what} reaches those that upload through a tunnel`, async () => {
    const { url } = await platform.agent(['http', await refusing(ending), '--quiet']);
    assert.deepEqual(await uploads(new URL(url).hostname), all('HTTP/1.1 413 Too Large'));
  });
}

test('so does the one of a static backend', async () => {
  const address = `127.0.0.1:${await refusing(closes)}`;
  const backend = await platform.api('POST', '/backends/static', { address });
  assert.equal(backend.status, 201, backend.text);
  await httpsEdge(platform, 'early', backend.json.id);
  assert.deepEqual(await uploads('early.underpass.localhost'), all('HTTP/1.1 413 Too Large'));
});

test('so do refusals of the edge and of the API', async () => {
  const { url } = await platform.agent([
    ...['http', await refusing(readsOn), '--quiet'],
    ...['--basic-auth', 'user:long-password'],
  ]);
  assert.deepEqual(await uploads(new URL(url).hostname), all('HTTP/1.1 401 Unauthorized'));
  const { api_key: key } = platform.bootstrap;
  const fields = `Authorization: Bearer ${key}\r\nService-Version: 2\r\nContent-Type: application/json\r\n`;
  const api = 'api.underpass.localhost';
  assert.deepEqual(await uploads(api, fields, '/ip_policies'), all('HTTP/1.1 413 Content Too Large'));
  assert.deepEqual(await uploads(api, fields, '/nowhere'), all('HTTP/1.1 404 Not Found'));
});

test('so do the redirect of the port of plain HTTP, and the responses of a tunnel there', async () => {
  const { url } = await platform.agent(['http', await refusing(closes), '--quiet']);
  for (let i = 0; i < TRIES; i += 1)
    assert.match(await upload(new URL(url).hostname, '', '/up', true), /^HTTP\/1\.1 308 /);
  const plain = await platform.agent(['http', await refusing(closes), '--quiet', '--scheme', 'http']);
  for (let i = 0; i < TRIES; i += 1)
    assert.match(await upload(new URL(plain.url).hostname, '', '/up', true), /^HTTP\/1\.1 413 /);
});

test('so does the 413 of a webhook whose body is too large to be verified', async () => {
  const { url } = await platform.agent([
    ...['http', await refusing(readsOn), '--quiet'],
    ...['--verify-webhook', 'github', '--verify-webhook-secret', 'secret'],
  ]);
  const got = await uploads(new URL(url).hostname, 'X-Hub-Signature-256: sha256=00\r\n');
  assert.deepEqual(got, all('HTTP/1.1 413 Content Too Large'));
});

for (const version of ['--http1.1', '--http2', '--http1.0']) {
  test(`curl ${version} gets the 413`, { skip: curlMissing }, async () => {
    const { url } = await platform.agent(['http', await refusing(closes), '--quiet']);
    const file = join(platform.dataDir, 'body');
    writeFileSync(file, Buffer.alloc(BYTES, 'x'));
    const form = ['-H', 'Expect:', '--data-binary', `@${file}`, '-o', '/dev/null', '-w', '%{http_code}'];
    const { stdout, exitCode, stderr } = await curl(platform, [version, ...form, `${url}/up`]);
    assert.deepEqual([stdout, exitCode], ['413', 0], stderr);
  });
}

for (const version of ['--http1.1', '--http2']) {
  test(`curl ${version} gets the 413 of the API`, { skip: curlMissing }, async () => {
    const file = join(platform.dataDir, 'body');
    writeFileSync(file, Buffer.alloc(BYTES, 'x'));
    const { api_key: key } = platform.bootstrap;
    const fields = [`Authorization: Bearer ${key}`, 'Service-Version: 2', 'Content-Type: application/json'];
    const form = ['--data-binary', `@${file}`, '-o', '/dev/null', '-w', '%{http_code}'];
    const { stdout, exitCode, stderr } = await curl(platform, [
      ...[version, '-H', 'Expect:', ...form],
      ...fields.flatMap((field) => ['-H', field]),
      `https://api.underpass.localhost:${platform.port}/ip_policies`,
    ]);
    assert.deepEqual([stdout, exitCode], ['413', 0], stderr);
  });
}
