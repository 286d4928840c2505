/** Owners see on their agents what the edge refused, and why. Invariant: nothing of it gets to other agents, and a flood is counted. */
import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { idpMetadata } from '../../packages/server/src/pki/idp-metadata.fixture.ts';
import {
  ClientCertificates,
  curl,
  curlMissing,
  eventually,
  freePorts,
  Platform,
  Process,
  type RunningAgent,
  startUpstream,
  type Upstream,
} from '../harness/index.ts';
import { addAccount, httpsEdge, rawHttp, statuses } from './attacks.fixture.ts';
import { type SamlResource, SamlVisitor } from './saml-visitor.fixture.ts';
import { StockAgent } from './stock-agent.fixture.ts';

const AGENT = fileURLToPath(import.meta.resolve('../../packages/agent/bin/underpass.js'));
const FLOOD = 10_000;
const made = new ClientCertificates();
let platform: Platform;
let upstream: Upstream;
let port: string;

before(async () => {
  platform = await Platform.start();
  upstream = await startUpstream((request, response) => {
    response.statusCode = request.url === '/fail' ? 500 : 200;
    response.end('ok');
  });
  port = String(upstream.port);
});
after(async () => {
  await platform.stop();
  await upstream.stop();
  made.remove();
});

interface Refused {
  readonly event: 'refused';
  readonly time: string;
  readonly method: string;
  readonly host: string;
  readonly path: string;
  readonly status: number | null;
  readonly code: string;
  readonly reason: string;
  readonly module: string;
  readonly client_addr: string;
}

interface Line {
  readonly event: string;
  readonly host?: string;
  readonly count?: number;
}

function eventsOf<T extends Line>(process: Process, event: string): readonly T[] {
  return process.lines.map((line) => JSON.parse(line) as T).filter((line) => line.event === event);
}

function refusedAt({ process }: RunningAgent): readonly Refused[] {
  return eventsOf<Refused>(process, 'refused');
}

/** Returns the reports of refusals to an agent, after so many have arrived. */
async function told(agent: RunningAgent, count = 1): Promise<readonly Refused[]> {
  return await eventually(() => {
    const refused = refusedAt(agent);
    assert.ok(refused.length >= count, agent.process.output);
    assert.equal(refused.length, count);
    return refused;
  });
}

async function create(path: string, body: object): Promise<string> {
  const { status, text, json } = await platform.api('POST', path, body);
  assert.equal(status, 201, text);
  return json.id as string;
}

async function put(path: string, body: object): Promise<void> {
  const { status, text } = await platform.api('PUT', path, body);
  assert.equal(status, 200, text);
}

/** Path of the only route of an edge. */
async function routeOf(edge: string): Promise<string> {
  const { json } = await platform.api('GET', edge);
  const [route] = json.routes as readonly { readonly id: string }[];
  return `${edge}/routes/${route?.id}`;
}

function basic(user: string): Record<string, string> {
  return { authorization: `Basic ${Buffer.from(user).toString('base64')}` };
}

test('a login that is missing or wrong is reported with the reason, and nothing of the secrets in it', async () => {
  const agent = await platform.agent(['http', port, '--basic-auth', 'ada:correct-horse']);
  const { url } = agent;
  assert.equal((await platform.visit(`${url}/page?token=very-secret`)).status, 401);
  assert.equal((await platform.visit(url, { headers: basic('ada:wrong-secret') })).status, 401);
  assert.equal((await platform.visit(url, { headers: basic('ada:correct-horse') })).status, 200);
  const [missing, wrong] = await told(agent, 2);
  const { time, client_addr, ...rest } = missing!;
  assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.match(client_addr, /^127\.0\.0\.1:\d+$/);
  assert.deepEqual(rest, {
    ...{ event: 'refused', method: 'GET', host: new URL(url).host, path: '/page', status: 401 },
    ...{ code: '', reason: 'The request has no name and password.', module: 'basic_auth' },
  });
  assert.equal(wrong?.reason, 'The name or the password is wrong.');
  const [sent] = eventsOf<Line>(agent.process, 'request');
  assert.equal(sent?.host, missing?.host);
  assert.doesNotMatch(agent.process.output, /secret|correct-horse/);
});

