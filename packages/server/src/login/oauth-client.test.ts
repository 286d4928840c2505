import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Cidr, parseCidr } from '../core/ip/cidr.ts';
import { oauthProviders } from '../core/modules/oauth-providers.ts';
import { OutboundAgent } from '../outbound/agent.ts';
import { CrookedProvider } from './crooked-provider.fixture.ts';
import { LoginFault } from './login-fault.ts';
import { OauthClient, type OauthFlow, type OauthSettings } from './oauth-client.ts';
import { github, oauthEndpoints, organizationGroup } from './oauth-endpoints.ts';

const loopback = [parseCidr('127.0.0.0/8') as Cidr, parseCidr('::1/128') as Cidr];
const flow: OauthFlow = {
  redirectUri: 'https://app.example.com/underpass/callback',
  state: 'a-state',
  verifier: 'a-verifier',
  challenge: 'a-challenge',
};
const token = '/login/oauth/access_token';

/** A service that has the API of GitHub. */
async function start(
  t: TestContext,
  { allowPrivate = loopback, ...changes }: Partial<OauthSettings> & { allowPrivate?: readonly Cidr[] } = {},
) {
  const provider = await CrookedProvider.start(t);
  const agent = new OutboundAgent({ account: 'ac_1', allowPrivate });
  t.after(() => agent.destroy());
  const settings = { clientId: 'shop', clientSecret: 's3cret', scopes: [], needsGroups: true };
  const endpoints = github(provider.issuer, provider.issuer);
  const client = new OauthClient({ ...settings, endpoints, ...changes }, agent);
  const says = (path: string, value: unknown, status = 200) =>
    provider.replies.set(path, { status, body: JSON.stringify(value) });
  says(token, { access_token: 'gho_1', token_type: 'bearer', scope: 'user:email' });
  says('/user', { id: 7, login: 'ada', name: 'Ada' });
  says('/user/emails', [
    { email: 'other@example.com', primary: false, verified: true },
    { email: 'Ada@Example.com', primary: true, verified: true },
  ]);
  says('/user/orgs', [{ login: 'Acme' }]);
  says('/user/teams', [{ id: 12, slug: 'staff', organization: { login: 'Acme' } }]);
  const come = (query: Record<string, string> = { code: 'c' }) =>
    client.userOf(new URLSearchParams(query), flow);
  return { provider, client, come, says };
}

async function faultOf(login: Promise<unknown>): Promise<LoginFault> {
  const outcome = await login.then(
    () => null,
    (error: unknown) => error,
  );
  assert.ok(outcome instanceof LoginFault, String(outcome));
  return outcome;
}

test('who comes back with a code is whom the provider describes', async (t) => {
  const { provider, client, come } = await start(t);
  const url = new URL(client.loginUrl(flow, false));
  assert.deepEqual(Object.fromEntries(url.searchParams), {
    response_type: 'code',
    client_id: 'shop',
    redirect_uri: flow.redirectUri,
    state: 'a-state',
    scope: 'read:user user:email read:org',
    code_challenge: 'a-challenge',
    code_challenge_method: 'S256',
  });
  const groups = ['acme', 'acme/staff', '12'];
  assert.deepEqual(await come(), {
    user: { id: '7', email: 'ada@example.com', isEmailVerified: true, name: 'Ada', groups },
    token: 'gho_1',
  });
  const asked = provider.asked.find(({ path }) => path === token);
  assert.deepEqual(Object.fromEntries(asked?.form ?? []), {
    grant_type: 'authorization_code',
    code: 'c',
    redirect_uri: flow.redirectUri,
    client_id: 'shop',
    client_secret: 's3cret',
    code_verifier: 'a-verifier',
  });
  assert.equal(provider.asked.find(({ path }) => path === '/user')?.authorization, 'Bearer gho_1');
});

test('scopes that are given are asked for instead, and groups only where they matter', async (t) => {
  const { provider, client, come } = await start(t, { scopes: ['repo'], needsGroups: false });
  assert.equal(new URL(client.loginUrl(flow, true)).searchParams.get('scope'), 'repo');
  assert.deepEqual((await come()).user.groups, []);
  assert.equal(
    provider.asked.some(({ path }) => path === '/user/teams'),
    false,
  );
});

