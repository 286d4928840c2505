import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testConnection } from '../sites/connection-facts.fixture.ts';
import { userAgentFilter } from './user-agent-filter.ts';

const look = {
  get: () => undefined,
  group: () => [],
  rules: () => assert.fail(),
  secret: () => null,
  login: null,
  backend: () => assert.fail(),
};

interface Lists {
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
}

async function verdict({ allow = [], deny = [] }: Lists, ...userAgents: readonly string[]): Promise<unknown> {
  const parts = userAgentFilter.compile(
    { enabled: true, allow, deny },
    { look, place: '', account: 'ac_1', carrier: 'here', before: undefined },
  );
  const [guard] = parts.guards ?? [];
  assert.ok(guard?.reads === 'request');
  const values = (name: string) => (name === 'user-agent' ? userAgents : []);
  return guard.check({
    connection: testConnection(),
    method: 'GET',
    target: '/',
    values,
    decisions: new Map(),
    admittedBy: () => null,
  });
}

const refused = 'userAgentRefused';

test('what a pattern of "deny" finds is refused, unless one of "allow" finds it, too', async () => {
  const lists = { allow: ['(?i)google-images'], deny: ['(?i)google', '[Bb]ing'] };
  assert.equal(await verdict(lists, 'Googlebot/2.1'), refused);
  assert.equal(await verdict(lists, 'bingbot'), refused);
  assert.equal(await verdict(lists, 'Google-Images'), null);
  assert.equal(await verdict(lists, 'curl/8'), null);
  assert.equal(await verdict({}, 'curl/8'), null);
  assert.equal(await verdict({ allow: ['curl'] }, 'wget'), null);
});

test('the first header counts, and none is an empty one', async () => {
  assert.equal(await verdict({ deny: ['bot'] }, 'curl', 'bot'), null);
  assert.equal(await verdict({ deny: ['bot'] }, 'bot', 'curl'), refused);
  assert.equal(await verdict({ deny: ['^$'] }), refused);
  assert.equal(await verdict({ allow: ['^$'], deny: ['.*'] }), null);
  assert.equal(await verdict({ deny: ['bot'] }), null);
});

test('a header is read as UTF-8', async () => {
  assert.equal(await verdict({ deny: ['^é$'] }, Buffer.from('é').toString('latin1')), refused);
});

test('a filter that cannot be understood, or is too large, serves nobody', async () => {
  assert.equal(await verdict({ deny: ['(a)\\1'] }, 'curl'), refused);
  assert.equal(await verdict({ allow: ['curl', '('] }, 'curl'), refused);
  assert.equal(await verdict({ allow: ['curl', 'a{1000}', 'a{1000}', 'a{1000}'] }, 'curl'), refused);
});

test('what calls itself by more than anybody needs is refused', async () => {
  assert.equal(await verdict({ allow: ['curl'] }, `curl${'x'.repeat(1020)}`), null);
  assert.equal(await verdict({ allow: ['curl'] }, `curl${'x'.repeat(1021)}`), refused);
});

test('what was compiled before serves again', () => {
  const config = { enabled: true, allow: [], deny: ['a'] };
  const before = userAgentFilter.compile(config, {
    look,
    place: '',
    account: 'ac_1',
    carrier: 'here',
    before: undefined,
  });
  assert.equal(
    userAgentFilter.compile(config, { look, place: '', account: 'ac_1', carrier: 'here', before }),
    before,
  );
});
