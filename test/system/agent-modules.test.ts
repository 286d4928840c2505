/**
 * Modules in binds, with their effect on visitors.
 * Invariant: every requested module has an effect.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { after, before, beforeEach, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { clientFrame, HANDSHAKE } from '../../packages/server/src/edge/http/websocket-client.fixture.ts';
import { ClientCertificates, curlMissing, eventually, Platform } from '../harness/index.ts';
import { StockAgent, type StockBind } from './stock-agent.fixture.ts';

let platform: Platform;
let agent: StockAgent;
let handle: (request: IncomingMessage, response: ServerResponse) => void;
let requests = 0;

before(async () => {
  platform = await Platform.shared();
  agent = await StockAgent.connect(platform, (request, response) => {
    requests += 1;
    handle(request, response);
  });
});
beforeEach(() => {
  requests = 0;
  handle = (_request, response) => response.end('Hello, world!');
});
after(async () => {
  await agent.stop();
  await platform.stop();
});

interface Seen {
  readonly status: number;
  readonly code: string;
  readonly text: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

async function visit(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Seen> {
  const answer = await platform.visit(url, { headers });
  const code = String(answer.headers['underpass-error-code'] ?? '').replace('ERR_SERVICE_', '');
  return { status: answer.status, code, text: answer.text, headers: answer.headers };
}

/** Returns a variable for values of headers. */
function variable(name: string): string {
  return `\${.${name}}`;
}

function codeOf(refusal: string): string {
  return /ERR_SERVICE_(\d+)$/.exec(refusal)?.[1] ?? '';
}

async function create(path: string, body: object): Promise<string> {
  const { status, json } = await platform.api('POST', path, body);
  assert.equal(status, 201, JSON.stringify(json));
  return json.id;
}

test('compression is gzip where it is taken, also for a short text and for one without a type', async () => {
  const { url } = await agent.bind({ Compression: {} });
  for (const type of ['text/plain', '']) {
    handle = (_request, response) => {
      if (type !== '') response.setHeader('content-type', type);
      response.end('Hello, world!');
    };
    const { headers } = await visit(url, { 'accept-encoding': 'gzip' });
    assert.equal(headers['content-encoding'], 'gzip', type);
    assert.equal((await visit(url)).text, 'Hello, world!');
  }
  const { url: plain } = await agent.bind({});
  assert.equal((await visit(plain, { 'accept-encoding': 'gzip' })).headers['content-encoding'], undefined);
});

test('a circuit that failed is open, and the agent gets no more requests', async () => {
  handle = (_request, response) => response.writeHead(500).end();
  const { url } = await agent.bind({ CircuitBreaker: { error_threshold: 0.01 } });
  let last = await visit(url);
  for (let i = 0; i < 100 && last.status === 500; i += 1) last = await visit(url);
  assert.deepEqual([last.status, last.code], [503, '3202']);
  const passed = requests;
  assert.ok(passed > 4 && passed < 100, `${passed} requests`);
  assert.equal((await visit(url)).code, '3202');
  assert.equal(requests, passed);
  const { url: never } = await agent.bind({ CircuitBreaker: {} });
  for (let i = 0; i < 30; i += 1) assert.equal((await visit(never)).status, 500);
});

test('addresses are allowed and denied, and what is denied is so although it is allowed', async () => {
  const allow_cidrs = ['127.0.0.1/32'];
  const served = await agent.bind({ IPRestriction: { allow_cidrs, deny_cidrs: ['10.0.0.0/8'] } });
  assert.equal((await visit(served.url)).status, 200);
  for (const restriction of [
    { allow_cidrs, deny_cidrs: ['0.0.0.0/0'] },
    { allow_cidrs: ['10.0.0.0/8', '::/0'] },
  ]) {
    const { url } = await agent.bind({ IPRestriction: restriction });
    const { status, code } = await visit(url, { 'x-forwarded-for': '10.0.0.1' });
    assert.deepEqual([status, code], [403, '3205']);
  }
});

