import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { ErrorCode, type MuxStream } from '@underpass/wire';
import { until } from '../../../../../test/harness/until.ts';
import type { CircuitBreakerModule } from '../../documents/index.ts';
import { tunnelBackend } from '../backends/tunnel-backend.ts';
import { unservedBackend } from '../backends/unserved-backend.ts';
import { compileRoute } from '../compile/compile-route.ts';
import { byHand, get, NAME, siteOf, startTestServer } from '../http/test-server.fixture.ts';
import type { Look } from '../sites/look.ts';
import type { Guard, RequestFacts, Route } from '../sites/site.ts';
import { circuitBreakerModule } from './circuit-breaker.ts';
import type { RouteParts } from './module.ts';

const look: Look = {
  get: () => undefined,
  group: () => [],
  rules: () => assert.fail(),
  secret: () => null,
  login: null,
  backend: () => assert.fail(),
};

/** Everything as usual, but for a threshold. */
const config: CircuitBreakerModule = {
  enabled: true,
  tripped_duration: 0,
  rolling_window: 0,
  num_buckets: 0,
  volume_threshold: 0,
  error_threshold_percentage: 0.5,
};

function breaker(changes: Partial<CircuitBreakerModule> = {}) {
  let time = 1_000_000;
  const module = circuitBreakerModule(() => time);
  const parts = module.compile(
    { ...config, ...changes },
    { look, place: '', account: 'ac_1', carrier: 'here', before: undefined },
  );
  const guard = parts.guards![0]!;
  assert.ok(guard.reads === 'request');
  /** Sends a request, and returns its outcome and record. */
  const ask = (): string => {
    const preview = guard.preview({} as RequestFacts);
    assert.deepEqual(guard.preview({} as RequestFacts), preview);
    const verdict = guard.check({} as RequestFacts);
    assert.ok(!(preview instanceof Promise));
    assert.equal(preview.verdict, verdict);
    return verdict === null ? guard.allowed!() : String(verdict);
  };
  const answer = (status: number, decision = 'allow', times = 1): void => {
    const request = { decisions: new Map([['circuit_breaker', decision]]) };
    for (let i = 0; i < times; i += 1) parts.watches![0]!.answered(status, request);
  };
  const pass = (seconds: number): void => {
    time += seconds * 1000;
  };
  return { module, parts, ask, answer, pass };
}

test('a share of failures among enough answers opens the circuit', () => {
  for (const [good, bad, told] of [
    [10, 9, 'allow'],
    [10, 10, 'circuitOpen'],
    [11, 10, 'allow'],
    [0, 19, 'allow'],
    [0, 20, 'circuitOpen'],
  ] as const) {
    const { ask, answer } = breaker();
    answer(499, 'allow', good);
    answer(500, 'allow', bad);
    assert.equal(ask(), told, `${good} and ${bad}`);
  }
});

test('what is set counts, and what is 0 stands for the usual', () => {
  const { ask, answer, pass } = breaker({ volume_threshold: 2, rolling_window: 60, tripped_duration: 30 });
  answer(500);
  pass(50);
  assert.equal(ask(), 'allow');
  answer(500);
  assert.equal(ask(), 'circuitOpen');
  pass(29.9);
  assert.equal(ask(), 'circuitOpen');
  pass(0.1);
  assert.equal(ask(), 'allow_while_open');

  const sensitive = breaker({ error_threshold_percentage: 1, volume_threshold: 1 });
  sensitive.answer(500);
  assert.equal(sensitive.ask(), 'circuitOpen');
  const off = breaker({ error_threshold_percentage: 0 });
  off.answer(500, 'allow', 100);
  assert.equal(off.ask(), 'allow', 'without a threshold it never opens');
});

test('failures of long ago are forgotten', () => {
  const { ask, answer, pass } = breaker();
  answer(500, 'allow', 19);
  pass(10);
  answer(500, 'allow', 19);
  assert.equal(ask(), 'allow');
  answer(500);
  assert.equal(ask(), 'circuitOpen');
});

test('one request at a time tries whether it is over, and its answer alone decides', () => {
  const { ask, answer, pass } = breaker();
  answer(503, 'allow', 20);
  assert.equal(ask(), 'circuitOpen');
  pass(10);
  assert.equal(ask(), 'allow_while_open');
  assert.equal(ask(), 'circuitOpen');
  answer(200);
  assert.equal(ask(), 'circuitOpen', 'of a request from before');
  answer(500, 'allow_while_open');
  pass(9);
  assert.equal(ask(), 'circuitOpen');
  pass(1);
  assert.equal(ask(), 'allow_while_open');
  answer(200, 'allow_while_open');
  assert.equal(ask(), 'allow');
  answer(500, 'allow', 19);
  assert.equal(ask(), 'allow', 'what was before is forgotten');
});

test('a request that tries and is never answered does not keep the circuit open', () => {
  const { ask, answer, pass } = breaker();
  answer(500, 'allow', 20);
  pass(10);
  assert.equal(ask(), 'allow_while_open');
  answer(0, 'allow_while_open');
  assert.equal(ask(), 'allow_while_open', 'its visitor left');
  pass(10);
  assert.equal(ask(), 'allow_while_open', 'nothing was heard of it');
});

