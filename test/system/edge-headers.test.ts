/**
 * Header rules of routes and endpoint configurations, seen by curl and a real upstream.
 * Invariant: they break no message.
 */
import assert from 'node:assert/strict';
import type { IncomingHttpHeaders } from 'node:http';
import { after, before, test } from 'node:test';
import { curl, curlMissing, Platform, startUpstream, type Upstream } from '../harness/index.ts';
import { httpsEdge } from './attacks.fixture.ts';

const NAME = 'headers.underpass.localhost';
const BOUND = 'bound.underpass.localhost';

let platform: Platform;
let upstream: Upstream;
let route: string;

before(async () => {
  platform = await Platform.shared();
  upstream = await startUpstream((request, response) => {
    response.setHeader('X-Powered-By', 'secret');
    response.end(JSON.stringify(request.headers));
  });
  const group = await platform.api('POST', '/backends/tunnel_group', { labels: { app: 'headers' } });
  const edge = await httpsEdge(platform, 'headers', group.json.id);
  const { json } = await platform.api('GET', edge);
  route = `${edge}/routes/${json.routes[0].id}`;
});
after(async () => {
  await platform.stop();
  await upstream.stop();
});

/** `${.name}`, written so that it is no template of JavaScript. */
function named(name: string): string {
  return `$\{.${name}}`;
}

async function put(path: string, body: object): Promise<void> {
  const { status, text } = await platform.api('PUT', path, body);
  assert.equal(status, 200, text);
}

/** Returns the headers that the upstream got, and the head of the response. */
async function visit(
  name: string,
  more: readonly string[] = [],
): Promise<{ head: string; seen: IncomingHttpHeaders }> {
  const { stdout } = await curl(platform, [
    ...['-i', '--resolve', `${name}:${platform.port}:127.0.0.1`, ...more],
    `https://${name}:${platform.port}/some/path?query`,
  ]);
  const end = stdout.indexOf('\r\n\r\n');
  return { head: stdout.slice(0, end), seen: JSON.parse(stdout.slice(end + 4)) };
}

test('headers of a route: what the upstream gets and what the visitor gets', {
  skip: curlMissing,
}, async () => {
  await platform.agent(['http', String(upstream.port), '--label', 'app=headers']);
  await put(`${route}/request_headers`, {
    add: {
      host: 'inside.example',
      'X-Ip': `ip ${named('conn.client_ip')}`,
      'X-Id': named('http.request_id'),
    },
    remove: ['cookie'],
  });
  await put(`${route}/response_headers`, {
    add: {
      'x-line': `${named('http.request.method')} ${named('http.request.url.path')} ${named('http.response.status_code')}`,
      'x-id': named('http.request_id'),
    },
    remove: ['X-Powered-By'],
  });
  const { head, seen } = await visit(NAME, ['-b', 'a=b', '-H', 'x-ip: made up']);
  assert.equal(seen.host, 'inside.example');
  assert.equal(seen.cookie, undefined);
  assert.equal(seen['x-ip'], 'made up, ip 127.0.0.1');
  assert.match(head, /^x-line: GET \/some\/path 200\r?$/m);
  assert.ok(head.includes(`x-id: ${seen['x-id']}`), head);
  assert.doesNotMatch(head, /x-powered-by/i);
});

test('headers of an endpoint configuration, on what an agent binds', { skip: curlMissing }, async () => {
  const domain = await platform.api('POST', '/reserved_domains', { name: 'bound' });
  const configuration = await platform.api('POST', '/endpoint_configurations', {
    type: 'https',
    request_headers: { add: { 'x-tls': named('tls.version') }, remove: ['x-forwarded-for'] },
    response_headers: { remove: ['x-powered-by'] },
  });
  const bound = await platform.api('PATCH', `/reserved_domains/${domain.json.id}`, {
    https_endpoint_configuration_id: configuration.json.id,
  });
  assert.equal(bound.status, 200, bound.text);
  await platform.agent(['http', String(upstream.port), '--domain', BOUND]);
  const { head, seen } = await visit(BOUND, ['-H', 'x-forwarded-for: 10.0.0.1']);
  assert.equal(seen['x-tls'], 'TLSv1.3');
  assert.equal(seen['x-forwarded-for'], undefined);
  assert.doesNotMatch(head, /x-powered-by/i);
});

test('the upstream gets the user by a name of the owner’s choice, and none without a login', {
  skip: curlMissing,
}, async () => {
  const name = 'known.underpass.localhost';
  const domain = await platform.api('POST', '/reserved_domains', { name: 'known' });
  const configuration = await platform.api('POST', '/endpoint_configurations', {
    type: 'https',
    basic_auth: { allow_options: true },
    request_headers: {
      add: { 'x-user': named('basic_auth.username'), 'x-decision': named('basic_auth.decision') },
      remove: ['x-user'],
    },
    response_headers: { add: { 'x-reused': named('backend.connection_reused') } },
  });
  await platform.api('PATCH', `/reserved_domains/${domain.json.id}`, {
    https_endpoint_configuration_id: configuration.json.id,
  });
  await platform.agent(['http', String(upstream.port), '--domain', name, '--basic-auth', 'ada:lovelace']);
  const made = ['-H', 'x-user: root'];
  const first = await visit(name, ['-u', 'ada:lovelace', ...made]);
  assert.deepEqual([first.seen['x-user'], first.seen['x-decision']], ['ada', 'allow']);
  assert.match(first.head, /^x-reused: false\r?$/m);
  const second = await visit(name, ['-u', 'ada:lovelace']);
  assert.match(second.head, /^x-reused: true\r?$/m);
  const { seen } = await visit(name, ['-X', 'OPTIONS', '-u', 'ada:wrong', ...made]);
  assert.deepEqual([seen['x-user'], seen['x-decision']], ['', 'allow']);
});

test('an unknown name is refused, and nothing is changed', { skip: curlMissing }, async () => {
  const before = await platform.api('GET', `${route}/request_headers`);
  const add = { 'x-a': named('conn.made_up') };
  const { status, json } = await platform.api('PUT', `${route}/request_headers`, { add });
  assert.equal(status, 400);
  assert.equal(json.error_code, 'ERR_SERVICE_60252');
  assert.match(json.msg, /conn\.client_ip/);
  assert.deepEqual((await platform.api('GET', `${route}/request_headers`)).json, before.json);
});
