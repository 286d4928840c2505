/** Circuit breakers of routes. Never that a backend which keeps failing is asked, but for one request that tries. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { curl, eventually, Platform, startUpstream, type Upstream } from '../harness/index.ts';
import { httpsEdge } from './attacks.fixture.ts';

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
  upstream = await startUpstream((_request, response) => {
    asked += 1;
    response.statusCode = status;
    response.end('ok');
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
  const url = `https://failing.underpass.localhost:${platform.port}${path}`;
  return (await curl(platform, ['-o', '/dev/null', '-w', format, url])).stdout.trim();
}

test('a route whose backend keeps failing answers by itself, until the module is taken off', async () => {
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

test('a backend that has recovered is found out', async () => {
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
