import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clearLogin, hashedLogin } from '../../access/passwords.ts';
import type { BasicAuthModule } from '../../documents/index.ts';
import { Problem } from '../../errors/problem.ts';
import type { AgentBasicAuth } from '../../online/agent-modules.ts';
import { testConnection } from '../sites/connection-facts.fixture.ts';
import type { RequestFacts, RequestVerdict } from '../sites/site.ts';
import { basicAuthModule } from './basic-auth.ts';

const hash = '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW';
const own: AgentBasicAuth = {
  enabled: true,
  logins: [clearLogin('ada', 'lovelace'), clearLogin('bob', 'builder1')],
};
const configured: BasicAuthModule = {
  enabled: true,
  auth_provider_id: 'agent',
  realm: 'a "b" \\',
  allow_options: true,
};
const look = {
  get: () => undefined,
  group: () => [],
  rules: () => assert.fail('a look that it does not need'),
  secret: () => null,
  login: null,
  backend: () => assert.fail('a look that it does not need'),
};

function gate(config: AgentBasicAuth | BasicAuthModule | (AgentBasicAuth & BasicAuthModule)) {
  let now = 0;
  const [guard] =
    basicAuthModule(() => now).compile(config, {
      look,
      place: '',
      account: 'ac_1',
      carrier: 'here',
      before: undefined,
    }).guards ?? [];
  assert.ok(guard?.reads === 'request');
  const requestWith = (authorization: readonly string[] | string, from = '192.0.2.1', method = 'GET') =>
    ({
      connection: testConnection({ clientAddr: `${from}:1` }),
      method,
      target: '/',
      values: () => [authorization].flat(),
      decisions: new Map(),
      admittedBy: () => null,
    }) satisfies RequestFacts;
  const ask = (...sent: Parameters<typeof requestWith>) => guard.check(requestWith(...sent));
  const visitorOf = (...sent: Parameters<typeof requestWith>) => guard.visitorOf?.(requestWith(...sent));
  const preview = async (...sent: Parameters<typeof requestWith>) => guard.preview(requestWith(...sent));
  return { ask, preview, visitorOf, pass: (ms: number) => (now += ms) };
}

function basic(text: string): string {
  return `Basic ${Buffer.from(text).toString('base64')}`;
}

function statusOf(verdict: RequestVerdict | Promise<RequestVerdict>): number | string | null {
  assert.ok(!(verdict instanceof Promise));
  if (typeof verdict !== 'object' || verdict === null) return verdict;
  return verdict.kind === 'reply' ? verdict.status : verdict.error;
}

test('a visitor with a name and its password is served, and no other', () => {
  const { ask } = gate(own);
  assert.equal(statusOf(ask(basic('ada:lovelace'))), null);
  assert.equal(statusOf(ask(basic('ada:lovelace').replace('Basic', 'bAsIc  '))), null);
  for (const wrong of [
    [],
    '',
    'Basic',
    'Basic ****',
    basic('ada'),
    basic('ada:love'),
    basic('Ada:lovelace'),
    basic(':'),
    'Bearer ada:lovelace',
    [basic('ada:lovelace'), basic('ada:lovelace')],
    `${basic('ada:lovelace')}, ${basic('x:y')}`,
    basic(`ada:${'x'.repeat(3000)}`),
  ]) {
    assert.equal(statusOf(ask(wrong)), 401, String(wrong));
  }
});

test('the record has the name that a visitor sent, right or wrong, and no password', () => {
  const { visitorOf } = gate(own);
  assert.deepEqual(visitorOf(basic('ada:lovelace')), { id: 'ada', name: '', clientId: '' });
  assert.deepEqual(visitorOf(basic('Löve:x:y')), { id: 'Löve', name: '', clientId: '' });
  for (const unreadable of [[], 'Basic ****', basic('lovelace')])
    assert.deepEqual(visitorOf(unreadable), { id: '', name: '', clientId: '' });
});

test('the realm is that of the configuration, in quotes as they must be', () => {
  const headersOf = (verdict: RequestVerdict | Promise<RequestVerdict>) => {
    assert.ok(typeof verdict === 'object' && verdict !== null && 'headers' in verdict);
    return new Map(verdict.headers).get('www-authenticate');
  };
  assert.equal(headersOf(gate(own).ask([])), 'Basic realm="Underpass", charset="UTF-8"');
  const said = headersOf(gate({ ...configured, ...own }).ask([]));
  assert.equal(said, 'Basic realm="a \\"b\\" \\\\", charset="UTF-8"');
});