test('headers are added, removed and filled in, and the Host of requests is replaced', async () => {
  let seen: IncomingMessage['headers'] = {};
  handle = (request, response) => {
    seen = request.headers;
    response.setHeader('python', 'lolnope').end('ok');
  };
  const { url } = await agent.bind({
    RequestHeaders: {
      add: ['foo:bar:baz', 'Host:inside.example', `x-m:${variable('http.request.method')}`],
      remove: ['Baz'],
    },
    ResponseHeaders: { add: ['spam:eggs'], remove: ['python'] },
  });
  const { headers, status } = await visit(url, { baz: 'bad', foo: 'own' });
  assert.equal(status, 200);
  assert.equal(seen.host, 'inside.example');
  assert.equal(seen.foo, 'own, bar:baz');
  assert.equal(seen['x-m'], 'GET');
  assert.equal(seen.baz, undefined);
  assert.deepEqual([headers.spam, headers.python], ['eggs', undefined]);
});

test('an upstream that knows itself by the Host it is told leads visitors back to the name they asked for', async () => {
  handle = ({ url = '', headers: { host } }, response) => {
    const location = url === '/home' ? `http://${host}/start?a=b` : 'https://elsewhere.example/';
    response.writeHead(302, { location }).end();
  };
  const { url } = await agent.bind({ RequestHeaders: { add: ['host:localhost:3000'] } });
  const { origin } = new URL(url);
  assert.equal((await visit(`${origin}/home`)).headers.location, `${origin}/start?a=b`);
  assert.equal((await visit(`${origin}/away`)).headers.location, 'https://elsewhere.example/');
  const gone = await agent.bind({
    RequestHeaders: { add: ['host:localhost:3000'] },
    ResponseHeaders: { remove: ['location'] },
  });
  assert.equal((await visit(new URL('/home', gone.url).href)).headers.location, undefined);
});

function login(text: string): Readonly<Record<string, string>> {
  return { authorization: `Basic ${Buffer.from(text).toString('base64')}` };
}

test('visitors log in with what the agent was started with, in clear text, hashed, or as older agents say it', async () => {
  const hashed_password = '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW';
  const credentials = [
    { username: 'user', cleartext_password: 'foobarbaz' },
    { username: 'bob', hashed_password },
  ];
  const { url, options } = await agent.bind({ BasicAuth: { credentials }, Auth: 'old:online1line' });
  const { status, code, headers } = await visit(url);
  assert.deepEqual([status, code, requests], [401, '', 0]);
  assert.equal(headers['www-authenticate'], 'Basic realm="Underpass", charset="UTF-8"');
  for (const right of ['user:foobarbaz', 'bob:U*U', 'old:online1line']) {
    assert.equal((await visit(url, login(right))).status, 200, right);
  }
  assert.equal((await visit(url, login('user:foobarba'))).status, 401);
  assert.deepEqual(options.BasicAuth, { credentials }, 'as it was sent, for the next bind');
});

test('webhooks reach the agent to the byte when their sender has signed them, and not at all otherwise', async () => {
  let got: { readonly body: Buffer; readonly signature: unknown } | null = null;
  handle = (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      got = { body: Buffer.concat(chunks), signature: request.headers['x-hub-signature-256'] };
      response.end('ok');
    });
  };
  const { url } = await agent.bind({ WebhookVerification: { provider: 'GITHUB', secret: 'It is a secret' } });
  const body = randomBytes(300_000);
  const signature = `sha256=${createHmac('sha256', 'It is a secret').update(body).digest('hex')}`;
  const send = async (sent: Buffer, headers: Readonly<Record<string, string>>) => {
    const answer = await platform.visit(url, { method: 'POST', headers, body: sent });
    return [answer.status, answer.headers['underpass-error-code']];
  };
  assert.deepEqual(await send(body, { 'x-hub-signature-256': signature }), [200, undefined]);
  assert.deepEqual(got, { body, signature });
  const refused = [403, 'ERR_SERVICE_3204'];
  assert.deepEqual(await send(body.subarray(1), { 'x-hub-signature-256': signature }), refused);
  assert.deepEqual(await send(body, {}), refused);
  assert.deepEqual(await send(Buffer.alloc(3_000_000), {}), [413, 'ERR_SERVICE_60428']);
  assert.equal(requests, 1);
});

test('programs are served by what they call themselves', async () => {
  const { url } = await agent.bind({ UserAgentFilter: { allow: ['foo.*'], deny: ['.*'] } });
  const refused = await visit(url, { 'user-agent': 'curl' });
  assert.deepEqual([refused.status, refused.code], [403, '3211']);
  assert.equal((await visit(url, { 'user-agent': 'foobarbaz' })).status, 200);
});

