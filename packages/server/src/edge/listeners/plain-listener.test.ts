import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { pino } from 'pino';
import { until } from '../../../../../test/harness/until.ts';
import { defaultUserHeaders } from '../../core/modules/user-headers.ts';
import type { Hostname } from '../../core/names/hostname.ts';
import { SourceShares } from '../backends/source-shares.ts';
import { Streams } from '../backends/streams.ts';
import { SiteTable } from '../compile/site-table.ts';
import { HttpEdge } from '../http/edge.ts';
import { DEFAULT_LIMITS } from '../http/limits.ts';
import { everything, rawClient } from './front-door.fixture.ts';
import { noLoadBalancers } from './load-balancers.fixture.ts';
import { defaultBounds, OpenConnections } from './open-connections.ts';
import type { PlainGuard } from './plain-http.ts';
import { PlainListener } from './plain-listener.ts';

const HELD = 'held.example.com';
const SERVICE = 'connect.example.com' as Hostname;
const GUARDED = 'api.example.com' as Hostname;
/** Host and token of pending orders. */
const proofs = new Set([`${HELD} token`, `${GUARDED} own`]);
const refused = { error: 'plainHttpForApi', status: 403, headers: [], body: Buffer.from('refused') } as const;

interface Parts {
  readonly publicPort?: number;
  readonly headMs?: number;
  readonly unfinished?: number;
}

async function open(t: TestContext, { publicPort = 443, headMs = 30_000, unfinished = 10 }: Parts = {}) {
  const heldFor = (name: string) => (name === HELD ? 'ac_1' : undefined);
  const sites = new SiteTable({
    online: { byName: () => undefined, onNamed: () => {}, heldFor, matching: () => [] },
  });
  const log = pino({ level: 'silent' });
  const asked: Parameters<PlainGuard['refuse']>[0][] = [];
  const guard: PlainGuard = {
    refuse(request) {
      asked.push(request);
      return refused;
    },
    keySent: () => assert.fail(),
  };
  const http = new HttpEdge({
    sites,
    streams: new Streams(new SourceShares(), DEFAULT_LIMITS),
    errorPrefix: 'ERR_T_',
    errorCodeHeader: 'service-error-code',
    userHeaders: defaultUserHeaders,
    publicPort,
    domain: 'example.com' as Hostname,
    now: () => performance.now(),
    log,
  });
  const connections = new OpenConnections({ ...defaultBounds, unfinished }, log, undefined);
  const listener = new PlainListener({
    listen: { host: '127.0.0.1', port: 0 },
    services: new Map<Hostname, { readonly plain?: PlainGuard } | null>([
      [SERVICE, null],
      [GUARDED, { plain: guard }],
    ]),
    sites,
    publicPort,
    errorCodeHeader: 'service-error-code',
    http,
    loadBalancers: noLoadBalancers,
    connections,
    log,
    limits: { ...DEFAULT_LIMITS, headMs },
    challenges: {
      httpAnswer: (name, token) => (proofs.has(`${name} ${token}`) ? 'token.key' : null),
      validationCertificate: () => null,
    },
  });
  const { port } = await listener.start();
  t.after(async () => {
    listener.stop();
    connections.destroyAll();
    await http.close(0);
  });
  const connect = () => rawClient(t, port);
  const ask = async (request: string, pieces = 1): Promise<string> => {
    const socket = connect();
    const size = Math.ceil(request.length / pieces);
    for (let at = 0; at < request.length; at += size) {
      await new Promise<void>((done) =>
        socket.write(Buffer.from(request.slice(at, at + size), 'latin1'), () => done()),
      );
    }
    return (await everything(socket)).toString('latin1');
  };
  return { connections, connect, ask, asked };
}

const locationOf = (answer: string) => /\r\nlocation: (.*)\r\n/i.exec(answer)?.[1];
const statusOf = (answer: string) => Number(answer.slice(9, 12));

