/**
 * Tunnels for plain HTTP.
 * Invariant: a name that is served over HTTPS only redirects there.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { eventually, freePorts, Platform } from '../harness/index.ts';

let platform: Platform;
let plainPort: number;
let upstream: Server;
let upstreamPort: string;

before(async () => {
  upstream = createServer({ maxHeaderSize: 65_536 }, (asked, answer) => {
    let body = '';
    asked.on('data', (chunk) => {
      body += chunk;
    });
    asked.on('end', () => {
      const { host, 'x-forwarded-proto': scheme, 'x-forwarded-for': from, 'x-asked': raw } = asked.headers;
      answer.end(JSON.stringify({ host, scheme, from, raw, method: asked.method, url: asked.url, body }));
    });
  });
  upstream.listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  upstreamPort = String((upstream.address() as { port: number }).port);
  [plainPort = 0] = await freePorts(1);
  platform = await Platform.start({ args: ['--http-listen', `127.0.0.1:${plainPort}`] });
});
after(async () => {
  await platform.stop();
  upstream.close();
});

interface Plain {
  readonly status: number | undefined;
  readonly location: string | undefined;
  readonly text: string;
}

async function visit(host: string, path = '/', body?: string): Promise<Plain> {
  const asked = request({
    ...{ host: '127.0.0.1', port: plainPort, path, agent: false },
    headers: { host: `${host}:${plainPort}` },
    method: body === undefined ? 'GET' : 'POST',
  });
  asked.end(body);
  const [answer] = await once(asked, 'response');
  let text = '';
  for await (const chunk of answer) text += chunk;
  return { status: answer.statusCode, location: answer.headers.location, text };
}

test('a plain tunnel answers where TLS is not spoken, and gets the scheme; over HTTPS its name has nothing', async () => {
  const name = 'plain.underpass.localhost';
  const { url } = await platform.agent(['http', upstreamPort, '--scheme', 'http', '--domain', name]);
  assert.equal(url, `http://${name}:${plainPort}`);
  const long = 'x'.repeat(100_000);
  const { status, text } = await visit(name, '/path?query', long);
  assert.equal(status, 200);
  const seen = JSON.parse(text);
  assert.deepEqual(
    [seen.host, seen.scheme, seen.from, seen.method, seen.url, seen.body.length],
    [`${name}:${plainPort}`, 'http', '127.0.0.1', 'POST', '/path?query', long.length],
  );
  assert.equal((await platform.visit(name)).status, 404);
  const { endpoints } = (await platform.api('GET', '/endpoints')).json;
  const [endpoint] = endpoints;
  assert.deepEqual(
    [endpoint.proto, endpoint.public_url, endpoint.hostport],
    ['http', url, `${name}:${plainPort}`],
  );
});

test('a connection carries one request after the other, also when a head comes in pieces, and no other name', async () => {
  const name = 'pieces.underpass.localhost';
  await platform.agent(['http', upstreamPort, '--scheme', 'http', '--domain', name]);
  const socket = connect({ host: '127.0.0.1', port: plainPort, noDelay: true });
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  const head = (path: string, host: string) => `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
  for (const piece of head('/first', name).split(/(?<=\r\n)/)) socket.write(piece);
  await eventually(() => assert.match(text, /"url":"\/first"/));
  socket.write(head('/second', name) + head('/third', name));
  await eventually(() => assert.match(text, /"url":"\/second".*"url":"\/third"/s));
  socket.write(head('/fourth', 'plain.underpass.localhost'));
  await once(socket, 'end');
  assert.match(text, /HTTP\/1\.1 421 /);
  assert.doesNotMatch(text, /fourth/);
});

test('the head of a first request may be as large as over HTTPS, and a larger one is told so', async () => {
  const name = 'large.underpass.localhost';
  await platform.agent(['http', upstreamPort, '--scheme', 'http', '--domain', name]);
  const path = (bytes: number): string => `/${'x'.repeat(bytes)}`;
  assert.equal((await visit(name, path(60_000))).status, 200);
  const { status, text } = await visit(name, path(66_000));
  assert.equal(status, 431);
  assert.match(text, /larger than 65536 bytes/);
});

test('one name may be bound for both, and without the plain one leads to HTTPS', async () => {
  const name = 'both.underpass.localhost';
  await platform.agent(['http', upstreamPort, '--domain', name]);
  const redirected = await visit(name, '/a?b');
  assert.deepEqual([redirected.status, redirected.location], [308, `https://${name}:${platform.port}/a?b`]);
  const plain = await platform.agent(['http', upstreamPort, '--scheme', 'http', '--domain', name]);
  assert.equal((await visit(name)).status, 200);
  assert.equal((await platform.visit(name)).status, 200);
  await plain.process.stop();
  await eventually(async () => assert.equal((await visit(name)).status, 308));
  assert.equal((await platform.visit(name)).status, 200);
});

test('the list of names has the protection of a name with TLS and over plain HTTP', async () => {
  // The list may be a second old.
  const assertProtection = (label: string, protection: string) =>
    eventually(async () => {
      const { names } = (await platform.api('GET', `/names?name=${label}.underpass.localhost`)).json;
      assert.deepEqual([names[0]?.modules, names[0]?.protection], [['basic_auth'], protection]);
    });
  const bind = async (label: string, ...flags: readonly string[]) =>
    await platform.agent(['http', upstreamPort, '--domain', `${label}.underpass.localhost`, ...flags]);
  const guard = ['--basic-auth', 'ada:a long password'];
  await bind('guarded', ...guard);
  await assertProtection('guarded', 'all');
  await bind('guarded', '--scheme', 'http');
  assert.equal((await visit('guarded.underpass.localhost')).status, 200);
  await assertProtection('guarded', 'some');

  const reserved = await platform.api('POST', '/reserved_domains', { name: 'slow.underpass.localhost' });
  assert.equal(reserved.status, 201, reserved.text);
  await bind('slow', '--scheme', 'http', ...guard);
  assert.equal((await visit('slow.underpass.localhost')).status, 401);
  await assertProtection('slow', 'all');

  // A filter that denies nothing keeps no visitor out.
  await bind('lenient', '--ua-filter-allow', 'curl');
  const list = async () => (await platform.api('GET', '/names?name=lenient.underpass.localhost')).json.names;
  await eventually(async () => assert.equal((await list())[0]?.protection, 'none'));
});

test('the endpoint configuration for plain HTTP stands in front of it', async () => {
  const name = 'guarded.underpass.localhost';
  const reserved = (await platform.api('POST', '/reserved_domains', { name: 'guarded' })).json;
  const policy = (await platform.api('POST', '/ip_policies', {})).json;
  const made = await platform.api('POST', '/endpoint_configurations', {
    type: 'http',
    ip_policy: { ip_policy_ids: [policy.id] },
  });
  await platform.agent(['http', upstreamPort, '--scheme', 'http', '--domain', name]);
  assert.equal((await visit(name)).status, 200);
  const path = `/reserved_domains/${reserved.id}`;
  const attached = await platform.api('PATCH', path, { http_endpoint_configuration_id: made.json.id });
  assert.equal(attached.status, 200);
  assert.equal((await visit(name)).status, 403);
  const instead = await platform.api('PATCH', `/endpoint_configurations/${made.json.id}`, {
    ip_policy: { enabled: false, ip_policy_ids: [policy.id] },
    request_headers: { add: { 'x-asked': `$\{.http.request.url.raw} $\{.http.request.url.scheme}` } },
  });
  assert.equal(instead.status, 200, instead.text);
  const { raw } = JSON.parse((await visit(name, '/a?b')).text);
  assert.equal(raw, `http://${name}:${plainPort}/a?b http`, 'which says how it was asked for');
});
