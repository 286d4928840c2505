import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isCidrFault, parseCidr } from '../../core/ip/cidr.ts';
import { IpRuleSet } from '../../core/ip/ip-rule-set.ts';
import type { IpRule } from '../../core/ip/ip-rules.ts';
import { tunnelBackend } from '../backends/tunnel-backend.ts';
import { unservedBackend } from '../backends/unserved-backend.ts';
import { ipRestriction } from '../modules/ip-restriction.ts';
import type { Guard, RequestVerdict } from '../sites/site.ts';
import { byHand, get, NAME, siteOf, startTestServer } from './test-server.fixture.ts';

function rule(action: 'allow' | 'deny', range: string): IpRule {
  const cidr = parseCidr(range);
  assert.ok(!isCidrFault(cidr));
  return { action, cidr };
}

function guards(...rules: readonly IpRule[]): readonly Guard[] {
  const set = new IpRuleSet();
  for (const one of rules) set.add(one);
  const look = {
    get: () => undefined,
    group: () => [],
    rules: () => set,
    secret: () => null,
    login: null,
    backend: () => assert.fail(),
  };
  const config = { enabled: true, ip_policy_ids: ['ipp_1'] };
  return (
    ipRestriction.compile(config, { look, place: '', account: 'ac_1', carrier: 'here', before: undefined })
      .guards ?? []
  );
}

test('each request of a kept-alive connection is refused while the address is not allowed, and served when it is', async (t) => {
  const testServer = await startTestServer(t);
  const backend = tunnelBackend(testServer.agents[0]!.tunnel);
  const client = await testServer.connect();
  testServer.sites.set(NAME, siteOf(backend, { guards: guards(rule('allow', '10.0.0.0/8')) }));
  for (const spoof of [
    'X-Forwarded-For: 10.0.0.1\r\n',
    'Forwarded: for=10.0.0.1\r\nX-Real-IP: 10.0.0.1\r\n',
    '',
  ]) {
    client.send(get('/', spoof));
    const refused = await client.answer();
    assert.equal(refused.status, 403);
    assert.equal(refused.headers.get('underpass-error-code'), 'ERR_TEST_3205');
  }
  assert.equal(testServer.agents[0]?.opened.length, 0);
  testServer.sites.set(NAME, siteOf(backend, { guards: guards(rule('allow', '127.0.0.1/32')) }));
  client.send(get('/', 'X-Forwarded-For: 192.0.2.1\r\n'));
  assert.equal((await client.answer()).status, 200);
  testServer.sites.set(
    NAME,
    siteOf(backend, { guards: guards(rule('allow', '0.0.0.0/0'), rule('deny', '127.0.0.0/8')) }),
  );
  client.send(get());
  assert.equal((await client.answer()).status, 403);
  testServer.sites.set(NAME, siteOf(backend));
  client.send(get());
  assert.equal((await client.answer()).status, 200);
});

test('a visitor that is refused does not learn what else is wrong with the edge', async (t) => {
  const testServer = await startTestServer(t);
  testServer.sites.set(
    NAME,
    siteOf(unservedBackend('', 'edgeWithoutBackend'), { refusal: 'moduleWithoutEffect', guards: guards() }),
  );
  const client = await testServer.connect();
  client.send(get());
  assert.equal((await client.answer()).status, 403);
});

test('what is under way ends when it cannot be judged again, and nothing else does', async (t) => {
  const testServer = await startTestServer(
    t,
    byHand((stream) => stream.write(Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello'))),
  );
  const backend = tunnelBackend(testServer.agents[0]!.tunnel);
  const asking = (check: () => RequestVerdict | Promise<RequestVerdict>) =>
    siteOf(backend, { guards: [{ name: 'asking', reads: 'request', check }], readsRequest: true });
  testServer.sites.set(
    NAME,
    asking(() => null),
  );
  const client = await testServer.connect();
  client.send(get());
  await client.take('hello');
  testServer.sites.set(
    NAME,
    asking(() => Promise.reject(new Error('nobody could tell'))),
  );
  testServer.edge.recheck(null);
  await client.until(() => client.closed);
  assert.equal(testServer.failures.splice(0).length, 1);
});

test('what is under way ends when the address is no longer allowed: an endless answer, an upgraded connection', async (t) => {
  const heads = {
    endless: 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n',
    upgraded: 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\nhello',
  };
  for (const [kind, head] of Object.entries(heads)) {
    const testServer = await startTestServer(
      t,
      byHand((stream) => stream.write(Buffer.from(head))),
    );
    const client = await testServer.connect();
    client.send(get('/', kind === 'upgraded' ? 'Connection: Upgrade\r\nUpgrade: echo\r\n' : ''));
    await client.take('hello');
    const backend = tunnelBackend(testServer.agents[0]!.tunnel);
    testServer.sites.set(NAME, siteOf(backend, { guards: guards(rule('allow', '127.0.0.0/8')) }));
    testServer.edge.recheck(null);
    assert.equal(testServer.edge.connections, 1, kind);
    testServer.sites.set(NAME, siteOf(backend, { guards: guards() }));
    testServer.edge.recheck(null);
    await client.until(() => client.closed);
  }
});