test('a known name is redirected to the same path and query at HTTPS, in whatever form it was asked', async (t) => {
  const { ask } = await open(t);
  for (const [request, location] of [
    ['GET /a%20b/?q=1&r=%0d%0aX HTTP/1.1\r\nHost: held.example.com\r\n\r\n', '/a%20b/?q=1&r=%0d%0aX'],
    [
      'POST //evil.example/ HTTP/1.1\r\nHost: HELD.example.com:80\r\nContent-Length: 9\r\n\r\nnot',
      '//evil.example/',
    ],
    ['GET http://held.example.com?q HTTP/1.1\r\nHost: held.example.com\r\n\r\n', '?q'],
    ['OPTIONS * HTTP/1.1\r\nHost: held.example.com\r\n\r\n', ''],
    ['GET /old HTTP/1.0\r\nHost: held.example.com\r\n\r\n', '/old'],
    ['\r\n\r\nGET /a HTTP/1.1\r\nHost: held.example.com\r\n\r\n', '/a'],
    ['GET /stra\xdfe?q=\xfc HTTP/1.1\r\nHost: held.example.com\r\n\r\n', '/stra%DFe?q=%FC'],
    ['GET /stra\xdfe HTTP/1.0\r\nHost: held.example.com\r\n\r\n', '/stra%DFe'],
  ] as const) {
    for (const pieces of [1, 30]) {
      const answer = await ask(request, pieces);
      assert.equal(statusOf(answer), 308, answer);
      assert.equal(locationOf(answer), `https://held.example.com${location}`);
      assert.match(answer, /\r\nConnection: close\r\n/);
      assert.match(answer, /\r\ncache-control: no-store\r\n/);
    }
  }
});

test('the public port is named when it is another than that of HTTPS; a service is a known name; HEAD has no body', async (t) => {
  const { ask } = await open(t, { publicPort: 8443 });
  const answer = await ask('HEAD / HTTP/1.1\r\nHost: connect.example.com:8080\r\n\r\n', 5);
  assert.equal(locationOf(answer), 'https://connect.example.com:8443/');
  assert.ok(answer.endsWith('\r\n\r\n'));
});

test('a request without a known path gets an error, and no redirect', async (t) => {
  const { ask } = await open(t);
  for (const [request, status, code] of [
    ['GET / HTTP/1.1\r\nHost: other.example.com\r\nAccept: text/html\r\n\r\n', 404, '3200'],
    ['GET / HTTP/1.1\r\n\r\n', 400, '60218'],
    ['GET / HTTP/1.0\r\n\r\n', 400, '60218'],
    ['GET / HTTP/1.1\r\nHost: held.example.com\r\nHost: held.example.com\r\n\r\n', 400, '60218'],
    ['GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n', 400, '60218'],
    ['GET / HTTP/1.1\r\nHost: [::1]:80\r\n\r\n', 400, '60218'],
    ['GET / HTTP/1.1\r\nHost: held.example.com@evil.example\r\n\r\n', 400, '60218'],
    ['GET http://api.example.com/ HTTP/1.1\r\nHost: held.example.com\r\n\r\n', 400, '60219'],
    ['GET held HTTP/1.1\r\nHost: held.example.com\r\n\r\n', 400, '60211'],
    ['GET * HTTP/1.1\r\nHost: held.example.com\r\n\r\n', 400, '60211'],
    ['CONNECT held.example.com:443 HTTP/1.1\r\nHost: held.example.com\r\n\r\n', 501, '60222'],
    ['GET /\r\nX: y HTTP/1.1\r\nHost: held.example.com\r\n\r\n', 400, '60210'],
    ['GET / HTTP/1.1\nHost: held.example.com\n\n', 400, '60210'],
    ['\x16\x03\x01\x02\x00\x01', 400, '60210'],
    [`GET / HTTP/1.1\r\nX: ${'y'.repeat(70_000)}`, 431, '60009'],
    [`GET / HTTP/1.1\r\n${'X: y\r\n'.repeat(201)}\r\n`, 431, '60220'],
  ] as const) {
    const answer = await ask(request);
    assert.equal(statusOf(answer), status, `${request.slice(0, 80)}: ${answer}`);
    assert.match(answer, new RegExp(`\r\nservice-error-code: ERR_T_${code}\r\n`, 'i'));
    assert.equal(locationOf(answer), undefined);
    assert.doesNotMatch(answer, /\{\w+\}/);
  }
});