test('an answer that is no login is refused, and what the provider does not answer is said to be that', async (t) => {
  const { provider, come, says } = await start(t);
  assert.equal((await faultOf(come({ error: 'access_denied' }))).check, 'access_denied');
  assert.equal((await faultOf(come({ state: 'a-state' }))).check, 'code');
  assert.equal(provider.asked.length, 0);
  const cases: [path: string, value: unknown, status: number, code: string, check: string][] = [
    [token, { error: 'bad_verification_code' }, 200, 'loginRefused', 'bad_verification_code'],
    [token, { error: 'invalid_grant' }, 400, 'loginRefused', 'invalid_grant'],
    [token, { token_type: 'bearer' }, 200, 'loginRefused', 'token'],
    [token, { access_token: ['a'] }, 200, 'loginRefused', 'token'],
    [token, 'no object', 200, 'loginProviderFailed', 'request'],
    ['/user', { message: 'Bad credentials' }, 401, 'loginRefused', 'user'],
    ['/user', {}, 200, 'loginRefused', 'user'],
    ['/user', { message: 'down' }, 503, 'loginProviderFailed', 'request'],
  ];
  for (const [path, value, status, code, check] of cases) {
    const before = provider.replies.get(path)!;
    says(path, value, status);
    const fault = await faultOf(come());
    assert.deepEqual([fault.code, fault.check], [code, check], `${path} ${JSON.stringify(value)}`);
    provider.replies.set(path, before);
  }
  assert.equal((await come()).user.id, '7');
});

test('no organization is called as the number of a team', async (t) => {
  const { come, says } = await start(t);
  says('/user/orgs', [{ login: '12' }, { login: 'Acme' }]);
  says('/user/teams', []);
  assert.deepEqual((await come()).user.groups, ['12/', 'acme']);
  assert.equal(organizationGroup('12'), '12/');
});

test('lists of GitHub are read to their last page before groups are compared', async () => {
  const lists = new Map<string, readonly object[]>([
    [
      '/user/emails',
      Array.from({ length: 101 }, (_, at) => ({ email: `a${at}@b.c`, primary: at === 100, verified: true })),
    ],
    ['/user/orgs', Array.from({ length: 250 }, (_, at) => ({ login: `org${at}` }))],
    [
      '/user/teams',
      Array.from({ length: 700 }, (_, at) => ({ id: at, slug: `t${at}`, organization: { login: 'acme' } })),
    ],
  ]);
  const ask = async (url: string): Promise<unknown> => {
    const { pathname, searchParams } = new URL(url);
    const page = Number(searchParams.get('page') ?? 1);
    return lists.get(pathname)?.slice((page - 1) * 100, page * 100) ?? { id: 7, login: 'ada' };
  };
  const { userOf } = github('https://github.test', 'https://api.github.test');
  const { email, groups } = await userOf(ask, true);
  assert.equal(email, 'a100@b.c');
  assert.equal(groups.length, 250 + 2 * 700);
  for (const last of ['org249', 'acme/t699', '699']) assert.ok(groups.includes(last), last);
  lists.set(
    '/user/teams',
    Array.from({ length: 3000 }, (_, at) => ({ id: at })),
  );
  await assert.rejects(userOf(ask, true), /more than 3000 entries/);
});

test('an address that is not verified is none', async (t) => {
  const { come, says } = await start(t);
  says('/user/emails', [{ email: 'ada@example.com', primary: true, verified: false }]);
  assert.equal((await come()).user.email, '');
});

test('a token that the provider no longer accepts has no user', async (t) => {
  const { client, says } = await start(t);
  assert.equal((await client.userWith('gho_1'))?.id, '7');
  says('/user', { message: 'Bad credentials' }, 401);
  assert.equal(await client.userWith('gho_1'), null);
});

test('A6: a provider inside is not asked', async (t) => {
  const { come } = await start(t, { allowPrivate: [] });
  const fault = await faultOf(come());
  assert.deepEqual([fault.code, /special/.test(fault.message)], ['loginProviderFailed', true]);
});

test('each provider describes its users by words of its own', async () => {
  const answers: Readonly<Record<string, unknown>> = {
    facebook: { id: '1', name: 'Ada', email: 'ada@example.com' },
    microsoft: {
      id: '1',
      displayName: 'Ada',
      userPrincipalName: 'Ada@example.com',
      mail: 'boss@example.org',
    },
    amazon: { user_id: '1', name: 'Ada', email: 'ada@example.com' },
  };
  const standard = { sub: '1', name: 'Ada', email: 'ada@example.com', email_verified: true };
  for (const name of oauthProviders) {
    if (name === 'github') continue;
    const { userOf, authorize, token } = oauthEndpoints[name];
    const user = await userOf(async () => answers[name] ?? standard, false);
    // Amazon does not state if an address is verified.
    const isEmailVerified = name !== 'amazon';
    const ada = { id: '1', email: 'ada@example.com', isEmailVerified, name: 'Ada', groups: [] };
    assert.deepEqual(user, ada, name);
    for (const url of [authorize, token]) assert.equal(new URL(url).protocol, 'https:');
  }
});