test('a refused address is reported, of requests and of connections of bytes', async () => {
  const agent = await platform.agent(['http', port, '--cidr-allow', '192.0.2.0/24']);
  assert.equal((await platform.visit(`${agent.url}/é%00`)).status, 403);
  const [refused] = await told(agent);
  assert.deepEqual([refused?.module, refused?.status], ['ip_restriction', 403]);
  assert.match(refused?.code ?? '', /^ERR_SERVICE_3205$/);
  assert.match(refused?.reason ?? '', /^The IP restriction of .* does not allow the address/);
  const bytes = await platform.agent(['tls', port, '--cidr-allow', '192.0.2.0/24']);
  const host = new URL(bytes.url).hostname;
  await rawHttp(platform, host, 'GET / HTTP/1.1\r\n\r\n').catch(() => {});
  const [closed] = await told(bytes);
  assert.deepEqual([closed?.host, closed?.method, closed?.status], [`${host}:${platform.port}`, '', null]);
  assert.equal(closed?.module, 'ip_restriction');
});

test('webhooks without a signature, other programs, an open circuit and failed logins are reported', async () => {
  const hook = ['--verify-webhook', 'github', '--verify-webhook-secret', 'secret'];
  const signed = await platform.agent(['http', port, ...hook]);
  assert.equal((await platform.visit(signed.url, { method: 'POST', body: '{}' })).status, 403);
  assert.deepEqual(
    (await told(signed)).map(({ method, code, module }) => [method, code, module]),
    [['POST', 'ERR_SERVICE_3204', 'webhook_verification']],
  );
  const picky = await platform.agent(['http', port, '--ua-filter-deny', 'robot']);
  assert.equal((await platform.visit(picky.url, { headers: { 'user-agent': 'robot' } })).status, 403);
  assert.equal((await told(picky))[0]?.module, 'user_agent_filter');
  const broken = await platform.agent(['http', port, '--circuit-breaker', '0.01']);
  await eventually(async () => assert.equal((await platform.visit(`${broken.url}/fail`)).status, 503));
  await eventually(() => assert.equal(refusedAt(broken)[0]?.module, 'circuit_breaker'));
  const client = ['--oauth-client-id', 'id', '--oauth-client-secret', 'hidden'];
  const inside = await platform.agent(['http', port, '--oauth', 'github', ...client]);
  const script = { 'sec-fetch-mode': 'cors' };
  assert.equal((await platform.visit(inside.url)).status, 302);
  assert.equal((await platform.visit(inside.url, { headers: script })).status, 401);
  const callback = `${inside.url}/underpass/callback?code=hidden&state=made-up`;
  const page = await platform.visit(callback);
  assert.equal(page.status, 400);
  const [asked, failed] = await told(inside, 2);
  assert.deepEqual([asked?.module, asked?.status], ['oauth', 401]);
  assert.deepEqual([failed?.path, failed?.status], ['/underpass/callback', 400]);
  assert.equal(failed?.reason, 'the state was not made here');
  assert.ok(!page.text.includes('was not made here'), page.text);
  assert.doesNotMatch(inside.process.output, /hidden|made-up/);
});

test('visitors without a client certificate, or with a wrong one, are reported', {
  skip: curlMissing,
}, async () => {
  const root = made.authority('Root');
  const wrong = made.make('eve', made.authority('Other'));
  const agent = await platform.agent(['http', port, '--mutual-tls-ca', root.pemFile]);
  const address = `${agent.url}/`;
  assert.notEqual((await curl(platform, [address])).exitCode, 0);
  const mine = ['--cert', wrong.pemFile, '--key', wrong.keyFile];
  assert.notEqual((await curl(platform, [...mine, address])).exitCode, 0);
  const [none, other] = await told(agent, 2);
  assert.deepEqual([none?.module, none?.code, none?.status], ['mutual_tls', 'ERR_SERVICE_60257', null]);
  assert.equal(other?.code, 'ERR_SERVICE_60825');
  assert.match(other?.reason ?? '', /The reason is [A-Z_]+\.$/);
  const good = made.make('ada', root);
  const { stdout } = await curl(platform, ['--cert', good.pemFile, '--key', good.keyFile, address]);
  assert.equal(stdout, 'ok');
  assert.equal(refusedAt(agent).length, 2);
});

