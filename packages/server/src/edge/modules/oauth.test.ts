import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestLogin } from '../../login/login.fixture.ts';
import type { AgentOauth } from '../../online/agent-modules.ts';
import { Browser } from './login/browser.fixture.ts';
import { oauth } from './oauth.ts';

const config: AgentOauth = {
  enabled: true,
  options_passthrough: false,
  cookie_prefix: '',
  inactivity_timeout: 0,
  maximum_duration: 0,
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

test('a visitor is sent to the provider, to come back to the name that was asked', async (t) => {
  const { login } = await startTestLogin(t);
  const look = {
    get: () => undefined,
    group: () => [],
    rules: () => assert.fail('a look that it does not need'),
    secret: () => null,
    login,
    backend: () => assert.fail('a look that it does not need'),
  };
  const [guard] = oauth.compile(config, { look, place: 'here', before: undefined }).guards ?? [];
  assert.ok(guard?.reads === 'request');
  const url = new Browser().sentTo(await guard.check(new Browser().request('/a?b')));
  assert.equal(url.origin + url.pathname, 'https://accounts.google.com/o/oauth2/v2/auth');
  assert.equal(url.searchParams.get('redirect_uri'), 'https://app.example.com/underpass/callback');
  assert.equal(url.searchParams.get('scope'), 'openid profile email');
  assert.match(url.searchParams.get('code_challenge') ?? '', /^[\w-]{43}$/);
  assert.equal(login.flows.open(url.searchParams.get('state') ?? '')?.target, '/a?b');
  const [shut] =
    oauth.compile(config, { look: { ...look, login: null }, place: '', before: undefined }).guards ?? [];
  assert.ok(shut?.reads === 'connection');
});
