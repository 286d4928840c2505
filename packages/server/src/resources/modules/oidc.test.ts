import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oidcSecretContext } from '../../core/modules/oidc-settings.ts';
import type { OidcModule } from '../../documents/index.ts';
import type { ErrorName } from '../../errors/catalogue.ts';
import { CrookedProvider } from '../../login/crooked-provider.fixture.ts';
import { put, refusedBy, sealer, shown, stored } from './module.fixture.ts';
import { oidcModule } from './oidc.ts';

const client = { issuer: 'https://accounts.example.com/tenant', client_id: 'shop', client_secret: 's3cret' };

function secretOf(config: OidcModule): string {
  const { client_secret_sealed, ...rest } = config;
  return sealer.open(client_secret_sealed, oidcSecretContext(rest));
}

test('what is not given has its default, what is given is shown, and the secret is not', async () => {
  assert.deepEqual(await put(oidcModule, client), {
    enabled: true,
    options_passthrough: false,
    cookie_prefix: '',
    inactivity_timeout: 0,
    maximum_duration: 0,
    issuer: client.issuer,
    client_id: 'shop',
    client_secret: '',
    scopes: [],
  });
  const body = {
    enabled: false,
    options_passthrough: true,
    cookie_prefix: 'shop.',
    inactivity_timeout: 1,
    maximum_duration: 4_294_967_295,
    scopes: ['email', 'urn:groups'],
  };
  const answer = await put(oidcModule, { ...client, ...body });
  for (const [field, value] of Object.entries(body)) assert.deepEqual(answer[field], value, field);
});

test('a secret that is left out stays, for the same client alone', async () => {
  const first = await stored(oidcModule, client);
  assert.equal(secretOf(first), 's3cret');
  assert.doesNotMatch(JSON.stringify(first), /s3cret/);
  const { client_secret: _, ...without } = client;
  for (const left of [without, { ...client, client_secret: '' }, { ...without, client_secret: null }]) {
    const next = await stored(oidcModule, { ...left, scopes: ['email'] }, first);
    assert.equal(secretOf(next), 's3cret');
    assert.equal(shown(oidcModule, next).client_secret, '');
  }
  assert.equal(secretOf(await stored(oidcModule, { ...client, client_secret: 'new' }, first)), 'new');
  for (const other of [
    { ...without, issuer: 'https://evil.example' },
    { ...without, client_id: 'other' },
  ])
    await assert.rejects(stored(oidcModule, other, first), { code: 'oidcClientSecretMissing' });
});

test('sessions go on for as long as the module stands and its client is the same', async () => {
  const generationOf = (config: OidcModule) => config.generation;
  const first = await stored(oidcModule, client);
  assert.match(generationOf(first), /^[\w-]{22}$/);
  for (const same of [
    client,
    { ...client, client_secret: '' },
    { ...client, maximum_duration: 60, scopes: ['a'] },
  ])
    assert.equal(generationOf(await stored(oidcModule, same, first)), generationOf(first));
  const changed = await stored(oidcModule, { ...client, client_secret: 'another' }, first);
  const back = await stored(oidcModule, client, changed);
  const others = [
    await stored(oidcModule, client),
    await stored(oidcModule, { ...client, client_id: 'other' }, first),
    await stored(oidcModule, { ...client, issuer: 'https://example.com' }, first),
    changed,
    back,
  ].map(generationOf);
  assert.equal(new Set([generationOf(first), ...others]).size, 1 + others.length);
});

test('what cannot be is refused with a reason of its own', async () => {
  const cases: [change: object, code: ErrorName, field: string][] = [
    [{ issuer: '' }, 'oidcIssuerMissing', '/issuer'],
    [{ issuer: `https://${'a'.repeat(250)}` }, 'oidcIssuerTooLong', '/issuer'],
    ...[
      'accounts.example.com',
      'http://accounts.example.com',
      'https://a@example.com',
      'https://example.com/?a=b',
      'https://example.com/#',
      'https://',
    ].map((issuer): [object, ErrorName, string] => [{ issuer }, 'oidcIssuerInvalid', '/issuer']),
    [{ client_id: '' }, 'oidcClientIdMissing', '/client_id'],
    [{ client_id: 'a'.repeat(256) }, 'loginClientIdTooLong', '/client_id'],
    [{ client_secret: '' }, 'oidcClientSecretMissing', '/client_secret'],
    [{ client_secret: 'a'.repeat(513) }, 'loginClientSecretTooLong', '/client_secret'],
    [{ scopes: ['email', 'a b'] }, 'loginScopeInvalid', '/scopes/1'],
    [{ scopes: [''] }, 'loginScopeInvalid', '/scopes/0'],
    [{ scopes: Array.from({ length: 33 }, (_, at) => `s${at}`) }, 'loginScopeCount', '/scopes'],
    [{ cookie_prefix: 'a;' }, 'cookiePrefixInvalid', '/cookie_prefix'],
    [{ maximum_duration: 4_294_967_296 }, 'maximumDurationInvalid', '/maximum_duration'],
  ];
  for (const [change, code, field] of cases)
    await assert.rejects(
      stored(oidcModule, { ...client, ...change }),
      (error: { code?: string; details?: { field?: string } }) => {
        assert.deepEqual([error.code, error.details?.field], [code, field], JSON.stringify(change));
        return true;
      },
    );
});

