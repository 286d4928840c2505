import assert from 'node:assert/strict';
import { createHash, generateKeyPairSync } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { type Cidr, parseCidr } from '../core/ip/cidr.ts';
import { CrookedProvider, keys, macked, signed, unsigned } from './crooked-provider.fixture.ts';
import { LoginFault } from './login-fault.ts';
import { OidcClient, type OidcFlow } from './oidc-client.ts';
import { mergedClaims, userFrom } from './oidc-user.ts';
import { openOidc } from './open-oidc.ts';

const loopback = [parseCidr('127.0.0.0/8') as Cidr, parseCidr('::1/128') as Cidr];
const flow: OidcFlow = {
  redirectUri: 'https://app.example.com/underpass/callback',
  state: 'a-state',
  nonce: 'a-nonce',
  verifier: 'v'.repeat(43),
};

async function start(t: TestContext, allowPrivate: readonly Cidr[] = loopback) {
  const provider = await CrookedProvider.start(t);
  provider.nonce = flow.nonce;
  const clock = { now: 0 };
  const settings = { issuer: provider.issuer, clientId: 'shop', clientSecret: 's:ecret', scopes: ['email'] };
  const client = openOidc(settings, { account: 'ac_1', allowPrivate }, () => clock.now);
  const come = (query: Record<string, string> = { code: 'c', state: flow.state }) =>
    client.userOf(new URLSearchParams(query), flow).then(({ user }) => user);
  return { provider, client, come, clock };
}

/** The check that a login fails at. */
async function faultOf(login: Promise<unknown>): Promise<LoginFault> {
  const outcome = await login.then(
    () => null,
    (error: unknown) => error,
  );
  assert.ok(outcome instanceof LoginFault, String(outcome));
  return outcome;
}

