/** Plain HTTP at the port of --http-listen, as curl sees it. Nothing but the way to HTTPS is served there. */
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

test('edges and names of agents are reached over HTTPS, with method and body', {
  skip: curlMissing,
}, async () => {
  const group = await platform.api('POST', '/backends/tunnel_group', { labels: { app: 'plain' } });
  await httpsEdge(platform, 'plain', group.json.id);
  await platform.agent(['http', String(upstream.port), '--label', 'app=plain']);
  assert.equal(await plain(NAME, '/a/b?c=d', ['-L', '-d', 'text']), 'POST /a/b?c=d text');

  const { url } = await platform.agent(['http', String(upstream.port)]);
  assert.equal(await plain(new URL(url).hostname, '/own', ['-L']), 'GET /own ');
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

const API = 'api.underpass.localhost';
const SECRET = '2NGMTbWc4FRUSFXd6YGbWXkE3PB_6dU3nqPwR8sVtYz2aBcDe';
const withKey = ['-H', `Authorization: Bearer ${SECRET}`];

test('the API is refused and never redirected, whatever is asked for and however', {
  skip: curlMissing,
}, async () => {
  for (const more of [
    ...[[], ['-X', 'POST', '-d', '{}'], ['-X', 'DELETE'], ['-X', 'OPTIONS'], ['--http1.0'], withKey],
    ...[
      ['-H', 'Accept: text/html'],
      ['--request-target', `http://${API}/edges`],
      ['-H', `Host: ${API.toUpperCase()}:80`],
    ],
    ...[['-X', 'CONNECT']],
  ]) {
    const answer = await plain(API, '/edges/https', ['-i', ...more]);
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    assert.match(head, /^HTTP\/1\.1 403 Forbidden\r\n/, more.join(' '));
    assert.match(head, /\r\ncontent-type: application\/json\r\n/i);
    assert.doesNotMatch(head, /\r\nlocation:/i);
    const { details, ...error } = JSON.parse(body);
    assert.deepEqual(Object.keys(error), ['error_code', 'status_code', 'msg']);
    assert.deepEqual([error.error_code, error.status_code], ['ERR_SERVICE_60750', 403]);
    assert.match(error.msg, /https/);
    assert.match(details.operation_id, /^op_\w{27}$/);
    assert.ok(head.includes(details.operation_id), 'the header has it, too');
  }
  assert.match(await plain(API, '/', ['-I']), /^HTTP\/1\.1 403 [\s\S]*\r\n\r\n$/);
});

test('a request without a name is not redirected', { skip: curlMissing }, async () => {
  assert.match(
    await plain(API, '/', ['-i', '--http1.0', '-H', 'Host:', ...withKey]),
    /^HTTP\/1\.1 400 (?![\s\S]*location)/i,
  );
});

test('a key that was sent over plain HTTP is logged once for its source, at either port, without the key', {
  skip: curlMissing,
}, async () => {
  const lines = () =>
    platform.daemon.output.split('\n').filter((line) => line.includes('sent over plain HTTP'));
  for (let time = 0; time < 3; time++) await plain(API, '/edges/https', withKey);
  await curl(platform, [
    ...withKey,
    '--resolve',
    `${API}:${platform.port}:127.0.0.1`,
    `http://${API}:${platform.port}/edges`,
  ]);
  await plain(API, '/last', withKey);
  await platform.daemon.line(/"path":"\/last".*"msg":"visit"/);
  assert.equal(lines().length, 1);
  assert.match(lines()[0]!, /"source":"127\.0\.0\.1"/);
  assert.ok(!platform.daemon.output.includes(SECRET));
});

test('an ACME challenge is not the API, and what is unknown there is refused', {
  skip: curlMissing,
}, async () => {
  assert.match(await plain(API, '/.well-known/acme-challenge/x', ['-i']), /^HTTP\/1\.1 403 /);
});

test('the port is there again after a restart', { skip: curlMissing }, async () => {
  await platform.restart();
  assert.match(await plain('api.underpass.localhost', '/', ['-i']), /^HTTP\/1\.1 403 /);
});
