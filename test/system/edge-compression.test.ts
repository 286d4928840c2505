/** Compression on HTTPS edges and on names with an endpoint configuration. Never a body that the visitor cannot read. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { curl, curlMissing, eventually, Platform, startUpstream, type Upstream } from '../harness/index.ts';
import { httpsEdge } from './attacks.fixture.ts';

const TEXT = 'All work and no play makes a dull answer.\n'.repeat(5000);

let platform: Platform;
let upstream: Upstream;
/** Id of the edge's only route. */
let route: string;

before(async () => {
  platform = await Platform.shared();
  upstream = await startUpstream((request, response) => {
    response.setHeader('Content-Type', 'text/plain');
    if (request.url === '/encoded') response.setHeader('Content-Encoding', 'gzip').end(gzipSync(TEXT));
    else if (request.url === '/fixed') response.setHeader('Cache-Control', 'no-transform').end(TEXT);
    else response.setHeader('ETag', '"v1"').end(TEXT);
  });
  await platform.agent(['http', String(upstream.port), '--label', 'app=text']);
  const group = await platform.api('POST', '/backends/tunnel_group', { labels: { app: 'text' } });
  const edge = await httpsEdge(platform, 'text', group.json.id);
  const { json } = await platform.api('GET', edge);
  route = `${edge}/routes/${json.routes[0].id}`;
});
after(async () => {
  await platform.stop();
  await upstream.stop();
});

async function call(method: string, path: string, body?: object): Promise<void> {
  const { status, text } = await platform.api(method, path, body);
  assert.ok(status < 300, text);
}

/** Returns the body, decoded by curl if requested, and the headers. */
async function visit(
  path: string,
  ...args: string[]
): Promise<{ size: number; coding: string; text: string }> {
  const format = '\n%{size_download} [%header{content-encoding}]';
  const url = `https://text.underpass.localhost:${platform.port}${path}`;
  const { stdout, stderr } = await curl(platform, [...args, '-w', format, url]);
  const match = /^([\s\S]*)\n([0-9]+) \[(.*)\]$/.exec(stdout);
  assert.ok(match, stderr);
  return { text: match[1]!, size: Number(match[2]), coding: match[3]! };
}

test('a route compresses what it may, from the answer of the API on, and no longer when that is taken back', {
  skip: curlMissing,
}, async () => {
  assert.deepEqual(await visit('/', '--compressed'), { text: TEXT, size: TEXT.length, coding: '' });
  await call('PUT', `${route}/compression`, {});
  for (const coding of ['gzip', 'br']) {
    const visited = await visit('/', '--compressed', '-H', `Accept-Encoding: ${coding}`);
    assert.equal(visited.coding, coding);
    assert.equal(visited.text, TEXT);
    assert.ok(visited.size < TEXT.length / 50, `${visited.size} bytes`);
  }
  for (const [accepted, coding] of [
    ['br, deflate, gzip', 'gzip'],
    ['br, deflate', 'deflate'],
    ['br, gzip;q=0.9', 'br'],
  ] as const)
    assert.equal((await visit('/', '--compressed', '-H', `Accept-Encoding: ${accepted}`)).coding, coding);
  assert.deepEqual(await visit('/'), { text: TEXT, size: TEXT.length, coding: '' });
  assert.deepEqual(await visit('/fixed', '--compressed'), { text: TEXT, size: TEXT.length, coding: '' });
  const encoded = await visit('/encoded', '--compressed');
  assert.deepEqual([encoded.text, encoded.size], [TEXT, gzipSync(TEXT).length]);
  await call('DELETE', `${route}/compression`);
  assert.equal((await visit('/', '--compressed')).coding, '');

  await eventually(async () => {
    const metrics = await (await fetch(`http://127.0.0.1:${platform.adminPort}/metrics`)).text();
    const [, saved = '0'] = /^underpass_edge_route_saved_bytes_total\{.*\} (\d+)$/m.exec(metrics) ?? [];
    assert.ok(Number(saved) > 4.9 * TEXT.length && Number(saved) < 5 * TEXT.length, metrics);
  });
});

test('what an agent bound is compressed by the configuration of its name', {
  skip: curlMissing,
}, async () => {
  const name = 'bound.underpass.localhost';
  const domain = await platform.api('POST', '/reserved_domains', { name });
  const configuration = await platform.api('POST', '/endpoint_configurations', {
    type: 'https',
    compression: {},
  });
  await platform.agent(['http', String(upstream.port), '--domain', name]);
  await call('PATCH', `/reserved_domains/${domain.json.id}`, {
    https_endpoint_configuration_id: configuration.json.id,
  });
  const { stdout } = await curl(platform, ['-sI', '--compressed', `https://${name}:${platform.port}/`]);
  assert.match(stdout, /^content-encoding: (br|gzip)\r$/im);
  assert.match(stdout, /^vary: Accept-Encoding\r$/im);
  assert.match(stdout, /^etag: W\/"v1"\r$/im);
  assert.doesNotMatch(stdout, /^content-length/im);
});