test('who comes back with a code is who the provider says, asked with the secret and the verifier', async (t) => {
  const { provider, client, come } = await start(t);
  const url = new URL(await client.loginUrl(flow, false));
  assert.equal(url.origin + url.pathname, `${provider.issuer}/authorize`);
  assert.deepEqual(Object.fromEntries(url.searchParams), {
    client_id: 'shop',
    response_type: 'code',
    redirect_uri: flow.redirectUri,
    scope: 'openid email',
    state: 'a-state',
    nonce: 'a-nonce',
    code_challenge: createHash('sha256').update(flow.verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  const ada = { id: 'ada', email: 'ada@example.com', isEmailVerified: true, name: 'Ada', groups: ['staff'] };
  assert.deepEqual(await come(), ada);
  const token = provider.asked.find(({ path }) => path === '/token');
  assert.equal(token?.form.get('code'), 'c');
  assert.equal(token.form.get('code_verifier'), flow.verifier);
  assert.equal(token.form.get('redirect_uri'), flow.redirectUri);
  assert.equal(token.form.has('client_secret'), false);
  assert.equal(
    Buffer.from(token.authorization.slice('Basic '.length), 'base64').toString(),
    'shop:s%3Aecret',
  );
});

test('a secret goes into the body where the provider takes it nowhere else', async (t) => {
  const { provider, come } = await start(t);
  provider.metadata = { token_endpoint_auth_methods_supported: ['client_secret_post'] };
  await come();
  const token = provider.asked.find(({ path }) => path === '/token');
  assert.equal(token?.form.get('client_secret'), 's:ecret');
  assert.equal(token.authorization, '');
});

test('an answer that is forged, replayed, expired or of somebody else is refused, each with a reason of its own', async (t) => {
  const { provider, come } = await start(t);
  const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  const now = Math.floor(Date.now() / 1000);
  const publicPem = keys.publicKey.export({ format: 'pem', type: 'spki' }).toString();
  const cases: [what: string, change: Partial<CrookedProvider>, reason: RegExp][] = [
    ['another key', { tokenOf: (claims) => signed(claims, stranger) }, /signature/],
    ['no signature', { tokenOf: unsigned }, /alg|signature/i],
    ['a MAC under the public key', { tokenOf: (claims) => macked(claims, publicPem) }, /alg/i],
    ['a MAC under the secret', { tokenOf: (claims) => macked(claims, 's:ecret') }, /alg/i],
    ['another issuer', { claims: { iss: 'https://other.example' } }, /iss/],
    ['another audience', { claims: { aud: 'other' } }, /aud/],
    ['two audiences without a party', { claims: { aud: ['shop', 'other'] } }, /untrusted audiences/],
    ['a party that is another', { claims: { aud: ['shop', 'other'], azp: 'other' } }, /azp/],
    ['the nonce of another login', { claims: { nonce: 'other' } }, /nonce/],
    ['no nonce', { claims: { nonce: undefined } }, /nonce/],
    ['expired', { claims: { exp: now - 61 } }, /exp|time/i],
    ['not issued', { claims: { iat: undefined } }, /iat/],
    ['userinfo of another', { userinfo: { sub: 'bob', email: 'bob@example.com' } }, /sub/],
    ['no token at all', { tokenOf: () => '' }, /id_token/],
  ];
  for (const [what, change, reason] of cases) {
    const usual = { tokenOf: provider.tokenOf, claims: provider.claims, userinfo: provider.userinfo };
    Object.assign(provider, change);
    const fault = await faultOf(come());
    assert.deepEqual(
      [fault.code, reason.test(fault.message)],
      ['loginRefused', true],
      `${what}: ${fault.message}`,
    );
    Object.assign(provider, usual);
  }
  provider.claims = { exp: Math.floor(Date.now() / 1000) - 30 };
  assert.equal((await come()).id, 'ada', 'clocks may differ by a minute');
});

test('an answer to another question is refused: of another state, of another provider, or that says no', async (t) => {
  const { provider, come } = await start(t);
  const cases: [Record<string, string>, RegExp][] = [
    [{ code: 'c', state: 'other' }, /state/],
    [{ code: 'c' }, /state/],
    [{ state: flow.state }, /code/],
    [{ code: 'c', state: flow.state, iss: 'https://other.example' }, /iss/],
    [{ error: 'access_denied', error_description: 'no <b>', state: flow.state }, /access_denied: no <b>/],
  ];
  for (const [query, reason] of cases) {
    const fault = await faultOf(come(query));
    assert.deepEqual([fault.code, reason.test(fault.message)], ['loginRefused', true], fault.message);
  }
  assert.equal(
    provider.asked.some(({ path }) => path === '/token'),
    false,
    'the provider is not asked for it',
  );
  provider.replies.set('/token', {
    status: 400,
    body: '{"error":"invalid_grant","error_description":"used"}',
  });
  const fault = await faultOf(come());
  assert.deepEqual([fault.code, fault.check], ['loginRefused', 'invalid_grant']);
});

test('a session ends at the provider where it says so, with the ID token and back to where the visitor was', async (t) => {
  const { provider, client, clock } = await start(t);
  const logIn = () => client.userOf(new URLSearchParams({ code: 'c', state: flow.state }), flow);
  const back = 'https://app.example.com/underpass/logout';
  assert.equal((await logIn()).idToken, '');
  assert.equal(await client.logoutUrl('', back), null);
  const discoverAgain = (metadata: object) => {
    provider.metadata = { ...metadata };
    clock.now += 60 * 60_000;
  };
  discoverAgain({ end_session_endpoint: `${provider.issuer}/end?tenant=1` });
  const { idToken } = await logIn();
  const url = new URL((await client.logoutUrl(idToken, back)) ?? '');
  assert.equal(url.origin + url.pathname, `${provider.issuer}/end`);
  const asked = { tenant: '1', client_id: 'shop', post_logout_redirect_uri: back };
  assert.deepEqual(Object.fromEntries(url.searchParams), { ...asked, id_token_hint: idToken });
  const without = new URL((await client.logoutUrl('', back)) ?? '');
  assert.deepEqual(Object.fromEntries(without.searchParams), asked);
  discoverAgain({ end_session_endpoint: 'javascript:alert(1)' });
  const fault = await faultOf(client.logoutUrl(idToken, back));
  assert.deepEqual([fault.code, fault.check], ['loginProviderFailed', 'metadata']);
});

test('an e-mail address that is not verified is none', async (t) => {
  const { provider, come } = await start(t);
  provider.userinfo = {
    sub: 'ada',
    email: 'ada@example.com',
    email_verified: false,
    groups: 'staff',
    name: 7,
  };
  assert.deepEqual(await come(), { id: 'ada', email: '', isEmailVerified: false, name: '', groups: [] });
});

test('R16: an address is verified only by the source that states it', async (t) => {
  const { provider, come } = await start(t);
  const seen = async (claims: object, userinfo: object) => {
    provider.claims = { ...claims };
    provider.userinfo = { sub: 'ada', ...userinfo };
    const { email, isEmailVerified } = await come();
    return [email, isEmailVerified];
  };
  const [mine, boss] = ['ada@example.com', 'boss@example.com'];
  const verified = { email: mine, email_verified: true };
  assert.deepEqual(await seen(verified, {}), [mine, true]);
  assert.deepEqual(await seen(verified, { email: mine }), [mine, true], 'the same address');
  assert.deepEqual(await seen(verified, { email: boss }), [boss, false], 'verified is another address');
  assert.deepEqual(await seen({ email: boss }, { email_verified: true }), [boss, false]);
  assert.deepEqual(await seen({ email_verified: true }, { email: boss }), [boss, false]);
  assert.deepEqual(await seen(verified, { ...verified, email_verified: false }), ['', false]);
  assert.deepEqual(await seen({ ...verified, email_verified: false }, verified), [mine, true]);
  assert.deepEqual(await seen({}, {}), ['', false]);
  assert.deepEqual(await seen(verified, { email: null }), ['', false]);
});

test('R16: metadata of an issuer of every tenant is refused if addresses decide', async () => {
  const host = 'https://login.microsoftonline.com';
  const checkWith = async (issuer: string, needsOneTenant: boolean): Promise<string> => {
    const metadata = {
      ...{ issuer, authorization_endpoint: `${host}/authorize`, token_endpoint: `${host}/token` },
      ...{ jwks_uri: `${host}/keys`, response_types_supported: ['code'] },
    };
    const settings = { issuer: `${host}/example.com/v2.0`, clientId: 'shop', clientSecret: 's', scopes: [] };
    const client = new OidcClient(
      { ...settings, needsOneTenant },
      async () => Response.json(metadata),
      () => 0,
    );
    return await client.loginUrl(flow, false).then(
      () => 'accepted',
      (error: unknown) => (error instanceof LoginFault ? error.check : String(error)),
    );
  };
  for (const issuer of [`${host}/{tenantid}/v2.0`, `${host}/common/v2.0`]) {
    assert.equal(await checkWith(issuer, true), 'issuer', issuer);
    assert.equal(await checkWith(issuer, false), 'accepted', issuer);
  }
  assert.equal(await checkWith(`${host}/5f0b1c1e-0000-4000-8000-000000000000/v2.0`, true), 'accepted');
});

test('what a provider says of a user counts whole or not at all', () => {
  const of = (claims: object) => userFrom({ sub: 'ada', ...claims });
  const email = 'ada@example.com';
  const emails = [true, 'true', undefined, 'false', '', null, 0].map(
    (email_verified) => of({ email, email_verified }).email,
  );
  assert.deepEqual(emails, [email, email, email, '', '', '', '']);
  const padded = `${'a'.repeat(255 - '@example.com'.length)}@example.com`;
  assert.equal(of({ email: padded }).email, padded);
  assert.equal(of({ email: `${padded}.evil.example` }).email, '', 'the half of it is of another domain');
  assert.deepEqual(of({ groups: ['x'.repeat(256), 'staff\0', 'staff'] }).groups, ['staff']);
  assert.equal(userFrom({ sub: 'x'.repeat(256) }).id, '');
});

test('R16: only an address counts, and only true says that it is verified', () => {
  const of = (claims: object, takesUnverified = false) =>
    userFrom({ sub: 'ada', ...claims }, takesUnverified);
  for (const email of ['', 'ada', '@example.com', 'ada@', 'a@b@c', 'a b@c', ['ada@example.com'], 7, null])
    assert.deepEqual([of({ email, email_verified: true }).email, of({ email }, true).email], ['', '']);
  const email = 'ada@example.com';
  const verified = (email_verified: unknown) => of({ email, email_verified }).isEmailVerified;
  assert.deepEqual([true, 'true'].map(verified), [true, true]);
  const others = [undefined, false, 'false', 'True', 'yes', '1', 1, {}, ['true'], null, ''];
  assert.deepEqual(
    others.map(verified),
    others.map(() => false),
  );
  assert.deepEqual(
    others
      .map((email_verified) => of({ email, email_verified }, true))
      .map((user) => [user.email, user.isEmailVerified]),
    others.map(() => [email, false]),
  );
  assert.equal(of({ email: '\u212aAI@Example.com' }).email, '\u212aai@example.com');
  assert.deepEqual(mergedClaims({ sub: 'a', groups: ['x'] }, { name: 'Ada' }).groups, ['x']);
});

test('metadata that is of another issuer, elsewhere, endless or no metadata is not believed', async (t) => {
  const { provider, client, clock } = await start(t);
  const path = '/.well-known/openid-configuration';
  const failsWith = async (reason: RegExp) => {
    clock.now += 5000;
    const fault = await faultOf(client.loginUrl(flow, false));
    assert.deepEqual([fault.code, reason.test(fault.message)], ['loginProviderFailed', true], fault.message);
  };
  provider.metadata = { issuer: 'https://other.example' };
  await failsWith(/issuer/);
  provider.metadata = { authorization_endpoint: 'http://localhost/authorize' };
  await failsWith(/https/i);
  clock.now += 60 * 60_000;
  for (const [reply, reason] of [
    [{ status: 302, headers: { location: '/elsewhere' }, body: '' }, /status/],
    [{ status: 500, body: 'no' }, /status/],
    [{ body: `{"issuer": "${'x'.repeat(1024 * 1024)}"}` }, /more than 1048576 bytes/],
    [{ body: '<html>' }, /pars/],
  ] as const) {
    provider.replies.set(path, reply);
    await failsWith(reason);
  }
  assert.equal(
    provider.asked.some(({ path }) => path === '/elsewhere'),
    false,
  );
});

test('a provider that cannot be asked is not asked by each visitor, and its metadata is not kept for ever', async (t) => {
  const { provider, client, clock } = await start(t);
  provider.replies.set('/.well-known/openid-configuration', { status: 500, body: '' });
  for (let visitor = 0; visitor < 3; visitor += 1) await faultOf(client.loginUrl(flow, false));
  assert.equal(provider.asked.length, 1);
  provider.replies.clear();
  clock.now += 5000;
  await client.loginUrl(flow, true);
  await client.loginUrl(flow, false);
  assert.equal(provider.asked.length, 2);
  clock.now += 60 * 60_000;
  await client.loginUrl(flow, false);
  assert.equal(provider.asked.length, 3);
});

test('V9: a clock that is put back by a day keeps neither a failure nor metadata for that day', async (t) => {
  const { provider, client, clock } = await start(t);
  provider.replies.set('/.well-known/openid-configuration', { status: 500, body: '' });
  await faultOf(client.loginUrl(flow, false));
  provider.replies.clear();
  for (const asked of [2, 3]) {
    clock.now -= 86_400_000;
    await client.loginUrl(flow, false);
    assert.equal(provider.asked.length, asked);
  }
});

test('A6: a provider inside is not asked, nor one that its metadata says is there', async (t) => {
  const inside = await start(t, []);
  const fault = await faultOf(inside.client.loginUrl(flow, false));
  assert.equal(fault.code, 'loginProviderFailed');
  assert.match(fault.message, /special/);
  const { provider, come } = await start(t);
  for (const token_endpoint of [
    'https://169.254.169.254/token',
    'https://10.0.0.1/token',
    'http://localhost/token',
  ]) {
    provider.metadata = { token_endpoint };
    const refused = await faultOf(come());
    assert.equal(
      refused.code === 'loginRefused' || refused.code === 'loginProviderFailed',
      true,
      token_endpoint,
    );
    assert.match(refused.message, /special|https/i, token_endpoint);
  }
});