test('lines for people name what was refused, without colours and control characters', async () => {
  const { connect_addr, ca_file, authtoken } = platform.bootstrap;
  const service = ['--server', connect_addr, '--ca', ca_file, '--authtoken', authtoken];
  const flags = ['--basic-auth', 'ada:correct-horse', '--inspect=false'];
  const agent = Process.node(AGENT, ['http', port, ...flags, ...service]);
  try {
    const { input } = await agent.line(/Forwarding +(https:\S+)/);
    const [url = ''] = /https:\S+/.exec(input) ?? [];
    await platform.visit(`${url}/a%1bb?token=secret`);
    const line = await agent.line(/refused by the service/);
    assert.match(
      line.input,
      /^\d\d:\d\d:\d\d {2}GET \/a%1bb {2}401 {2}refused by the service \(basic_auth, from 127\.0\.0\.1:\d+\): The request has/,
    );
  } finally {
    await agent.stop();
  }
});

test('the inspector lists what was refused with its reason, and sends none of it again', async () => {
  const flags = ['--basic-auth', 'ada:correct-horse', '--inspect', '127.0.0.1:0'];
  const agent = await platform.agent(['http', port, ...flags]);
  const { input } = await agent.process.line(/"event":"inspector"/);
  const { url, token } = JSON.parse(input) as { readonly url: string; readonly token: string };
  const ask = async (path: string, method = 'GET') => {
    const body = method === 'POST' ? { body: '{}' } : {};
    const answer = await fetch(`${url}/api/${path}`, {
      method,
      headers: { 'X-Inspector-Token': token },
      ...body,
    });
    return { status: answer.status, text: await answer.text() };
  };
  await platform.visit(`${agent.url}/page?token=secret`);
  await told(agent);
  const { exchanges } = JSON.parse((await ask('exchanges')).text);
  assert.equal(exchanges.length, 1);
  const { id, method, path, status, outcome, refusal } = exchanges[0];
  assert.deepEqual(
    { method, path, status, outcome, refusal },
    {
      method: 'GET',
      path: '/page',
      status: 401,
      outcome: 'complete',
      refusal: { code: '', module: 'basic_auth' },
    },
  );
  const details = JSON.parse((await ask(`exchanges/${id}`)).text);
  assert.equal(details.fault, 'The request has no name and password.');
  assert.equal(details.url, `${agent.url}/page`);
  assert.equal(details.response, null);
  const replayed = await ask(`exchanges/${id}/replay`, 'POST');
  assert.deepEqual([replayed.status, (await ask(`exchanges/${id}/curl`)).status], [400, 409]);
  assert.match(replayed.text, /refused this request/);
  assert.deepEqual(JSON.parse((await ask('har')).text).log.entries, []);
});

test('agents of a group hear of what an edge in front of it refuses, and no others', async () => {
  const other = await addAccount(platform);
  const labels = ['--label', 'app=refused'];
  const group = await Promise.all([1, 2].map(() => platform.agent(['http', port, ...labels])));
  const beside = await platform.agent(['http', port, '--label', 'app=beside']);
  const foreign = await platform.agent(['http', port, ...labels, '--authtoken', other.authtoken]);
  const edge = await httpsEdge(
    platform,
    'refused',
    await create('/backends/tunnel_group', { labels: { app: 'refused' } }),
  );
  const route = await routeOf(edge);
  await put(`${route}/user_agent_filter`, { deny: ['robot'] });
  const visit = () => platform.visit('refused.underpass.localhost', { headers: { 'user-agent': 'robot' } });
  await eventually(async () => assert.equal((await visit()).status, 403));
  for (const agent of group) await eventually(() => assert.equal(refusedAt(agent)[0]?.path, '/'));
  const malformed = await rawHttp(platform, 'refused.underpass.localhost', 'GET /\r\n\r\n');
  assert.deepEqual(statuses(malformed), [400]);
  await eventually(() => assert.equal(refusedAt(group[0]!).at(-1)?.status, 400));
  assert.deepEqual([...refusedAt(beside), ...refusedAt(foreign)], []);
});

