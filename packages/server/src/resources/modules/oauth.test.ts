import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oauthProviders, oauthSecretContext } from '../../core/modules/oauth-providers.ts';
import type { OauthModule } from '../../documents/index.ts';
import type { ErrorName } from '../../errors/catalogue.ts';
import type { JsonObject } from '../../store/store.ts';
import { put, sealer, shown, stored } from './module.fixture.ts';
import { oauthModule } from './oauth.ts';

const client = { client_id: 'shop', client_secret: 's3cret' };

function secretOf(config: OauthModule): string {
  const { provider } = config;
  return sealer.open(provider.client_secret_sealed, oauthSecretContext(provider));
}

test('each provider is shown, all others as null, and no secret', async () => {
  for (const name of oauthProviders) {
    const { provider, ...rest } = await put(oauthModule, { provider: { [name]: client } });
    assert.deepEqual(rest, {
      enabled: true,
      options_passthrough: false,
      cookie_prefix: '',
      inactivity_timeout: 0,
      maximum_duration: 0,
      auth_check_interval: 0,
    });
    const lists = { scopes: [], email_addresses: [], email_domains: [] };
    const own = name === 'github' ? { teams: [], organizations: [] } : {};
    const expected = { client_id: 'shop', client_secret: '', ...lists, ...own };
    const others = Object.fromEntries(oauthProviders.map((one) => [one, null]));
    assert.deepEqual(provider, { ...others, [name]: expected });
  }
});

test('what generated clients send for the other providers is taken for nothing', async () => {
  const nulls = Object.fromEntries(oauthProviders.map((one) => [one, null]));
  const { provider } = await put(oauthModule, { provider: { ...nulls, google: client } });
  assert.equal((provider as JsonObject).github, null);
});

test('without a client of its own a module has that of the operator, where there is one', async () => {
  const config = await stored(oauthModule, { provider: { google: {} } });
  const { provider } = config;
  assert.deepEqual([provider.client_id, provider.client_secret_sealed], ['', '']);
  const lists = { email_domains: ['example.com'] };
  const { google } = (await put(oauthModule, { provider: { google: lists } })).provider as JsonObject;
  assert.deepEqual(google, { client_id: '', client_secret: '', scopes: [], email_addresses: [], ...lists });
});

test('a secret that is left out stays, for the same client of the same provider alone', async () => {
  const first = await stored(oauthModule, { provider: { github: client } });
  assert.equal(secretOf(first), 's3cret');
  assert.doesNotMatch(JSON.stringify(first), /s3cret/);
  const next = await stored(
    oauthModule,
    { provider: { github: { client_id: 'shop', teams: ['acme/a', '7'] } } },
    first,
  );
  assert.equal(secretOf(next), 's3cret');
  assert.deepEqual(((shown(oauthModule, next).provider as JsonObject).github as JsonObject).teams, [
    'acme/a',
    '7',
  ]);
  for (const provider of [{ github: { client_id: 'other' } }, { gitlab: { client_id: 'shop' } }])
    await assert.rejects(stored(oauthModule, { provider }, first), { code: 'oauthSecretMissing' });
});

test('sessions go on for as long as the module stands and its client is the same', async () => {
  const of = async (provider: object, current: OauthModule | null) => {
    const config = await stored(oauthModule, { provider }, current);
    return { config, generation: config.generation };
  };
  const own = await of({ google: client }, null);
  const lists = { email_domains: ['example.com'] };
  for (const same of [client, { ...client, client_secret: '' }, { ...client, ...lists }])
    assert.equal((await of({ google: same }, own.config)).generation, own.generation);
  const shared = await of({ google: {} }, null);
  assert.equal((await of({ google: lists }, shared.config)).generation, shared.generation);
  const others = await Promise.all([
    of({ google: client }, null),
    of({ google: { ...client, client_secret: 'new' } }, own.config),
    of({ github: client }, own.config),
    of({ google: {} }, own.config),
    of({ google: client }, shared.config),
  ]);
  const all = [own, shared, ...others].map(({ generation }) => generation);
  assert.equal(new Set(all).size, all.length);
});

test('what cannot be is refused with a reason of its own', async () => {
  const cases: [provider: object, code: ErrorName, field: string][] = [
    [{}, 'oauthProviderMissing', '/provider'],
    [{ github: client, google: client }, 'oauthProviderSeveral', '/provider'],
    [{ google: { client_secret: 's' } }, 'oauthClientMissing', '/provider/google/client_id'],
    [{ github: {} }, 'oauthClientMissing', '/provider/github/client_id'],
    [{ google: { scopes: ['email'] } }, 'oauthScopesOfOthers', '/provider/google/scopes'],
    [{ google: { client_id: 'c' } }, 'oauthSecretMissing', '/provider/google/client_secret'],
    [{ google: { ...client, scopes: ['a b'] } }, 'loginScopeInvalid', '/provider/google/scopes/0'],
    ...['Ada@example.com', 'ada', '@', 'a@b@c'].map((one): [object, ErrorName, string] => [
      { google: { ...client, email_addresses: ['ada@example.com', one] } },
      'oauthEmailInvalid',
      '/provider/google/email_addresses/1',
    ]),
    ...[
      'Example.com',
      '@example.com',
      ' ',
      'https://example.com',
      '*.example.com',
      'a.example,b.example',
    ].map((one): [object, ErrorName, string] => [
      { google: { ...client, email_domains: [one] } },
      'oauthDomainInvalid',
      '/provider/google/email_domains/0',
    ]),
    [{ github: { ...client, teams: ['acme'] } }, 'oauthTeamInvalid', '/provider/github/teams/0'],
    [
      { github: { ...client, organizations: ['a/b'] } },
      'oauthOrganizationInvalid',
      '/provider/github/organizations/0',
    ],
    [
      { google: { ...client, email_domains: Array.from({ length: 101 }, (_, at) => `d${at}.example`) } },
      'oauthListCount',
      '/provider/google/email_domains',
    ],
  ];
  for (const [provider, code, field] of cases)
    await assert.rejects(
      stored(oauthModule, { provider }),
      (error: { code?: string; details?: { field?: string } }) => {
        assert.deepEqual([error.code, error.details?.field], [code, field], JSON.stringify(provider));
        return true;
      },
    );
  await assert.rejects(stored(oauthModule, { provider: { google: { ...client, teams: ['acme/a'] } } }), {
    code: 'fieldUnknown',
  });
  await assert.rejects(stored(oauthModule, { provider: { google: client }, auth_check_interval: -1 }), {
    code: 'authCheckIntervalInvalid',
  });
});