test('what the same backend did is remembered when the route is compiled again', () => {
  const { module, parts } = breaker();
  assert.equal(
    module.compile(config, { look, place: '', account: 'ac_1', carrier: 'here', before: parts }),
    parts,
  );

  const route = (id: string, threshold: number, before?: ReturnType<typeof compileRoute>) =>
    compileRoute({
      id: 'edghtsrt_1',
      account: 'ac_1',
      place: 'edghtsrt_1',
      fields: { circuit_breaker: { ...config, error_threshold_percentage: threshold } },
      look,
      backend: unservedBackend(id, 'nothingOnline'),
      before,
    });
  const first = route('bkdtg_1', 0.5);
  assert.equal(first.refusal, null);
  assert.equal(route('bkdtg_1', 0.5, first).guards[0], first.guards[0]);
  assert.notEqual(route('bkdtg_1', 0.4, first).guards[0], first.guards[0]);
  assert.notEqual(route('bkdtg_2', 0.5, first).guards[0], first.guards[0]);
});

// ----- on traffic

async function guarded(t: TestContext, changes: Partial<CircuitBreakerModule> = {}) {
  let time = 0;
  let status = 500;
  const waiting: MuxStream[] = [];
  const testServer = await startTestServer(
    t,
    byHand((stream, soFar) => {
      const request = soFar.slice(soFar.lastIndexOf('GET '));
      if (request.startsWith('GET /wait')) waiting.push(stream);
      else if (request.startsWith('GET /reset')) stream.reset(ErrorCode.streamRefused);
      else stream.write(Buffer.from(`HTTP/1.1 ${status} X\r\nContent-Length: 2\r\n\r\nok`));
    }),
  );
  const module = circuitBreakerModule(() => time);
  const parts: RouteParts = module.compile(
    { ...config, volume_threshold: 2, ...changes },
    { look, place: '', account: 'ac_1', carrier: 'here', before: undefined },
  );
  const backend = tunnelBackend(testServer.agents[0]!.tunnel);
  const site = () => siteOf(backend, { ...(parts as Partial<Route>), readsRequest: true });
  testServer.sites.set(NAME, site());
  const client = await testServer.connect();
  const visit = async (path = '/'): Promise<string> => {
    client.send(get(path));
    const answer = await client.answer();
    const code = answer.headers.get('underpass-error-code') ?? '';
    return `${answer.status} ${code.replace('ERR_TEST_', '')}`.trim();
  };
  return {
    testServer,
    backend,
    site,
    waiting,
    visit,
    pass: (seconds: number) => {
      time += seconds * 1000;
    },
    answerWith: (next: number) => {
      status = next;
    },
  };
}

test('an open circuit answers without the backend, and the record says what was decided', async (t) => {
  const { testServer, visit, pass, answerWith } = await guarded(t);
  const { observed } = testServer;
  assert.deepEqual([await visit(), await visit(), await visit()], ['500', '500', '503 3202']);
  pass(10);
  answerWith(200);
  assert.deepEqual([await visit(), await visit()], ['200', '200']);
  assert.deepEqual(
    observed.map(({ decisions }) => decisions.get('circuit_breaker')),
    ['allow', 'allow', 'block', 'allow_while_open', 'allow'],
  );
  assert.equal(observed[2]!.error, 'circuitOpen');
  assert.equal(observed[2]!.servedBy, '');
});

test('a service that cannot be reached counts, a visitor that leaves does not', async (t) => {
  const { testServer, visit, pass, waiting } = await guarded(t);
  for (let i = 1; i <= 3; i += 1) {
    const leaving = await testServer.connect();
    leaving.send(get('/wait'));
    await until(() => waiting.length === i);
    leaving.socket.destroy();
    await until(() => testServer.observed.length === i);
  }
  assert.deepEqual(
    [await visit('/reset'), await visit('/reset'), await visit()],
    ['502 8012', '502 8012', '503 3202'],
  );
  pass(10);
  const trying = await testServer.connect();
  trying.send(get('/wait'));
  await until(() => waiting.length === 4);
  assert.equal(await visit(), '503 3202');
  const before = testServer.observed.length;
  trying.socket.destroy();
  await until(() => testServer.observed.length > before);
  assert.equal(await visit(), '500', 'the next one tries');
});

test('a request that is sent to log in first does not keep an open circuit from being tried', async (t) => {
  const { testServer, site, visit, pass, answerWith } = await guarded(t);
  const { route } = site();
  const { guards, ...others } = route('/');
  const check = (request: RequestFacts) => (request.target === '/in' ? null : 'loginNeeded');
  const login: Guard = { name: 'saml', reads: 'request', check };
  testServer.sites.set(NAME, siteOf(others.backend, { ...others, guards: [...guards, login] }));
  assert.deepEqual([await visit('/in'), await visit('/in'), await visit('/in')], ['500', '500', '503 3202']);
  pass(10);
  answerWith(200);
  assert.match(await visit('/out'), /^401 /);
  assert.equal(await visit('/in'), '200');
  assert.deepEqual(
    testServer.observed.slice(-2).map(({ servedBy }) => servedBy !== ''),
    [false, true],
  );
});

test('what is under way goes on when the circuit opens or the module is put, whatever else changes', async (t) => {
  const { testServer, backend, site, visit, waiting } = await guarded(t);
  const [guardedOne, unguarded] = [await testServer.connect(), await testServer.connect()];
  guardedOne.send(get('/wait'));
  await until(() => waiting.length === 1);
  assert.deepEqual([await visit(), await visit(), await visit()], ['500', '500', '503 3202']);
  testServer.sites.set(NAME, site());
  testServer.edge.recheck(null);
  testServer.sites.set(NAME, siteOf(backend));
  unguarded.send(get('/wait'));
  await until(() => waiting.length === 2);
  testServer.sites.set(NAME, site());
  testServer.edge.recheck(null);
  for (const stream of waiting) stream.write(Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'));
  assert.equal((await guardedOne.answer()).body, 'ok');
  assert.equal((await unguarded.answer()).body, 'ok');
  assert.equal(await visit(), '503 3202');
});