test('a login by SAML that fails at the name of identity providers is told to the agents behind', async () => {
  const agent = await platform.agent(['http', port, '--label', 'app=saml']);
  const edge = await httpsEdge(
    platform,
    'saml',
    await create('/backends/tunnel_group', { labels: { app: 'saml' } }),
  );
  const route = await routeOf(edge);
  const path = `${route}/saml`;
  const configured = await platform.api('PUT', path, { idp_metadata: idpMetadata() });
  assert.equal(configured.status, 200, configured.text);
  const saml = configured.json as SamlResource;
  const visitor = new SamlVisitor(platform);
  const asked = await visitor.ask(`https://saml.underpass.localhost:${platform.port}/`, saml);
  assert.equal((await visitor.bring(saml, '<x', asked.relayState)).status, 403);
  const [refused] = await told(agent);
  assert.deepEqual(
    [refused?.host, refused?.module, refused?.status],
    [`saml.underpass.localhost:${platform.port}`, 'saml', 403],
  );
});

test('a local server that is down is named by the agent itself, once', async () => {
  const [free] = await freePorts(1);
  const agent = await platform.agent(['http', String(free)]);
  assert.equal((await platform.visit(`${agent.url}/down`)).status, 502);
  await agent.process.line(/"event":"upstream".*cannot be reached/);
  const server = createServer((socket) => {
    // The agent resets what it does not understand.
    socket.on('error', () => {});
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nBad Name: 1\r\n\r\n'));
  });
  await new Promise<void>((resolve) => server.listen(free, '127.0.0.1', resolve));
  assert.equal((await platform.visit(`${agent.url}/bad`)).status, 502);
  await agent.process.line(/"event":"request".*"path":"\/bad".*"fault":".*Bad Name/);
  server.close();
  assert.deepEqual(refusedAt(agent), []);
});

test('agents of others get no message that they do not know', async () => {
  const agent = await StockAgent.connect(platform, (_request, response) => response.end('ok'));
  const modules = { BasicAuth: { credentials: [{ username: 'a', cleartext_password: 'password' }] } };
  const { url } = await agent.bind(modules);
  for (let visits = 0; visits < 5; visits += 1) assert.equal((await platform.visit(url)).status, 401);
  // Another agent's report at the same time shows that this one would have arrived.
  const own = await platform.agent(['http', port, '--basic-auth', 'ada:correct-horse']);
  await platform.visit(own.url);
  await told(own);
  assert.equal((await platform.visit(url, { headers: basic('a:password') })).status, 200);
  // Frames outside the published protocol fail the stop.
  await agent.stop();
});

test('of ten thousand refused requests a few are reported, and the number of the others', async () => {
  const agent = await platform.agent(['http', port, '--basic-auth', 'ada:correct-horse']);
  const host = new URL(agent.url).hostname;
  const request = `GET /${'x'.repeat(900)} HTTP/1.1\r\nHost: ${host}\r\n`;
  const all = `${`${request}\r\n`.repeat(FLOOD - 1)}${request}Connection: close\r\n\r\n`;
  const answers = statuses(await rawHttp(platform, host, all));
  assert.equal(answers.length, FLOOD);
  const more = () => eventsOf<Line>(agent.process, 'refused_more').map(({ count = 0 }) => count);
  const sum = () => more().reduce((total, count) => total + count, 0);
  await eventually(() => assert.equal(refusedAt(agent).length + sum(), FLOOD));
  assert.ok(refusedAt(agent).length <= 200, String(refusedAt(agent).length));
  for (const { path } of refusedAt(agent)) assert.ok(path.length <= 513);
});
