/**
 * Explanations of decisions, each held against a real request of a visitor with the same address.
 * Invariant: an explanation sends nothing to a backend.
 */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { ClientCertificates, curlMissing, freePorts, Platform } from '../harness/index.ts';
import { ApiCommand } from './api-command.fixture.ts';
import { addAccount } from './attacks.fixture.ts';
import { assertTrue, bodyOf, type Described, type Explained, explained, MARK } from './explain.fixture.ts';
import { DOMAIN, ExplainedEdges, type Identities, SECRET } from './explain-edges.fixture.ts';

let platform: Platform;
let server: Server;
let requests = 0;
let made: ClientCertificates;
let edges: ExplainedEdges;
let identities: Identities;
let plainPort: number;
let tcpPort: number;

before(async () => {
  const [first = 0, second = 0] = await freePorts(2);
  [plainPort, tcpPort] = [first, second];
  const allowed = ['--allow-private', '127.0.0.0/8'];
  platform = await Platform.start({
    args: ['--http-listen', `127.0.0.1:${plainPort}`, '--tcp-ports', `${tcpPort}-${tcpPort}`, ...allowed],
  });
  server = createServer((request, response) => {
    requests += 1;
    response.setHeader(MARK, 'yes');
    response.statusCode = request.url?.startsWith('/failing') === true ? 500 : 200;
    response.end('ok');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  made = new ClientCertificates();
  edges = new ExplainedEdges(platform, made, (server.address() as AddressInfo).port);
  identities = await edges.make();
});
after(async () => {
  made?.remove();
  await platform.stop();
  server.close();
});

function at(label: string, path = '/'): string {
  return `https://${label}.${DOMAIN}:${platform.port}${path}`;
}

function plain(label: string, path = '/'): string {
  return `http://${label}.${DOMAIN}:${plainPort}${path}`;
}

function login(user: string, password: string): Readonly<Record<string, string>> {
  return { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
}

function signature(secret: string): Readonly<Record<string, string>> {
  return { 'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update('').digest('hex')}` };
}

const HANDSHAKE = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '12' };

/** The step that ends the request, or the last one, and a part of its reason. */
type Row = readonly [what: string, step: string, why: RegExp, described: () => Described];

const rows: readonly Row[] = [
  [
    'an online group',
    'backend',
    /^1 tunnel with the labels app=online online/,
    () => ({ url: at('app', '/online') }),
  ],
  [
    'a longer prefix',
    'backend',
    /fixed response with the status 418/,
    () => ({ url: at('app', '/online/page') }),
  ],
  ['no route', 'route', /matches none of 15 routes/, () => ({ url: at('app', '/other') })],
  ['an ambiguous path', 'route', /more protection/, () => ({ url: at('app', '/online/..%2foffice') })],
  ['an allowed address', 'backend', /1 tunnel/, () => ({ url: at('app', '/office'), from: '127.0.0.5' })],
  [
    'an unlisted address',
    'ip_restriction',
    /^127\.0\.0\.7 is in no range of the policy ipp_/,
    () => ({ url: at('app', '/office'), from: '127.0.0.7' }),
  ],
  [
    'a denied address',
    'ip_restriction',
    /127\.0\.1\.6 is in 127\.0\.1\.6\/32, which the policy ipp_\w+ denies/,
    () => ({ url: at('app', '/office'), from: '127.0.1.6' }),
  ],
  [
    'a denied program',
    'user_agent_filter',
    /"a scanner" matches a pattern of "deny"/,
    () => ({ url: at('app', '/programs'), headers: { 'user-agent': 'a scanner' } }),
  ],
  [
    'an allowed program',
    'backend',
    /1 tunnel/,
    () => ({ url: at('app', '/programs'), headers: { 'user-agent': 'a good scanner' } }),
  ],
  ['no program', 'backend', /1 tunnel/, () => ({ url: at('app', '/programs') })],
  [
    'an unsigned hook',
    'webhook_verification',
    /no valid signature of github/,
    () => ({ url: at('app', '/hooks') }),
  ],
  ['a signed hook', 'backend', /1 tunnel/, () => ({ url: at('app', '/hooks'), headers: signature(SECRET) })],
  [
    'a hook with another secret',
    'webhook_verification',
    /no valid signature/,
    () => ({ url: at('app', '/hooks'), headers: signature('other') }),
  ],
  ['no WebSocket', 'websocket_tcp_converter', /no valid WebSocket/, () => ({ url: at('app', '/socket') })],
  [
    'an old WebSocket',
    'websocket_tcp_converter',
    /no valid WebSocket/,
    () => ({ url: at('app', '/socket'), headers: HANDSHAKE }),
  ],
  ['a login', 'oauth', /redirected to a login/, () => ({ url: at('app', '/login') })],
  [
    'a request that cannot log in',
    'oauth',
    /cannot follow a login/,
    () => ({ url: at('app', '/login'), method: 'POST' }),
  ],
  ['changed headers', 'backend', /1 tunnel/, () => ({ url: at('app', '/changed') })],
  [
    'an empty group',
    'backend',
    /^No tunnels with the labels app=empty online/,
    () => ({ url: at('app', '/empty') }),
  ],
  ['an address', 'backend', /would dial 127\.0\.0\.1:\d+/, () => ({ url: at('app', '/dialled') })],
  ['a failover', 'backend', /fixed response/, () => ({ url: at('app', '/failover') })],
  [
    'a failover to nothing',
    'backend',
    /None of 1 backends can be reached/,
    () => ({ url: at('app', '/hopeless') }),
  ],
  ['weights', 'backend', /fixed response/, () => ({ url: at('app', '/weighted') })],
  ['no backend', 'backend', /No backend is set/, () => ({ url: at('app', '/nothing') })],
  [
    'another host',
    'request',
    /does not accept/,
    () => ({ url: at('app', '/online'), headers: { host: 'other.example.com' } }),
  ],
  [
    'a malformed header',
    'request',
    /does not accept/,
    () => ({ url: at('app', '/online'), headers: { 'transfer-encoding': 'gzip' } }),
  ],
  [
    'a request in a loop',
    'loop',
    /too often/,
    () => ({ url: at('app', '/online'), headers: { 'cdn-loop': Array(8).fill(DOMAIN).join(', ') } }),
  ],
  ['a method', 'backend', /1 tunnel/, () => ({ url: at('app', '/online'), method: 'DELETE' })],
  [
    'a good certificate',
    'backend',
    /fixed response/,
    () => ({ url: at('mutual'), certificate: identities.good }),
  ],
  ['no certificate', 'mutual_tls', /none is given/, () => ({ url: at('mutual') })],
  [
    'a foreign certificate',
    'mutual_tls',
    /"eve" is signed by none of 1 authority/,
    () => ({ url: at('mutual'), certificate: identities.foreign }),
  ],
  [
    'an expired certificate',
    'mutual_tls',
    /"old" has expired/,
    () => ({ url: at('mutual'), certificate: identities.expired }),
  ],
  ['a reserved name', 'backend', /No agent of the account serves the name/, () => ({ url: at('idle') })],
  ['a free name', 'backend', /No agent of the account serves the name/, () => ({ url: at('nobody') })],
  [
    'an unknown name',
    'name',
    /handshake is refused/,
    () => ({ url: `https://unknown.example.com:${platform.port}/` }),
  ],
  ['a TLS edge with a fixed response', 'backend', /status 200/, () => ({ url: at('fixed') })],
  [
    'a TLS edge that refuses an address',
    'ip_restriction',
    /in no range/,
    () => ({ url: at('fixed'), from: '127.0.0.8' }),
  ],
  ['a name of an agent', 'backend', /^1 tunnel online/, () => ({ url: at('open', '/any/path?query=1') })],
  ['no password', 'basic_auth', /no name and password/, () => ({ url: at('secret') })],
  [
    'a right password',
    'backend',
    /1 tunnel/,
    () => ({ url: at('secret'), headers: login('ada', 'a long password') }),
  ],
  [
    'a wrong password',
    'basic_auth',
    /name or the password is wrong/,
    () => ({ url: at('secret'), headers: login('ada', 'another password') }),
  ],
  ['an address of an agent’s list', 'backend', /1 tunnel/, () => ({ url: at('ranges'), from: '127.0.0.5' })],
  [
    'an address that an agent denies',
    'ip_restriction',
    /list of the agent denies/,
    () => ({ url: at('ranges'), from: '127.0.0.6' }),
  ],
  [
    'an address that an agent does not list',
    'ip_restriction',
    /no range of the list of the agent/,
    () => ({ url: at('ranges'), from: '127.0.0.9' }),
  ],
  [
    'a program that an agent denies',
    'user_agent_filter',
    /"a robot"/,
    () => ({ url: at('named'), headers: { 'user-agent': 'a robot' } }),
  ],
  ['bytes in TLS', 'backend', /1 tunnel/, () => ({ url: at('bytes') })],
  ['a TCP port', 'backend', /1 tunnel/, () => ({ url: `http://tcp.${DOMAIN}:${tcpPort}/` })],
  [
    'a TCP port that refuses an address',
    'ip_restriction',
    /in no range/,
    () => ({ url: `http://tcp.${DOMAIN}:${tcpPort}/`, from: '127.0.0.9' }),
  ],
  [
    'plain HTTP of an agent',
    'backend',
    /1 tunnel/,
    () => ({ url: plain('spoken'), headers: login('ada', 'a long password') }),
  ],
  [
    'plain HTTP of an agent without a password',
    'basic_auth',
    /no name and/,
    () => ({ url: plain('spoken') }),
  ],
  ['TLS for a name of plain HTTP', 'backend', /No agent/, () => ({ url: at('spoken') })],
  ['plain HTTP', 'name', /redirected/, () => ({ url: plain('open', '/x?y=z') })],
  ['plain HTTP for a free name', 'name', /Nothing of this account/, () => ({ url: plain('nobody') })],
  ['plain HTTP for the API', 'name', /keys would be readable/, () => ({ url: plain('api') })],
  [
    'plain HTTP for the name in Host',
    'basic_auth',
    /no name and/,
    () => ({ url: plain('open'), headers: { Host: `spoken.${DOMAIN}` } }),
  ],
  [
    'plain HTTP without a name',
    'name',
    /has no name/,
    () => ({ url: plain('spoken'), headers: { host: '[::1]' } }),
  ],
  [
    'plain HTTP at the port for TLS',
    'listener',
    /port is for TLS/,
    () => ({ url: at('open').replace('https', 'http') }),
  ],
];

for (const [what, step, why, described] of rows)
  test(`an explanation is that of a real request: ${what}`, { skip: curlMissing }, async () => {
    const explanation = await assertTrue(platform, described());
    const last = lastOf(explanation);
    assert.equal(last.step, step, JSON.stringify(explanation, null, 1));
    assert.match(last.why, why);
  });

function lastOf({ steps }: Explained): Explained['steps'][number] {
  const ending = steps.find(({ outcome }) => outcome === 'refused' || outcome === 'answered');
  return ending ?? steps.at(-1)!;
}

test('an open circuit is seen, and the request that tests it is left to visitors', {
  skip: curlMissing,
}, async () => {
  const described = { url: at('app', '/failing') };
  assert.match(JSON.stringify(await explained(platform, described)), /circuit of this daemon is closed/);
  for (let count = 0; count < 2; count += 1) await platform.visit(described.url);
  const explanation = await assertTrue(platform, described);
  assert.equal(lastOf(explanation).step, 'circuit_breaker');
});

test('a module that the question leaves out counts as passed, and an unknown one is refused', async () => {
  const ask = async (path: string, without: readonly string[]) =>
    await platform.api('POST', '/explain', { url: at('app', path), client_ip: '127.0.0.7', without });
  for (const [path, module] of [
    ['/office', 'ip_restriction'],
    ['/hooks', 'webhook_verification'],
    ['/socket', 'websocket_tcp_converter'],
    ['/login', 'oauth'],
  ] as const) {
    const { json } = await ask(path, [module]);
    assert.equal(json.outcome, 'served', JSON.stringify(json));
    const step = json.steps.find((one: Explained['steps'][number]) => one.step === module);
    assert.equal(step?.outcome, 'skipped');
    assert.notEqual((await ask(path, ['compression'])).json.outcome, 'served');
  }
  const { status, json } = await ask('/office', ['office']);
  assert.deepEqual([status, json.error_code], [400, 'ERR_SERVICE_60929']);
  assert.equal(json.details.field, '/without/0');
});

test('an explanation reaches no backend, and shows no secret', async () => {
  const before = requests;
  const headers = { ...login('ada', 'a long password'), ...signature(SECRET), cookie: 'session=1' };
  for (const path of ['/online', '/changed', '/hooks', '/login', '/office'])
    for (const label of ['app', 'secret']) {
      const text = JSON.stringify(await explained(platform, { url: at(label, path), headers }));
      assert.doesNotMatch(text, /a long password|secret of|hidden|session=1/);
    }
  assert.equal(requests, before);
});

test('the restriction of the account comes before the route', { skip: curlMissing }, async () => {
  const id = await edges.policy(['allow', '127.0.0.0/24'], ['deny', '127.0.0.77/32']);
  const body = { type: 'endpoints', enforced: true, ip_policy_ids: [id] };
  const restriction = await edges.create('/ip_restrictions', body);
  const refused = await assertTrue(platform, { url: at('app', '/other'), from: '127.0.0.77' });
  assert.equal(lastOf(refused).step, 'account_ip_restriction');
  assert.equal(lastOf(refused).resource, restriction);
  await assertTrue(platform, { url: at('open'), from: '127.0.0.5' });
  await platform.api('PATCH', `/ip_restrictions/${restriction}`, { enforced: false });
  const lenient = await assertTrue(platform, { url: at('open'), from: '127.0.0.77' });
  assert.match(JSON.stringify(lenient), /not enforced/);
  assert.equal((await platform.api('DELETE', `/ip_restrictions/${restriction}`)).status, 204);
});

test('ports of TCP edges and names with TLS alone are explained', async () => {
  const refused = await explained(platform, { url: `tcp://any.example:${tcpPort}`, from: '127.0.0.9' });
  assert.deepEqual(
    [refused.outcome, refused.status_code, lastOf(refused).step],
    ['refused', 0, 'ip_restriction'],
  );
  const allowed = await explained(platform, { url: `127.0.0.1:${tcpPort}` });
  assert.deepEqual([allowed.outcome, allowed.status_code, lastOf(allowed).step], ['served', 0, 'backend']);
  const closed = await explained(platform, { url: 'tcp://127.0.0.1:1' });
  assert.deepEqual([closed.outcome, lastOf(closed).step], ['refused', 'listener']);
  const secured = await explained(platform, { url: `tls://fixed.${DOMAIN}:${platform.port}` });
  assert.deepEqual([secured.outcome, secured.status_code], ['served', 200]);
  const passing = await explained(platform, { url: `passing.${DOMAIN}:${platform.port}` });
  assert.deepEqual([passing.outcome, lastOf(passing).step], ['served', 'backend']);
  assert.match(JSON.stringify(passing), /TLS passes through/);
});

test('names and ports of another account are like those that no account has', async () => {
  const other = await addAccount(platform);
  const ask = async (body: object) => {
    const headers = { authorization: `Bearer ${other.api_key}` };
    const { json } = await platform.api('POST', '/explain', body, headers);
    return JSON.stringify(json).replaceAll('nobody1', 'NAME').replaceAll('open', 'NAME');
  };
  for (const make of [at, plain]) {
    const [theirs, free] = [make('open'), make('nobody1')];
    assert.equal(await ask(bodyOf({ url: theirs })), await ask(bodyOf({ url: free })));
  }
  for (const label of ['app', 'mutual', 'fixed', 'idle'])
    assert.doesNotMatch(await ask(bodyOf({ url: at(label) })), /(?:edg|bkd|rd|ep|tn|ipp)\w*_\w{20}/);
  const port = (await ask(bodyOf({ url: `tcp://a.example:${tcpPort}` }))).replaceAll(String(tcpPort), '1');
  assert.equal(port, await ask(bodyOf({ url: 'tcp://a.example:1' })));
});

test('the command prints the steps, or JSON, and the reason of a refusal of the API', async () => {
  using command = new ApiCommand(platform);
  const run = (...args: readonly string[]) => command.run(args, { words: ['explain'] });
  const denied = await run(at('app', '/office'), '--from', '127.0.1.6');
  assert.equal(denied.code, 0, denied.err);
  assert.match(denied.out, /^refused 403 ERR_SERVICE_3205\n {2}passed /);
  assert.match(denied.out, /\n {2}refused +ip_restriction +127\.0\.1\.6 is in 127\.0\.1\.6\/32, .*\n/);
  const expected = (...results: readonly string[]) =>
    run(at('app', '/office'), '--from', '127.0.1.6', ...results.flatMap((one) => ['--expect', one]));
  assert.equal((await expected('refused', '403', 'ERR_SERVICE_3205')).code, 0);
  const missed = await expected('403', 'served');
  assert.deepEqual(
    [missed.code, missed.err],
    [1, 'expected served; the result is refused 403 ERR_SERVICE_3205\n'],
  );
  const certificate = ['--client-certificate', identities.good.pemFile];
  const hook = ['-X', 'POST', '-H', `X-Hub-Signature-256: ${signature(SECRET)['x-hub-signature-256']}`];
  for (const args of [
    [at('mutual'), ...certificate],
    [at('app', '/hooks'), ...hook],
  ]) {
    const { out, err } = await run(...args, '--from', '127.0.0.1', '--json');
    assert.equal(JSON.parse(out).outcome, 'served', `${out}${err}`);
  }
  const wrong = await run('ftp://open.example', '--from', '127.0.0.1');
  assert.equal(wrong.code, 1);
  assert.match(wrong.err, /^underpass: The scheme "ftp" cannot be explained[\s\S]*60921/);
});

test('what cannot be explained is refused with its field', async () => {
  const url = at('open');
  for (const [body, code, field] of [
    [{ client_ip: '127.0.0.1' }, 60101, '/url'],
    [{ url }, 60101, '/client_ip'],
    [{ url: 'ftp://open.example', client_ip: '127.0.0.1' }, 60921, '/url'],
    [{ url: 'https://open.example/a b', client_ip: '127.0.0.1' }, 60920, '/url'],
    [{ url: 'https://user:pass@open.example/', client_ip: '127.0.0.1' }, 60920, '/url'],
    [{ url: 'tcp://open.example', client_ip: '127.0.0.1' }, 60920, '/url'],
    [{ url: `${url}${'a'.repeat(8192)}`, client_ip: '127.0.0.1' }, 60927, '/url'],
    [{ url: `tls://open.${DOMAIN}:${platform.port}`, client_ip: '127.0.0.1' }, 60922, '/url'],
    [{ url, client_ip: '127.0.0.1:80' }, 60923, '/client_ip'],
    [{ url, client_ip: '127.0.0.1', method: 'G ET' }, 60924, '/method'],
    [{ url, client_ip: '127.0.0.1', headers: { x: 'a\r\nb' } }, 60924, '/headers'],
    [{ url, client_ip: '127.0.0.1', headers: manyHeaders(101) }, 60928, '/headers'],
    [{ url, client_ip: '127.0.0.1', client_certificate: 'none' }, 60925, '/client_certificate'],
  ] as const) {
    const { status, json, text } = await platform.api('POST', '/explain', body);
    assert.equal(status, 400, text);
    assert.equal(json.error_code, `ERR_SERVICE_${code}`, text);
    assert.equal(json.details.field, field, text);
    assert.doesNotMatch(text, /user:pass/);
  }
  const zeros = { url, client_ip: '127.0.0.1', method: '', headers: {}, without: [], client_certificate: '' };
  const answer = await platform.api('POST', '/explain', zeros);
  assert.equal(answer.json.outcome, 'served', answer.text);
});

function manyHeaders(count: number): Readonly<Record<string, string>> {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`x-${at}`, 'a']));
}
