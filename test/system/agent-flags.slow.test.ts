/**
 * Flags and config keys of the agent, with their effect on visitors.
 * Invariant: no accepted flag is without effect.
 */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createServer as createTls } from 'node:tls';
import { fileURLToPath } from 'node:url';
import {
  ClientCertificates,
  curl,
  curlMissing,
  eventually,
  OidcProvider,
  Platform,
  Process,
} from '../harness/index.ts';

const AGENT = fileURLToPath(import.meta.resolve('../../packages/agent/bin/underpass.js'));
let platform: Platform;
let upstream: Server;
let port: string;
let provider: OidcProvider;
const certificates = new ClientCertificates();

before(async () => {
  upstream = createServer((asked, answer) => {
    answer.writeHead(asked.url === '/fail' ? 500 : 200, { 'x-inside': 'secret' });
    answer.end(JSON.stringify(asked.headers));
  });
  upstream.listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  port = String((upstream.address() as AddressInfo).port);
  const identity = certificates.make('localhost', undefined, {
    extensions: ['subjectAltName=DNS:localhost'],
  });
  platform = await Platform.start({
    args: ['--allow-private', '127.0.0.0/8', '--allow-private', '::1/128'],
    through: ['env', `NODE_EXTRA_CA_CERTS=${identity.pemFile}`],
  });
  provider = await OidcProvider.start({ identity, redirectUris: [] });
});
after(async () => {
  await platform.stop();
  await provider.stop();
  upstream.close();
  certificates.remove();
});

interface TunnelSeen {
  readonly public_url: string;
  readonly tunnel_session: { readonly id: string };
}

async function seenBehind(url: string, headers: Readonly<Record<string, string>> = {}) {
  const answer = await platform.visit(url, { headers });
  assert.equal(answer.status, 200, answer.text);
  return { seen: JSON.parse(answer.text) as IncomingHttpHeaders, headers: answer.headers };
}

test('the local server gets its own Host, the one that is given, or the public one', async () => {
  const plain = await platform.agent(['http', port]);
  assert.equal((await seenBehind(plain.url)).seen.host, new URL(plain.url).host);
  const rewritten = await platform.agent(['http', port, '--host-header', 'rewrite']);
  assert.equal((await seenBehind(rewritten.url)).seen.host, `localhost:${port}`);
  const named = await platform.agent(['http', port, '--host-header', 'inside.example:81']);
  assert.equal((await seenBehind(named.url)).seen.host, 'inside.example:81');
});

test('with another Host a local server gets Origin and Referer of that name, and those of other sites as they came', async () => {
  const [own, foreign] = await Promise.all(['rewrite', 'none'].map(originsBehind));
  const told = `https://localhost:${port}`;
  assert.deepEqual(own?.own, [told, `${told}/page?x=1`]);
  assert.deepEqual(own?.other, ['https://other.example', 'https://other.example/page?x=1']);
  assert.deepEqual(own?.none, [undefined, undefined]);
  assert.deepEqual(foreign?.own, [foreign?.origin, `${foreign?.origin}/page?x=1`]);
});

async function originsBehind(hostHeader: string) {
  const flags = hostHeader === 'none' ? [] : ['--host-header', hostHeader];
  const { url } = await platform.agent(['http', port, ...flags]);
  const { origin } = new URL(url);
  const seen = async (headers: Readonly<Record<string, string>>) => {
    const { seen: got } = await seenBehind(url, headers);
    return [got.origin, got.referer];
  };
  const of = (name: string) => seen({ origin: name, referer: `${name}/page?x=1` });
  return { origin, own: await of(origin), other: await of('https://other.example'), none: await seen({}) };
}