test('what is in WebSocket messages is bytes for the agent, and a request is refused', async () => {
  const { url } = await agent.bind({ WebsocketTCPConverter: {} });
  assert.deepEqual([(await visit(url)).status, (await visit(url)).code], [400, '3206']);
  agent.echoes = true;
  const { hostname } = new URL(url);
  const socket = await platform.client.tls(hostname);
  let heard = '';
  socket.on('data', (bytes: Buffer) => {
    heard += bytes.toString('latin1');
  });
  socket.write(`GET / HTTP/1.1\r\nHost: ${hostname}\r\n${HANDSHAKE}\r\n`);
  socket.write(clientFrame(0x82, 'over and back'));
  await eventually(() => assert.ok(heard.endsWith('\x82\rover and back'), heard));
  socket.destroy();
  agent.echoes = false;
});

test('visitors are asked for certificates of the authorities that the agent named, one or several', {
  skip: curlMissing,
}, async (t) => {
  const made = new ClientCertificates();
  t.after(() => made.remove());
  const [one, two, other] = ['One', 'Two', 'Other'].map((name) => made.authority(name));
  const joined = Buffer.from(`${one!.pem}${two!.pem}`).toString('base64');
  handle = (request, response) => response.end(String(request.headers['underpass-mtls-subject-cn']));
  const { url } = await agent.bind({ MutualTLSCA: { mutual_tls_ca: joined } });
  const { hostname } = new URL(url);
  const ask = async (...more: readonly string[]): Promise<string> => {
    const target = ['--resolve', `${hostname}:${platform.port}:127.0.0.1`, url];
    const args = ['-s', '--cacert', platform.bootstrap.ca_file, ...more, ...target];
    return (await promisify(execFile)('curl', args).catch(() => ({ stdout: 'refused' }))).stdout;
  };
  assert.equal(await ask(), 'refused');
  for (const [signer, expected] of [
    [one, 'ada'],
    [two, 'ada'],
    [other, 'refused'],
  ] as const) {
    const { pemFile, keyFile } = made.make('ada', signer);
    assert.equal(await ask('--cert', pemFile, '--key', keyFile), expected);
  }
});

test('an agent that comes back with what it was answered has its modules again', async () => {
  const mine = await StockAgent.connect(platform, (_request, response) => response.end('ok'));
  const bound = await mine.bind({ UserAgentFilter: { deny: ['.*'] }, Compression: {} }, { Id: 'mine' });
  assert.equal((await visit(bound.url)).code, '3211');
  await mine.stop();
  const again = await StockAgent.connect(platform, (_request, response) => response.end('ok'), {
    earlier: mine.session,
  });
  const rebound = await again.bind(bound.options, { Id: 'mine', Token: bound.token });
  assert.equal(rebound.url, bound.url);
  assert.equal((await visit(bound.url)).code, '3211');
  await again.stop();
});