test('OPTIONS needs no login where the configuration says so, and only there', () => {
  assert.equal(statusOf(gate({ ...configured, ...own }).ask([], '192.0.2.1', 'OPTIONS')), null);
  assert.equal(statusOf(gate({ ...configured, ...own }).ask([], '192.0.2.1', 'GET')), 401);
  assert.equal(statusOf(gate(own).ask([], '192.0.2.1', 'OPTIONS')), 401);
});

test('without a required login the record has no name, since none was proven', () => {
  const { visitorOf } = gate({ ...own, ...configured, allow_options: true });
  assert.equal(visitorOf(basic('ada:wrong'), '192.0.2.1', 'OPTIONS')?.id, '');
  assert.equal(visitorOf(basic('ada:wrong'))?.id, 'ada');
});

test('a configuration for which the agent has no names and passwords serves nobody', () => {
  assert.equal(gate(configured).ask(basic('ada:lovelace')), 'basicAuthWithoutLogins');
});

test('wrong passwords of a source are slowed down, those of others are not, and neither is who logged in before', () => {
  const { ask, pass } = gate(own);
  const right = basic('ada:lovelace');
  assert.equal(statusOf(ask(right, '192.0.2.1')), null);
  const statuses = Array.from({ length: 25 }, (_, at) => statusOf(ask(basic(`ada:wrong${at}`), '192.0.2.1')));
  assert.deepEqual(statuses, [...Array(20).fill(401), ...Array(5).fill(429)]);
  assert.equal(statusOf(ask([], '192.0.2.1')), 401, 'nothing was tried');
  assert.equal(statusOf(ask(right, '192.0.2.1')), null);
  assert.equal(statusOf(ask(basic('bob:nothing'), '192.0.2.1')), 429);
  assert.equal(statusOf(ask(right, '192.0.2.2')), null);
  pass(5000);
  assert.equal(statusOf(ask(basic('ada:wrong'), '192.0.2.1')), 401);
  assert.equal(statusOf(ask(basic('ada:wrong'), '192.0.2.1')), 429);
});

test('a right password that was never seen is not let through once its source is slowed down', () => {
  const { ask } = gate(own);
  for (let at = 0; at < 20; at += 1) ask(basic(`ada:wrong${at}`));
  assert.equal(statusOf(ask(basic('ada:lovelace'))), 429);
});

test('hashed passwords are compared elsewhere, once for requests that come together', async () => {
  const { ask } = gate({ enabled: true, logins: [hashedLogin('bob', hash)] });
  const together = Array.from({ length: 50 }, () => ask(basic('bob:U*U')));
  assert.deepEqual(await Promise.all(together), Array(50).fill(null));
  assert.equal(ask(basic('bob:U*U')), null, 'it is remembered');
  const wrong = await ask(basic('bob:wrong'));
  assert.equal(statusOf(wrong), 401);
});

test('what a module remembers goes on while its configuration is the same', () => {
  const module = basicAuthModule(() => 0);
  const before = module.compile(own, {
    look,
    place: '',
    account: 'ac_1',
    carrier: 'here',
    before: undefined,
  });
  assert.equal(module.compile(own, { look, place: '', account: 'ac_1', carrier: 'here', before }), before);
});

test('a preview is the decision about the next request, and has a rate of its own', async () => {
  const { ask, preview, pass } = gate({ ...configured, ...own });
  const right = basic('ada:lovelace');
  const all: readonly [string, string?, string?][] = [
    ['', '192.0.2.1'],
    ['', '192.0.2.1', 'OPTIONS'],
    [right],
    [basic('ada:wrong')],
  ];
  for (const sent of all) {
    const { verdict, why } = await preview(...sent);
    assert.deepEqual(verdict, await ask(...sent));
    assert.match(why, /\.$/);
  }
  for (let count = 0; count < 19; count += 1) await preview(basic(`ada:${count}`), '192.0.2.7');
  await assert.rejects(
    () => preview(basic('ada:again'), '192.0.2.8'),
    (error) => error instanceof Problem && error.code === 'explainLoginsBusy',
  );
  assert.equal(statusOf(await ask(basic('ada:wrong'), '192.0.2.7')), 401, 'visitors have their own rate');
  assert.equal((await preview(right)).verdict, null, 'it is remembered');
  pass(5000);
  assert.equal((await preview(basic('bob:builder1'), '192.0.2.8')).verdict, null);
});

test('a preview knows that an address has had too many', async () => {
  const { ask, preview } = gate(own);
  for (let count = 0; count < 20; count += 1) ask(basic(`ada:${count}`));
  const { verdict } = await preview(basic('ada:lovelace'));
  assert.deepEqual(verdict, await ask(basic('ada:lovelace')));
});
