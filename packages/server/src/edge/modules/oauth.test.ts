import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { placeOfAnswer } from '../../login/flows.ts';
import { startTestLogin } from '../../login/login.fixture.ts';
import type { AgentOauth } from '../../online/agent-modules.ts';
import type { Look } from '../sites/look.ts';
import { Browser, refusalOf } from './login/browser.fixture.ts';
import { oauth } from './oauth.ts';

const config: AgentOauth = {
  enabled: true,
  options_passthrough: false,
  cookie_prefix: '',
  inactivity_timeout: 0,
  maximum_duration: 0,
  generation: '',
  auth_check_interval: 0,
  provider: {
    name: 'google',
    client_id: 'shop',
    client_secret: 's3cret',
    scopes: [],
    email_addresses: [],
    email_domains: [],
    teams: [],
    organizations: [],
  },
};

async function gateOf(t: TestContext, provider: Partial<AgentOauth['provider']> = {}) {
  const { login, logged } = await startTestLogin(t);
  const look = {
    get: () => undefined,
    group: () => [],
    rules: () => assert.fail('a look that it does not need'),
    secret: () => null,
    login,
    backend: () => assert.fail('a look that it does not need'),
  };
  const configured = { ...config, provider: { ...config.provider, ...provider } };
  const compile = (from: Look) =>
    oauth.compile(configured, {
      look: from,
      place: 'here',
      account: 'ac_1',
      carrier: 'here',
      before: undefined,
    });
  return {
    login,
    logged,
    look,
    guard: compile(look).guards?.[0],
    without: compile({ ...look, login: null }).guards?.[0],
  };
}

test('a visitor is sent to the provider, to come back to the name that was asked', async (t) => {
  const { login, guard, without } = await gateOf(t);
  assert.ok(guard?.reads === 'request');
  const url = new Browser().sentTo(await guard.check(new Browser().request('/a?b')));
  assert.equal(url.origin + url.pathname, 'https://accounts.google.com/o/oauth2/v2/auth');
  assert.equal(url.searchParams.get('client_id'), 'shop');
  assert.equal(url.searchParams.get('redirect_uri'), 'https://app.example.com/underpass/callback');
  assert.equal(url.searchParams.get('scope'), 'openid profile email');
  assert.match(url.searchParams.get('code_challenge') ?? '', /^[\w-]{43}$/);
  assert.equal(login.flows.open(url.searchParams.get('state') ?? '')?.target, '/a?b');
  assert.ok(without?.reads === 'connection', 'nobody can log in');
});

test('with the application of the operator a visitor comes back to one address, and no code is taken from elsewhere', async (t) => {
  const { login, logged, guard } = await gateOf(t, { client_id: '', client_secret: '' });
  assert.ok(guard?.reads === 'request');
  const browser = new Browser();
  const url = browser.sentTo(await guard.check(browser.request('/')));
  assert.equal(url.searchParams.get('client_id'), 'of the operator');
  assert.equal(url.searchParams.get('redirect_uri'), 'https://idp.tunnels.example.com/oauth2/callback');
  const state = url.searchParams.get('state');
  const other = new Browser();
  const begun = other.sentTo(await guard.check(other.request('/'))).searchParams.get('state') ?? '';
  const ofAnother = login.answers.seal('code=c', placeOfAnswer(login.flows.open(begun)!));
  const elsewhere = login.answers.seal('code=c', 'another place');
  for (const query of ['code=c', `answer=${elsewhere}`, 'answer=code%3Dc', `answer=${ofAnother}`]) {
    const verdict = await guard.check(browser.request(`/underpass/callback?state=${state}&${query}`));
    assert.equal(refusalOf(verdict), 'loginRefused', query);
    assert.equal(logged.at(-1)?.check, 'answer', query);
  }
  const { guard: gone } = await gateOf(t, { name: 'github', client_id: '', client_secret: '' });
  assert.ok(gone?.reads === 'connection', 'the operator has none there');
});
