/** Visitors and clients that speak HTTP/1.0, at each listener. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type Server } from 'node:net';
import { after, before, test } from 'node:test';
import { closing, curl, curlMissing, freePorts, Platform, timeoutMs } from '../harness/index.ts';
import { fixedEdge, httpsEdge, rawHttp } from './attacks.fixture.ts';

const LONG = 'compressible '.repeat(1000);

let platform: Platform;
let plainPort: number;
let upstream: Server;
let port: string;
/** Names of the tunnel over HTTPS, and of the one over plain HTTP. */
let host: string;
let plainHost: string;

before(async () => {
  // Without a length, Node's server answers in chunks.
  upstream = createServer((request, response) => {
    response.setHeader('Content-Type', 'text/plain');
    if (request.url === '/long') {
      response.end(LONG);
      return;
    }
    response.write('h');
    response.end(`i ${request.url} ${request.httpVersion}`);
  });
  upstream.listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  port = String((upstream.address() as { port: number }).port);
  [plainPort] = (await freePorts(1)) as [number];
  platform = await Platform.start({ args: ['--http-listen', `127.0.0.1:${plainPort}`] });
  host = new URL((await platform.agent(['http', port])).url).hostname;
  plainHost = new URL((await platform.agent(['http', port, '--scheme', 'http'])).url).hostname;
});
after(async () => {
  await platform.stop();
  upstream.close();
});

/** Sends bytes to a port without TLS. Returns the text that arrives until the connection ends. */
async function rawPlain(to: number, bytes: string): Promise<string> {
  const socket = connect(to, '127.0.0.1');
  socket.on('error', () => {});
  let got = '';
  socket.setEncoding('latin1').on('data', (text: string) => {
    got += text;
  });
  socket.write(bytes);
  await closing(socket);
  return got;
}

const request = (name: string, more = '', target = '/ten'): string =>
  `GET ${target} HTTP/1.0\r\nHost: ${name}\r\n${more}\r\n`;

test('tunnels respond without chunks, with keep-alive or without, over TLS and in clear', async () => {
  for (const more of ['', 'Connection: Keep-Alive\r\n']) {
    for (const got of [
      await rawHttp(platform, host, request(host, more)),
      await rawPlain(plainPort, request(plainHost, more)),
    ]) {
      assert.match(got, /^HTTP\/1\.1 200 OK\r\n/);
      assert.doesNotMatch(got, /chunked/i);
      assert.match(got, /\r\nConnection: close\r\n/i);
      assert.ok(got.endsWith('\r\n\r\nhi /ten 1.1'), got);
    }
  }
});

test('a request without Host is served by its server name, and refused in clear', async () => {
  const got = await rawHttp(platform, host, 'GET /ten HTTP/1.0\r\n\r\n');
  assert.ok(got.endsWith('\r\n\r\nhi /ten 1.1'), got);
  assert.match(await rawPlain(plainPort, 'GET /ten HTTP/1.0\r\n\r\n'), /^HTTP\/1\.1 400 [\s\S]*_60218/);
  const second = `${request(plainHost, 'Connection: Keep-Alive\r\n', '/favicon.ico')}GET / HTTP/1.0\r\n\r\n`;
  assert.match(await rawPlain(plainPort, second), /^HTTP\/1\.1 200 /);
});

test('edges, fixed responses, redirects, the API and the admin listener respond', async () => {
  const group = await platform.api('POST', '/backends/tunnel_group', { labels: { app: 'ten' } });
  await httpsEdge(platform, 'ten', group.json.id);
  await platform.agent(['http', port, '--label', 'app=ten']);
  const edge = 'ten.underpass.localhost';
  assert.ok((await rawHttp(platform, edge, request(edge))).endsWith('hi /ten 1.1'));
  assert.match(await rawPlain(plainPort, request(edge)), /^HTTP\/1\.1 308 [\s\S]*location: https:\/\/ten\./i);
  await fixedEdge(platform, 'fixed-ten', 'fixed');
  const fixed = 'fixed-ten.underpass.localhost';
  const kept = 'Connection: Keep-Alive\r\n';
  const got = await rawHttp(platform, fixed, request(fixed, kept) + request(fixed));
  assert.equal(got.match(/\r\n\r\nfixed/g)?.length, 2, got);
  assert.match(got, /\r\nConnection: keep-alive\r\n[\s\S]*\r\nConnection: close\r\n/);
  const api = 'api.underpass.localhost';
  const refused = await rawHttp(platform, api, request(api, kept) + request(api));
  assert.equal(refused.match(/HTTP\/1\.1 400 /g)?.length, 2, refused);
  const admin = await rawPlain(
    platform.adminPort,
    request(`127.0.0.1:${platform.adminPort}`, '', '/healthz'),
  );
  assert.match(admin, /^HTTP\/1\.1 200 /);
});

test('an upgrade in HTTP/1.0 is no upgrade', async () => {
  const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n';
  const key = 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n';
  assert.match(await rawHttp(platform, host, request(host, upgrade + key)), /^HTTP\/1\.1 200 /);
});

test('curl --http1.0, which offers nothing else in ALPN, gets the response', {
  skip: curlMissing,
}, async () => {
  const address = `https://${host}:${platform.port}/ten`;
  const { stdout, exitCode } = await curl(platform, ['--http1.0', '-i', address]);
  assert.equal(exitCode, 0);
  assert.match(stdout, /^HTTP\/1\.1 200 [\s\S]*hi \/ten 1\.1$/);
  const api = await curl(platform, ['--http1.0', `https://api.underpass.localhost:${platform.port}/`]);
  assert.equal(api.exitCode, 0);
});

test('a compressed response comes without chunks', { skip: curlMissing }, async () => {
  const { url } = await platform.agent(['http', port, '--quiet', '--compression']);
  const { stdout } = await curl(platform, ['--http1.0', '--compressed', '-i', `${url}/long`]);
  const [head = '', body] = stdout.split('\r\n\r\n');
  assert.match(head, /content-encoding: gzip/i);
  assert.doesNotMatch(head, /chunked/i);
  assert.equal(body, LONG);
});

test('each of many requests of ApacheBench gets its response', { skip: await abMissing() }, async () => {
  const load = ['-n', '60', '-c', '6', '-k', '-H', `Host: ${plainHost}`];
  const said = await run('ab', [...load, `http://127.0.0.1:${plainPort}/ten`]);
  assert.match(said, /Complete requests: +60\n/);
  assert.match(said, /Failed requests: +0\n/);
});

function run(program: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(program, args, { timeout: timeoutMs(20_000) }, (error, stdout, stderr) =>
      resolve(error?.code === 'ENOENT' ? '' : stdout + stderr),
    );
  });
}

/** No Debian package of the gate has it. */
async function abMissing(): Promise<string | false> {
  return (await run('ab', ['-V'])) === '' && 'ab is not on the PATH';
}