test("redirects to the public name with the port of the local server lead to the visitor's own", async () => {
  const server = createServer((asked, answer) => {
    const name = new URL(`http://${asked.headers.host}`).hostname;
    answer
      .writeHead(302, { location: `http://${asked.url === '/own' ? name : 'other.example'}:3000/next` })
      .end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { url } = await platform.agent(['http', String((server.address() as AddressInfo).port)]);
  assert.equal((await platform.visit(`${url}/own`)).headers.location, `${url}/next`);
  assert.equal((await platform.visit(`${url}/other`)).headers.location, 'http://other.example:3000/next');
  server.close();
});

test('a local server on a unix socket gets the public Host, or its own', async () => {
  const socket = join(platform.dataDir, 'web.sock');
  const server = createServer((asked, answer) => answer.end(JSON.stringify(asked.headers)));
  server.listen(socket);
  await once(server, 'listening');
  const plain = await platform.agent(['http', `unix:${socket}`]);
  assert.equal((await seenBehind(plain.url)).seen.host, new URL(plain.url).host);
  const rewritten = await platform.agent(['http', `unix:${socket}`, '--host-header', 'rewrite']);
  assert.equal((await seenBehind(rewritten.url)).seen.host, 'localhost');

  writeFileSync(
    join(platform.dataDir, 'socket.yaml'),
    'tunnels: {web: {upstream: "unix:web.sock", domain: socket.underpass.localhost}}',
  );
  const { url } = await platform.agent(['start', 'web', '--config', join(platform.dataDir, 'socket.yaml')]);
  assert.equal((await seenBehind(url)).seen.host, new URL(url).host);
  server.close();
});

test('headers of requests and answers are added and removed', async () => {
  const { url } = await platform.agent([
    ...['http', port, '--request-header-add', 'x-a: 1', '--request-header-add', 'x-b: 2'],
    ...['--request-header-remove', 'x-c', '--response-header-add', 'x-d: 4'],
    ...['--response-header-remove', 'x-inside'],
  ]);
  const { seen, headers } = await seenBehind(url, { 'x-c': '3' });
  assert.deepEqual([seen['x-a'], seen['x-b'], seen['x-c']], ['1', '2', undefined]);
  assert.deepEqual([headers['x-d'], headers['x-inside']], ['4', undefined]);
});

test('tunnels of a file share a session, and each has modules of its own', async () => {
  const path = join(platform.dataDir, 'agent.yaml');
  writeFileSync(
    path,
    `tunnels:
  locked: {upstream: ${port}, domain: locked.underpass.localhost, basic-auth: "user:foobarbaz", compression: true}
  shut: {upstream: ${port}, domain: shut.underpass.localhost, cidr-allow: [10.0.0.0/8]}
  weak: {upstream: ${port}, domain: weak.underpass.localhost, circuit-breaker: 0.01}
`,
  );
  const { process } = await platform.agent(['start', '--all', '--config', path]);
  for (const name of ['locked', 'shut', 'weak'])
    await process.line(new RegExp(`"event":"tunnel","name":"${name}"`));
  const { json } = await platform.api('GET', '/tunnels');
  const ours = (json.tunnels as TunnelSeen[]).filter((it) => /locked|shut|weak/.test(it.public_url));
  assert.equal(ours.length, 3);
  assert.equal(new Set(ours.map((it) => it.tunnel_session.id)).size, 1);

  const locked = 'locked.underpass.localhost';
  assert.equal((await platform.visit(locked)).status, 401);
  const authorization = `Basic ${Buffer.from('user:foobarbaz').toString('base64')}`;
  const { headers } = await platform.visit(locked, {
    headers: { authorization, 'accept-encoding': 'gzip' },
  });
  assert.equal(headers['content-encoding'], 'gzip');
  assert.equal((await platform.visit('shut.underpass.localhost')).status, 403);
  const failing = `https://weak.underpass.localhost:${platform.port}/fail`;
  let { status } = await platform.visit(failing);
  for (let count = 0; count < 100 && status === 500; count++) ({ status } = await platform.visit(failing));
  assert.equal(status, 503);
});

test('a value that the service does not take is told with its code, by the name of the tunnel', async () => {
  const path = join(platform.dataDir, 'bad.yaml');
  writeFileSync(path, `tunnels:\n  good: {upstream: ${port}}\n  bad: {upstream: ${port}, oauth: nowhere}\n`);
  const { process } = await platform.agent(['start', '--all', '--config', path]);
  await process.line(/"event":"error","name":"bad".*"code":"ERR_[A-Z]+_\d+"/);
});

test('an agent whose name is taken over by another one says what to do', async () => {
  const domain = 'moves.underpass.localhost';
  const path = join(platform.dataDir, 'moves.yaml');
  writeFileSync(path, `tunnels:\n  moves: {upstream: ${port}, domain: ${domain}}\n`);
  const { process } = await platform.agent(['start', 'moves', '--config', path]);
  await platform.agent(['http', port, '--domain', domain]);
  const [told] = await process.line(/"event":"error".*/);
  assert.match(told, /"name":"moves".*"advice":"Only one agent can have the name: .*--pooling/);
});

test('a server that is not trusted, or is another one, says what to do', async () => {
  const { authtoken, ca_file, connect_addr } = platform.bootstrap;
  const certificate = certificates.make('other', undefined, {
    extensions: ['subjectAltName=DNS:other.example'],
  });
  const other = createTls({ cert: certificate.pem, key: certificate.key });
  other.listen(0, '127.0.0.1');
  await once(other, 'listening');
  const address = `localhost:${(other.address() as AddressInfo).port}`;
  for (const [server, ca, code, advice] of [
    [
      connect_addr,
      certificate.pemFile,
      'SELF_SIGNED_CERT_IN_CHAIN',
      /^Give the authority .*--ca FILE: .*ca\.pem/,
    ],
    [
      address,
      certificate.pemFile,
      'ERR_TLS_CERT_ALTNAME_INVALID',
      /^The certificate is for other names\. Give .*--server/,
    ],
    [connect_addr, ca_file, 'ERR_SERVICE_105', /^Check the authtoken/],
  ] as const) {
    const token = code === 'ERR_SERVICE_105' ? 'wrong' : authtoken;
    const args = [
      'http',
      port,
      '--server',
      server,
      '--ca',
      ca,
      '--authtoken',
      token,
      '--json',
      '--inspect=false',
    ];
    const agent = Process.node(AGENT, args);
    assert.equal((await agent.exited).code, 1, agent.output);
    const told = JSON.parse(agent.lines.at(-1) ?? '') as Record<string, string>;
    assert.equal(told.code, code);
    assert.match(told.advice ?? '', advice);
  }
  other.close();
});

/** Returns the URL to which a request for a page is redirected; null if it is not. */
async function sentTo(url: string): Promise<URL | null> {
  const { status, headers } = await platform.visit(url, { headers: { accept: 'text/html' } });
  return status === 302 ? new URL(String(headers.location)) : null;
}

test('visitors have to log in at a provider, with a client from a file, from the environment, or from flags', async () => {
  const secret = join(platform.dataDir, 'client-secret');
  writeFileSync(secret, 'from a file\n');
  const oauth = ['--oauth', 'google', '--oauth-client-id', 'shop', '--oauth-client-secret', `@${secret}`];
  const lists = ['--oauth-allow-email', 'ada@example.com', '--oauth-allow-domain', 'example.org'];
  const google = await platform.agent(['http', port, ...oauth, ...lists, '--oauth-scope', 'profile']);
  const asked = await sentTo(google.url);
  assert.equal(asked?.hostname, 'accounts.google.com');
  assert.equal(asked?.searchParams.get('client_id'), 'shop');
  assert.match(asked?.searchParams.get('scope') ?? '', /profile/);

  const { issuer, clientId, clientSecret } = provider;
  const env = { UNDERPASS_OIDC_CLIENT_ID: clientId, UNDERPASS_OIDC_CLIENT_SECRET: clientSecret };
  const own = await platform.agent(['http', port, '--oidc', issuer, '--oidc-allow-email', 'a@b.c'], { env });
  await eventually(async () => assert.equal((await sentTo(own.url))?.origin, issuer));
  const headers = { 'sec-fetch-mode': 'cors' };
  assert.equal((await platform.visit(own.url, { headers })).status, 401);
});

test('only requests that their sender has signed get in', async () => {
  const env = { UNDERPASS_VERIFY_WEBHOOK_SECRET: 'between us' };
  const { url } = await platform.agent(['http', port, '--verify-webhook', 'github'], { env });
  const body = '{"zen": true}';
  const signature = `sha256=${createHmac('sha256', 'between us').update(body).digest('hex')}`;
  const send = async (headers: Readonly<Record<string, string>>) =>
    (await platform.visit(url, { method: 'POST', headers, body })).status;
  assert.equal(await send({ 'x-hub-signature-256': signature }), 200);
  assert.equal(await send({}), 403);
});

test('only visitors with a certificate of the authorities get in, of HTTP and of TLS', {
  skip: curlMissing,
}, async () => {
  const [one, other] = [certificates.authority('One'), certificates.authority('Other')];
  for (const command of [
    ['http', port],
    ['tls', port, '--terminate'],
  ]) {
    const authorities = [other, one].flatMap(({ pemFile }) => ['--mutual-tls-ca', pemFile]);
    const { url } = await platform.agent([...command, ...authorities]);
    const target = new URL(url.replace('tls:', 'https:'));
    const { pemFile, keyFile } = certificates.make('ada', one);
    const resolved = ['--resolve', `${target.hostname}:${platform.port}:127.0.0.1`, target.href];
    assert.equal((await curl(platform, ['--cert', pemFile, '--key', keyFile, ...resolved])).exitCode, 0);
    assert.notEqual((await curl(platform, resolved)).exitCode, 0);
  }
});

test('programs are let in by what they call themselves, and WebSockets may carry bytes', async () => {
  const filter = ['--ua-filter-allow', 'friend', '--ua-filter-deny', '.*'];
  const { url } = await platform.agent(['http', port, ...filter]);
  assert.equal((await platform.visit(url, { headers: { 'user-agent': 'bot' } })).status, 403);
  assert.equal((await platform.visit(url, { headers: { 'user-agent': 'a friend' } })).status, 200);
  const converted = await platform.agent(['http', port, '--websocket-tcp-converter']);
  const { status, headers } = await platform.visit(converted.url);
  assert.deepEqual([status, headers['underpass-error-code']], [400, 'ERR_SERVICE_3206']);
});

test('agents share a name when they ask for that, and the API says what a tunnel is for', async () => {
  const shared = ['--domain', 'shared.underpass.localhost', '--pooling'];
  const words = ['--description', 'the shop', '--metadata', '{"a": 1}'];
  const { url } = await platform.agent(['http', port, ...shared, ...words]);
  await platform.agent(['http', port, ...shared, ...words]);
  const { endpoints } = (await platform.api('GET', '/endpoints')).json;
  const ours = (endpoints as Record<string, unknown>[]).filter((one) => one.public_url === url);
  assert.deepEqual(
    ours.map((one) => [one.pooling_enabled, one.description, one.metadata]),
    [1, 2].map(() => [true, 'the shop', '{"a": 1}']),
  );
});