test('an issuer that the metadata of its provider contradicts is refused, with both', async (t) => {
  const provider = await CrookedProvider.start(t);
  const { issuer } = provider;
  const given = (text: string) => ({ ...client, issuer: text });
  const field = '/issuer';
  await put(oidcModule, given(issuer));
  await put(oidcModule, given(`${issuer}/`));
  const metadata = (stated: string) => ({
    body: JSON.stringify({
      issuer: stated,
      authorization_endpoint: `${issuer}/a`,
      token_endpoint: `${issuer}/t`,
      jwks_uri: `${issuer}/j`,
    }),
  });
  const path = '/auk/.well-known/openid-configuration';
  for (const [own, stated] of [
    ['/auk', `${issuer}/auk/`],
    ['/auk/', `${issuer}/auk`],
    ['/auk', `${issuer}/AUK`],
    ['/auk', 'https://other.example/auk'],
    ['/auk', issuer.replace('https:', 'http:')],
  ] as const) {
    provider.replies.set(path, metadata(stated));
    await refusedBy(oidcModule, given(`${issuer}${own}`), 'oidcIssuerContradicted', { field });
    await assert.rejects(put(oidcModule, given(`${issuer}${own}`)), (error: Error) => {
      assert.ok(
        error.message.includes(`"${issuer}${own}"`) && error.message.includes(`"${stated}"`),
        error.message,
      );
      return true;
    });
  }
  provider.replies.set(path, metadata(`${issuer}/auk/`));
  await put(oidcModule, given(`${issuer}/auk/`));
});

test('a provider whose metadata permits no login is refused, with the reason', async (t) => {
  const provider = await CrookedProvider.start(t);
  const body = { ...client, issuer: provider.issuer };
  for (const [metadata, reason] of [
    [{ authorization_endpoint: undefined }, /no authorization_endpoint/],
    [{ token_endpoint: undefined }, /no token_endpoint/],
    [{ jwks_uri: undefined }, /no jwks_uri/],
    [{ authorization_endpoint: 'http://id.example/a' }, /authorization_endpoint "http:.*" is no https URL/],
    [{ token_endpoint: 'http://id.example/t' }, /token_endpoint "http:.*" is no https URL/],
    [{ jwks_uri: '/jwks' }, /jwks_uri "\/jwks" is no https URL/],
    [{ userinfo_endpoint: 'http://id.example/u' }, /userinfo_endpoint/],
    [{ response_types_supported: ['id_token', 'code id_token'] }, /no "code"/],
    [{ grant_types_supported: ['implicit'] }, /no "authorization_code"/],
    [{ code_challenge_methods_supported: ['plain'] }, /no "S256"/],
    [{ token_endpoint_auth_methods_supported: ['private_key_jwt'] }, /neither "client_secret_basic"/],
    [{ id_token_signing_alg_values_supported: ['HS256', 'none'] }, /no signature of a key pair/],
  ] as const) {
    provider.metadata = metadata;
    await refusedBy(oidcModule, body, 'oidcProviderUnfit', { field: '/issuer' });
    await assert.rejects(put(oidcModule, body), reason);
  }
  for (const metadata of [
    { response_types_supported: undefined, id_token_signing_alg_values_supported: undefined },
    { response_types_supported: [], grant_types_supported: [], userinfo_endpoint: undefined },
    { grant_types_supported: ['authorization_code'], code_challenge_methods_supported: ['plain', 'S256'] },
    { token_endpoint_auth_methods_supported: ['client_secret_post'] },
    { id_token_signing_alg_values_supported: ['none', 'ES256'] },
  ]) {
    provider.metadata = metadata;
    await put(oidcModule, body);
  }
});

test('a provider that cannot be read at the write contradicts nothing', async (t) => {
  const provider = await CrookedProvider.start(t);
  const body = { ...client, issuer: provider.issuer };
  const path = '/.well-known/openid-configuration';
  for (const reply of [
    { status: 503, body: '' },
    { status: 404, body: '{}' },
    { body: '<html>' },
    { body: '[]' },
    { status: 302, headers: { location: 'https://other.example/' }, body: '' },
  ]) {
    provider.replies.set(path, reply);
    await put(oidcModule, body);
  }
  await put(oidcModule, { ...client, issuer: 'https://nobody.invalid' });
});
