import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requestHeaders, responseHeaders } from '../modules/headers.ts';
import type { Backend, ConnectionFacts, Guard, Route } from '../sites/site.ts';
import {
  byHand,
  type Client,
  fixedBackend,
  get,
  NAME,
  siteOf,
  startTestServer,
  type TestServer,
} from './test-server.fixture.ts';

type Context = Parameters<typeof startTestServer>[0];
type Config = Parameters<typeof requestHeaders.compile>[0];

/** `${.name}`, written so that it is no template of JavaScript. */
function named(name: string): string {
  return `$\{.${name}}`;
}

const look = {
  get: () => undefined,
  group: () => [],
  rules: () => assert.fail(),
  secret: () => null,
  login: null,
  backend: () => assert.fail(),
};

/** The parts of a route with these modules, put together as routes are. */
function parts(
  { request, response }: { request?: Partial<Config>; response?: Partial<Config> },
  guards: readonly Guard[] = [],
): Partial<Route> {
  const whole = { enabled: true, add: {}, remove: [] };
  const requestEdits = requestHeaders.compile(
    { ...whole, ...request },
    { look, place: '', account: 'ac_1', carrier: 'here', before: undefined },
  ).requestEdits!;
  const responseEdits = responseHeaders.compile(
    { ...whole, ...response },
    { look, place: '', account: 'ac_1', carrier: 'here', before: undefined },
  ).responseEdits!;
  const readsRequest = [...requestEdits, ...responseEdits].some((edit) => edit.readsRequest);
  return { requestEdits, responseEdits, readsRequest, guards };
}

function backendOf(testServer: TestServer): Backend {
  return testServer.sites.get(NAME)!.route('/').backend;
}

interface Echo {
  readonly testServer: TestServer;
  readonly client: Client;
  /** The header lines of the latest request, as the upstream got them. */
  lines(): string[];
}

/** An upstream that answers each request with these lines. */
async function echo(t: Context, route: Partial<Route>, answer = 'X-Secret: 1\r\n'): Promise<Echo> {
  let seen = '';
  const serve = byHand((stream, soFar) => {
    seen = soFar.slice(soFar.lastIndexOf('GET '));
    stream.write(Buffer.from(`HTTP/1.1 200 OK\r\n${answer}Content-Length: 2\r\n\r\nok`));
  });
  const testServer = await startTestServer(t, serve);
  testServer.sites.set(NAME, siteOf(backendOf(testServer), route));
  return {
    testServer,
    client: await testServer.connect(),
    lines: () => seen.slice(0, -4).split('\r\n').slice(1),
  };
}

test('headers of requests are removed in any spelling, then added', async (t) => {
  const request = {
    add: { 'x-a': 'new', 'x-ip': `from ${named('conn.client_ip')}`, host: 'inside.example' },
    remove: ['x-a', 'cookie'],
  };
  const { client, lines } = await echo(t, parts({ request }));
  client.send(get('/', 'X-A: 1\r\nCookie: a\r\nx-a: 2\r\nX-B: 3\r\nCOOKIE: b\r\n'));
  assert.equal((await client.answer()).status, 200);
  assert.deepEqual(lines(), [
    'X-B: 3',
    'x-a: new',
    'x-ip: from 127.0.0.1',
    'host: inside.example',
    'X-Forwarded-For: 127.0.0.1',
    'X-Forwarded-Proto: https',
    `X-Forwarded-Host: ${NAME}`,
    'CDN-Loop: shared.test',
  ]);
});

test('what this service says about visitors can be taken away by the owner, and by no visitor', async (t) => {
  const names = ['x-forwarded-for', 'x-forwarded-host'];
  const { client, lines } = await echo(t, parts({ request: { remove: [...names, 'cdn-loop'] } }));
  client.send(get('/', 'X-Forwarded-For: 10.0.0.1\r\nConnection: X-Forwarded-Proto\r\n'));
  assert.equal((await client.answer()).status, 200);
  assert.deepEqual(lines(), [`Host: ${NAME}`, 'X-Forwarded-Proto: https', 'CDN-Loop: shared.test']);
});