test('names of a service that gets secrets are refused by it, whatever is asked for', async (t) => {
  const { ask, asked } = await open(t);
  for (const request of [
    'GET / HTTP/1.1\r\nHost: api.example.com\r\n\r\n',
    'GET / HTTP/1.0\r\nHost: API.example.com:80\r\n\r\n',
    'CONNECT api.example.com:443 HTTP/1.1\r\nHost: api.example.com\r\n\r\n',
    'GET http://api.example.com/ HTTP/1.1\r\nHost: api.example.com\r\n\r\n',
    'GET http://held.example.com/ HTTP/1.1\r\nHost: api.example.com\r\n\r\n',
    'POST /x HTTP/1.1\r\nHost: api.example.com\r\nContent-Length: 1\r\nX-A: b\r\n\r\nc',
  ]) {
    const answer = await ask(request);
    assert.equal(statusOf(answer), 403, request);
    assert.ok(answer.endsWith('\r\n\r\nrefused'));
    assert.equal(locationOf(answer), undefined);
  }
  const { method, target, headers, source } = asked.at(-1)!;
  assert.deepEqual([method, target, headers.get('x-a'), source], ['POST', '/x', 'b', '127.0.0.1']);
  const path = '/.well-known/acme-challenge/token';
  assert.equal(statusOf(await ask(`GET ${path} HTTP/1.1\r\nHost: api.example.com\r\n\r\n`)), 403);
});

test('one answer a connection, whatever else comes on it', async (t) => {
  const { ask, connections } = await open(t);
  const one = 'GET / HTTP/1.1\r\nHost: held.example.com\r\n\r\n';
  const answer = await ask(one + one);
  assert.equal(answer.split('HTTP/1.1 308').length, 2);
  await until(() => connections.size === 0);
});

test('who sends no whole head is closed after the time for it, and gives way to others before', async (t) => {
  const slow = await open(t, { headMs: 1 });
  const socket = slow.connect();
  socket.write('GET / HT');
  assert.equal((await everything(socket)).length, 0);

  const { connect, ask, connections } = await open(t, { unfinished: 1 });
  const oldest = connect();
  await once(oldest, 'connect');
  await until(() => connections.size === 1);
  const ended = everything(oldest);
  assert.equal(statusOf(await ask('GET / HTTP/1.1\r\nHost: held.example.com\r\n\r\n')), 308);
  assert.equal((await ended).length, 0);
});

test('a certificate authority finds the proof of a name that was requested, and other requests find nothing', async (t) => {
  const { ask } = await open(t);
  const path = '/.well-known/acme-challenge/';
  const get = (target: string, host: string) => ask(`GET ${target} HTTP/1.1\r\nhost: ${host}\r\n\r\n`);
  const proof = await get(`${path}token`, HELD);
  assert.equal(statusOf(proof), 200);
  assert.ok(proof.endsWith('\r\n\r\ntoken.key'), proof);
  assert.equal(statusOf(await get(`${path}own`, GUARDED)), 200, 'a name of the service, too');
  assert.equal(statusOf(await get(`${path}other`, HELD)), 308);
  assert.equal(statusOf(await get(`${path}token?`, HELD)), 308);
  assert.equal(statusOf(await get(`${path}token`, SERVICE)), 308);
  assert.equal(statusOf(await get(`${path}token`, 'nobody.example.com')), 404);
});
