/** The README's first steps, as its reader takes them, and what follows from them; readme.test.ts runs its commands. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { curl, curlMissing, eventually, Platform, startUpstream, type Upstream } from '../harness/index.ts';
import { httpsEdge } from './attacks.fixture.ts';

let platform: Platform;
let upstream: Upstream;

before(async () => {
  platform = await Platform.start();
  upstream = await startUpstream((request, response) => {
    response.setHeader('x-upstream', 'yes');
    response.end(`${request.method} ${request.url} for ${request.headers.host}`);
  });
});
after(async () => {
  await platform.stop();
  await upstream.stop();
});

test('curl of the URL that the agent prints is answered by the upstream', { skip: curlMissing }, async () => {
  const { url } = await platform.agent(['http', String(upstream.port)]);
  assert.match(url, /^https:\/\/[0-9a-f]{12}\.underpass\.localhost:\d+$/);
  const { stdout } = await curl(platform, ['-i', `${url}/hello?x=1`]);
  assert.match(stdout, /^HTTP\/2 200 /);
  assert.match(stdout, /x-upstream: yes/i);
  assert.match(stdout, new RegExp(`GET /hello\\?x=1 for ${new URL(url).host}$`));
});

test('the agent prints method, path, status and duration of each request', async () => {
  const { url, process } = await platform.agent(['http', String(upstream.port)]);
  await platform.visit(`${url}/logged?secret=1`);
  const line = await process.line(/"event":"request".*\/logged/);
  const event = JSON.parse(line.input);
  assert.equal(event.method, 'GET');
  assert.match(event.path, /^\/logged/);
  assert.equal(event.status, 200);
  assert.equal(typeof event.duration_ms, 'number');
});

test('an edge made with curl alone serves its fixed response, and is gone at once when deleted', {
  skip: curlMissing,
}, async () => {
  const api = async (method: string, path: string, body?: object) => {
    const { stdout } = await curl(platform, [
      ...[
        '-X',
        method,
        '-H',
        `Authorization: Bearer ${platform.bootstrap.api_key}`,
        '-H',
        'Service-Version: 2',
      ],
      ...(body === undefined ? [] : ['-H', 'Content-Type: application/json', '-d', JSON.stringify(body)]),
      ...['-w', '\n%{http_code}', `${platform.bootstrap.base_url}${path}`],
    ]);
    const split = stdout.lastIndexOf('\n');
    const text = stdout.slice(0, split);
    return { status: Number(stdout.slice(split + 1)), json: text === '' ? null : JSON.parse(text) };
  };
  const credential = await api('POST', '/credentials', { description: 'by curl' });
  assert.equal(credential.status, 201);
  assert.match(credential.json.token, /^[0-9A-Za-z]{27}_[0-9A-Za-z]{21,}$/);
  const backend = await api('POST', '/backends/http_response', {
    body: 'fixed\n',
    status_code: 203,
    headers: { 'X-Made-By': 'edge' },
  });
  assert.equal(backend.status, 201);
  const reserved = await api('POST', '/reserved_domains', { name: 'fixed' });
  assert.equal(reserved.json.domain, 'fixed.underpass.localhost');
  const edge = await api('POST', '/edges/tls', {
    hostports: ['fixed.underpass.localhost:443'],
    backend: { backend_id: backend.json.id },
    tls_termination: { terminate_at: 'edge' },
  });
  assert.equal(edge.status, 201);

  const url = `https://fixed.underpass.localhost:${platform.port}/`;
  const served = await curl(platform, ['-i', url]);
  assert.match(served.stdout, /^HTTP\/2 203 /);
  assert.match(served.stdout, /x-made-by: edge/i);
  assert.match(served.stdout, /\r\n\r\nfixed\n$/);

  assert.equal((await api('DELETE', `/edges/tls/${edge.json.id}`)).status, 204);
  const gone = await curl(platform, ['-i', url]);
  assert.match(gone.stdout, /^HTTP\/2 404 [\s\S]*underpass-error-code: ERR_SERVICE_3200/);
  assert.equal((await api('DELETE', `/reserved_domains/${reserved.json.id}`)).status, 204);
  const free = await curl(platform, ['-i', url]);
  assert.match(free.stdout, /^HTTP\/2 404 [\s\S]*underpass-error-code: ERR_SERVICE_3200/);
  const deeper = await curl(platform, ['-i', url.replace('fixed', 'a.fixed')]);
  assert.equal(deeper.exitCode, 35, "a name that is nobody's gets a TLS alert");
});

test('traffic of a tunnel group backend reaches every agent with the labels, and 503 with its code when none is online', async () => {
  const { id: backend_id } = (
    await platform.api('POST', '/backends/tunnel_group', { labels: { app: 'web' } })
  ).json;
  await httpsEdge(platform, 'group', backend_id);
  const name = 'group.underpass.localhost';
  const empty = await platform.visit(name);
  assert.equal(empty.status, 503);
  assert.equal(empty.headers['underpass-error-code'], 'ERR_SERVICE_6515');

  const others = await Promise.all(
    ['one', 'two'].map((text) => startUpstream((_request, response) => response.end(text))),
  );
  const agents = await Promise.all(
    others.map(({ port }) =>
      platform.agent(['http', String(port), '--label', 'app=web', '--label', 'extra=1']),
    ),
  );
  const seen = new Set<string>();
  for (let round = 0; round < 6; round++) seen.add((await platform.visit(name)).text);
  assert.deepEqual([...seen].sort(), ['one', 'two']);

  const refs = (await platform.api('GET', `/backends/tunnel_group/${backend_id}`)).json.tunnels;
  assert.equal(refs.length, 2);
  await Promise.all(agents.map((agent) => agent.process.stop()));
  await eventually(async () => assert.equal((await platform.visit(name)).status, 503));
  await Promise.all(others.map((other) => other.stop()));
});

test('kill -9 and start again: everything that was answered is there', async () => {
  const { json: backend } = await platform.api('POST', '/backends/http_response', { body: 'still here' });
  await platform.api('POST', '/reserved_domains', { name: 'durable' });
  const { json: edge } = await platform.api('POST', '/edges/tls', {
    hostports: ['durable.underpass.localhost:443'],
    backend: { backend_id: backend.id },
    tls_termination: { terminate_at: 'edge' },
  });
  const before = platform.bootstrap;
  await platform.killAndRestart();
  assert.deepEqual(platform.bootstrap, before, 'later starts leave bootstrap.json alone');
  assert.deepEqual((await platform.api('GET', `/edges/tls/${edge.id}`)).json, edge);
  assert.equal((await platform.visit('durable.underpass.localhost')).text, 'still here');
});

test('an agent outlives a restart of the daemon and gets its random name back', async () => {
  const { url } = await platform.agent(['http', String(upstream.port)]);
  await platform.killAndRestart();
  await eventually(async () => assert.equal((await platform.visit(`${url}/again`)).status, 200));
});