test('headers of answers are removed and added, and the connection goes on', async (t) => {
  const response = {
    add: { 'x-status': named('http.response.status_code'), 'x-path': named('http.request.url.path') },
    remove: ['x-secret'],
  };
  const { client } = await echo(t, parts({ response }));
  for (const path of ['/one', '/two?x']) {
    client.send(get(path));
    const { headers, body } = await client.answer();
    assert.equal(body, 'ok');
    assert.equal(headers.get('x-status'), '200');
    assert.equal(headers.get('x-path'), path.split('?')[0]);
    assert.equal(headers.has('x-secret'), false);
  }
});

test('nothing that a visitor sends makes a line of its own, and text stays the text that it was', async (t) => {
  const add = { 'x-agent': named('http.request.user_agent'), 'x-next': 'here' };
  const { client, lines } = await echo(t, parts({ request: { add }, response: { add } }));
  const agent = Buffer.from('a\tb é\x85').toString('latin1');
  client.send(get('/', `User-Agent: ${agent}\r\n`));
  const answer = await client.answer();
  assert.equal(answer.headers.get('x-agent'), agent);
  assert.equal(answer.headers.get('x-next'), 'here');
  assert.deepEqual(lines().slice(2, 4), [`x-agent: ${agent}`, 'x-next: here']);
});

test('an answer of the edge’s own is edited as well, but for its length and error codes', async (t) => {
  const response = {
    add: { 'x-made': 'again', 'underpass-error-code': 'made up', 'x-method': named('http.request.method') },
    remove: ['x-made', 'date'],
  };
  const { testServer, client } = await echo(t, parts({ response }));
  testServer.sites.set(NAME, siteOf(fixedBackend('fixed'), parts({ response })));
  client.send(get());
  const answer = await client.answer();
  assert.equal(answer.body, 'fixed');
  assert.equal(answer.headers.get('x-made'), 'again');
  assert.equal(answer.headers.get('x-method'), 'GET');
  assert.equal(answer.headers.has('date'), false);
  assert.equal(answer.headers.has('underpass-error-code'), false);
});

test('an error code is only the edge’s, whatever was configured before it was called so', async (t) => {
  const { client } = await echo(t, parts({ response: { add: { 'underpass-error-code': 'made up' } } }));
  client.send(get());
  assert.equal((await client.answer()).headers.has('underpass-error-code'), false);
});

test('error pages have no headers but their own', async (t) => {
  const response = { add: { 'x-a': '1' } };
  const { testServer, client } = await echo(t, {});
  const backend = backendOf(testServer);
  testServer.sites.set(NAME, siteOf(backend, { ...parts({ response }), refusal: 'moduleWithoutEffect' }));
  client.send(get());
  const refused = await client.answer();
  assert.equal(refused.status, 503);
  assert.equal(refused.headers.has('x-a'), false);
});

test('what was decided of the connection is known to each of its requests', async (t) => {
  const check = (_facts: ConnectionFacts) => null;
  const response = { add: { 'x-decision': named('ip_policy.decision') } };
  const { client } = await echo(
    t,
    parts({ response }, [{ name: 'ip_restriction', reads: 'connection', check }]),
  );
  for (const path of ['/1', '/2']) {
    client.send(get(path));
    assert.equal((await client.answer()).headers.get('x-decision'), 'allow', path);
  }
});

test('an answer under way is edited by the route that decided its request', async (t) => {
  const asked = Promise.withResolvers<() => void>();
  const answer = Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
  const serve = byHand((stream) => asked.resolve(() => void stream.write(answer)));
  const testServer = await startTestServer(t, serve);
  const backend = backendOf(testServer);
  testServer.sites.set(NAME, siteOf(backend, parts({ response: { add: { 'x-a': 'before' } } })));
  const client = await testServer.connect();
  client.send(get());
  const answerNow = await asked.promise;
  const add = { 'x-a': named('http.request.method') };
  testServer.sites.set(NAME, siteOf(backend, parts({ response: { add } })));
  testServer.edge.recheck(null);
  answerNow();
  assert.equal((await client.answer()).headers.get('x-a'), 'before');
});
