/** Plain HTTP at the port of --http-listen, as curl sees it. Never that anything but the way to HTTPS is served there. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { curl, curlMissing, freePorts, Platform, startUpstream, type Upstream } from '../harness/index.ts';
import { httpsEdge } from './attacks.fixture.ts';

const NAME = 'plain.underpass.localhost';

let platform: Platform;
let upstream: Upstream;
let plainPort: number;

before(async () => {
  [plainPort] = (await freePorts(1)) as [number];
  platform = await Platform.start({ args: ['--http-listen', `127.0.0.1:${plainPort}`] });
  upstream = await startUpstream((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', () => response.end(`${request.method} ${request.url} ${body}`));
  });
});
after(async () => {
  await platform.stop();
  await upstream.stop();
});

async function plain(name: string, path: string, more: readonly string[] = []): Promise<string> {
  const resolve = [plainPort, platform.port].flatMap((port) => ['--resolve', `${name}:${port}:127.0.0.1`]);
  const { stdout } = await curl(platform, [...resolve, ...more, `http://${name}:${plainPort}${path}`]);
  return stdout;
}

test('edges, names of agents and the API are reached over HTTPS, with method and body', {
  skip: curlMissing,
}, async () => {
  const group = await platform.api('POST', '/backends/tunnel_group', { labels: { app: 'plain' } });
  await httpsEdge(platform, 'plain', group.json.id);
  await platform.agent(['http', String(upstream.port), '--label', 'app=plain']);
  assert.equal(await plain(NAME, '/a/b?c=d', ['-L', '-d', 'text']), 'POST /a/b?c=d text');

  const { url } = await platform.agent(['http', String(upstream.port)]);
  assert.equal(await plain(new URL(url).hostname, '/own', ['-L']), 'GET /own ');

  assert.match(await plain('api.underpass.localhost', '/docs', ['-L']), /<!doctype html>/i);
});

test('a name that is reserved is known, one that nobody has is not, and an address is no name', {
  skip: curlMissing,
}, async () => {
  const name = 'reserved-plain.underpass.localhost';
  const before = await plain(name, '/', ['-i']);
  assert.match(before, /^HTTP\/1\.1 404 [\s\S]*_3200/);
  await platform.api('POST', '/reserved_domains', { name });
  const head = await plain(name, '/x', ['-I']);
  assert.match(head, /^HTTP\/1\.1 308 /);
  assert.ok(head.includes(`https://${name}:${platform.port}/x\r\n`), head);
  assert.match(await plain('127.0.0.1', '/', ['-i']), /^HTTP\/1\.1 400 /);
});

test('the port is there again after a restart', { skip: curlMissing }, async () => {
  await platform.restart();
  assert.match(await plain('api.underpass.localhost', '/', ['-i']), /^HTTP\/1\.1 308 /);
});