test('options that cannot be are refused with a code of their own, and nothing is bound', async () => {
  const ca = (text: string) => ({ MutualTLSCA: { mutual_tls_ca: Buffer.from(text).toString('base64') } });
  const client = { issuer_url: 'https://id.example', client_id: 'c', client_secret: 's' };
  for (const [code, options] of [
    ['361', { CircuitBreaker: { error_threshold: 1.5 } }],
    ['361', { CircuitBreaker: { error_threshold: -1 } }],
    ['301', { CircuitBreaker: { error_threshold: 'half' } }],
    ['301', { CircuitBreaker: 0.5 }],
    ['362', { IPRestriction: { allow_cidrs: ['10.0.0.0'] } }],
    ['362', { IPRestriction: { allow_cidrs: ['10.0.0.1/8'] } }],
    ['393', { IPRestriction: { deny_cidrs: ['10.0.0.0/8'] } }],
    ['301', { IPRestriction: { allow_cidrs: '10.0.0.0/8' } }],
    ['370', { RequestHeaders: { add: ['foo'] } }],
    ['371', { ResponseHeaders: { add: ['foo'] } }],
    ['372', { RequestHeaders: { add: ['f o:1'] } }],
    ['373', { ResponseHeaders: { remove: ['f\r\no'] } }],
    ['374', { RequestHeaders: { add: ['foo:a\nb'] } }],
    ['375', { RequestHeaders: { add: ['foo:1', 'Foo:2'] } }],
    ['376', { RequestHeaders: { add: Array.from({ length: 11 }, (_, i) => `h${i}:1`) } }],
    ['377', { RequestHeaders: { remove: ['h'.repeat(129)] } }],
    ['378', { RequestHeaders: { add: [`foo:${'x'.repeat(4097)}`] } }],
    ['398', { RequestHeaders: { remove: ['Host'] } }],
    ['60521', { RequestHeaders: { add: ['User-Agent:me'] } }],
    ['60522', { ResponseHeaders: { add: ['Transfer-Encoding:chunked'] } }],
    ['60522', { ResponseHeaders: { remove: ['Underpass-Error-Code'] } }],
    ['60252', { RequestHeaders: { add: [`foo:${variable('nothing')}`] } }],
    ['60253', { RequestHeaders: { add: [`foo:${variable('conn').slice(0, -1)}`] } }],
    ['2090', { UserAgentFilter: { deny: ['(a)\\1'] } }],
    ['60524', { UserAgentFilter: { allow: Array.from({ length: 51 }, () => 'a') } }],
    ['60420', { MutualTLSCA: { mutual_tls_ca: 'no base64!' } }],
    ['60420', ca('not PEM')],
    ['60420', ca('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n')],
    ['359', { BasicAuth: { credentials: [{ username: '', cleartext_password: 'long enough' }] } }],
    ['359', { Auth: 'nocolon1' }],
    ['360', { BasicAuth: { credentials: [{ username: 'u', cleartext_password: 'short' }] } }],
    ['360', { Auth: `u:${'x'.repeat(129)}` }],
    ['60423', { BasicAuth: { credentials: [{ username: 'u', hashed_password: 'x' }] } }],
    ['60422', { BasicAuth: { credentials: Array.from({ length: 21 }, () => ({ username: 'u' })) } }],
    ['301', { BasicAuth: { credentials: ['user:password'] } }],
    ['363', { WebhookVerification: { secret: 's' } }],
    ['364', { WebhookVerification: { provider: 'sns' } }],
    ['364', { WebhookVerification: { provider: 'nobody', secret: 's' } }],
    ['7027', { WebhookVerification: { provider: 'stripe' } }],
    ['7154', { WebhookVerification: { provider: 'stripe', secret: 's'.repeat(513) } }],
    ['9026', { TrafficPolicy: 'x' }],
    ['9026', { TrafficPolicy: '{"on_http_request":' }],
    ['9026', { TrafficPolicy: 'on_http_request: [{}]' }],
    ['9026', { Policy: { Inbound: [{ Name: 'x' }] } }],
    ['2201', { TrafficPolicy: 'on_http_request: [{actions: [{type: deny}]}]' }],
    ['2201', { Policy: { Inbound: [{ Actions: [{ Type: 'deny' }] }] } }],
    ['60339', { OAuth: { provider: 'google' } }],
    ['7033', { OAuth: { provider: 'Google', client_id: 'c' } }],
    ['60700', { OAuth: { provider: 'nobody', client_id: 'c', client_secret: 's' } }],
    ['7037', { OAuth: { client_id: 'c', client_secret: 's' } }],
    ['7037', { OAuth: {} }],
    ['7088', { OIDC: { client_id: 'c' } }],
    ['7088', { OIDC: {} }],
    ['363', { WebhookVerification: {} }],
    ['60541', { BasicAuth: {} }],
    ['60541', { BasicAuth: { credentials: [] } }],
    ['60541', { BasicAuth: { credentials: null } }],
    ['359', { BasicAuth: { credentials: [{}] } }],
    ['60542', { IPRestriction: {} }],
    ['60542', { IPRestriction: { allow_cidrs: [], deny_cidrs: null } }],
    ['60420', { MutualTLSCA: {} }],
    ['60420', { MutualTLSCA: { mutual_tls_ca: '' } }],
    ['60420', { MutualTLSCA: { mutual_tls_ca: null } }],
    ['60705', { MutualTLSAtEdge: {} }],
    ['60330', { OIDC: { issuer_url: 'http://id.example', client_id: 'c', client_secret: 's' } }],
    ['7089', { OIDC: { issuer_url: 'https://id.example' } }],
    ['7090', { OIDC: { issuer_url: 'https://id.example', client_id: 'c' } }],
    ['60334', { OIDC: { ...client, scopes: ['a b'] } }],
    ['60336', { OIDC: { ...client, allow_emails: ['nobody'] } }],
    ['60336', { OIDC: { ...client, allow_domains: ['a@example.com'] } }],
    ['60335', { OIDC: { ...client, allow_domains: Array.from({ length: 101 }, () => 'example.com') } }],
    ['60307', { SAML: { idp: 'x' } }],
  ] as const) {
    const refusal = await agent.refusal({ ...options, Subdomain: 'refused' });
    assert.equal(codeOf(refusal), code, JSON.stringify(options));
  }
  assert.equal((await visit('refused.underpass.localhost')).code, '3200');
});

test('a tunnel with an empty traffic policy is bound and serves as without one', async () => {
  for (const TrafficPolicy of ['{}', '{"inbound":[],"outbound":[]}', 'on_http_request: []\n', null]) {
    const bound = await agent.bind({ Subdomain: 'emptypolicy', TrafficPolicy });
    assert.equal((await visit(bound.url)).status, 200, String(TrafficPolicy));
    await agent.unbind(bound.id);
  }
});

describe('a module that the endpoint configuration of the name has, too', () => {
  const name = 'both.underpass.localhost';
  const asked = { Compression: {}, IPRestriction: { allow_cidrs: ['127.0.0.0/8'] } };
  let domain: string;
  let configuration: string;
  let bound: StockBind;

  before(async () => {
    domain = `/reserved_domains/${await create('/reserved_domains', { name })}`;
    configuration = await create('/endpoint_configurations', { type: 'https' });
    await platform.api('PATCH', domain, { https_endpoint_configuration_id: configuration });
    bound = await agent.bind({ Hostname: name, ...asked });
  });

  test('shuts the name, from the answer of the API on, until one of them leaves it out', async () => {
    const path = `/endpoint_configurations/${configuration}`;
    const policy = await create('/ip_policies', {});
    for (const [module, body] of [
      ['compression', {}],
      ['ip_policy', { ip_policy_ids: [policy] }],
    ] as const) {
      assert.equal((await visit(bound.url)).status, 200, module);
      await platform.api('PUT', `${path}/${module}`, body);
      const { status, code } = await visit(bound.url);
      assert.deepEqual([status, code], [503, '6011'], module);
      const again = await agent.refusal({ Hostname: name, ...asked });
      assert.equal(codeOf(again), module === 'ip_policy' ? '344' : '60429', 'a new bind is refused');
      await platform.api('PUT', `${path}/${module}`, { ...body, enabled: false });
    }
    assert.equal((await visit(bound.url)).status, 200);
  });

  test('says how visitors log in, the agent with what', async () => {
    const path = `/endpoint_configurations/${configuration}`;
    const ask = await platform.api('PUT', `${path}/basic_auth`, { realm: 'Reports' });
    assert.deepEqual(ask.json, {
      enabled: true,
      auth_provider_id: 'agent',
      realm: 'Reports',
      allow_options: false,
    });
    const refused = await visit(bound.url, login('user:foobarbaz'));
    assert.deepEqual([refused.status, refused.code], [503, '60424']);
    const credentials = [{ username: 'user', cleartext_password: 'foobarbaz' }];
    bound = await agent.bind({ ...bound.options, BasicAuth: { credentials } });
    const { headers } = await visit(bound.url);
    assert.equal(headers['www-authenticate'], 'Basic realm="Reports", charset="UTF-8"');
    assert.equal((await visit(bound.url, login('user:foobarbaz'))).status, 200);
    const saml = await platform.api('PUT', `${path}/basic_auth`, { auth_provider_id: 'ldap' });
    assert.equal(saml.json.error_code, 'ERR_SERVICE_1612');
    await platform.api('DELETE', `${path}/basic_auth`);
    assert.equal((await visit(bound.url)).status, 401, 'the agent asks for it all the same');
    bound = await agent.bind({ ...bound.options, BasicAuth: null });
  });

  test('other modules of both apply together', async () => {
    await platform.api('PUT', `/endpoint_configurations/${configuration}/response_headers`, {
      add: { 'x-by': 'api' },
    });
    const { headers } = await visit(bound.url, { 'accept-encoding': 'gzip' });
    assert.deepEqual([headers['content-encoding'], headers['x-by']], ['gzip', 'api']);
  });
});
