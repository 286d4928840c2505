import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '../../errors/problem.ts';
import { oidcOption } from './oidc.ts';

const client = { client_id: 'shop', client_secret: 'between us' };
const context = {
  settings: { errorCodeHeader: 'x', oauthClients: new Map() },
  reading: { code: 'bindRequestMalformed', request: 'Bind' },
} as const;

/** The lists that the option becomes, or the error that refuses it. */
function read(sent: object, issuer_url = 'https://accounts.example.com') {
  try {
    return oidcOption.read({ issuer_url, ...client, ...sent }, context)?.lists;
  } catch (error) {
    assert.ok(error instanceof Problem, String(error));
    return error.code;
  }
}

const shared = [
  ...[
    'common',
    'organizations',
    'consumers',
    'Common',
    '%63ommon',
    '9188040d-6c67-4c5b-b112-36a304b66dad',
  ].map((tenant) => `https://login.microsoftonline.com/${tenant}/v2.0`),
  ...['https://LOGIN.microsoftonline.com:443/common', 'https://login.microsoftonline.com./common/v2.0/'],
  ...['https://login.microsoftonline.us/common/v2.0', 'https://sts.windows.net/common/'],
  ...['https://login.microsoftonline.com//common/oauth2/v2.0', 'https://id.example.com/common/v2.0'],
  ...['https://login.microsoftonline.com/{tenantid}/v2.0', 'https://id.example.com/%7Btenant%7D/'],
];

test('R16: an issuer of every tenant is refused with lists, and taken without', () => {
  for (const issuer of shared) {
    assert.equal(read({ allow_domains: ['example.com'] }, issuer), 'bindOidcIssuerShared', issuer);
    const all = { allow_emails: ['ada@example.com'], allow_unverified_email: true };
    assert.equal(read(all, issuer), 'bindOidcIssuerShared', issuer);
    assert.deepEqual(read({}, issuer), { emails: [], domains: [], takesUnverified: false }, issuer);
  }
  for (const issuer of [
    ...['https://login.microsoftonline.com/5f0b1c1e-0000-4000-8000-000000000000/v2.0'],
    ...['https://login.microsoftonline.com/example.com/v2.0', 'https://id.example.com/common/shop'],
    ...['https://accounts.google.com', 'https://id.example.com/realms/common', 'https://common.example.com/'],
  ])
    assert.deepEqual(
      read({ allow_domains: ['example.com'] }, issuer),
      { emails: [], domains: ['example.com'], takesUnverified: false },
      issuer,
    );
});

test('lists are kept as addresses are compared, and what no address can match is refused', () => {
  assert.deepEqual(
    read({
      allow_emails: ['Ada@Example.com', '\u212aai@bücher.example'],
      allow_domains: ['BOOKS.example', 'bücher.example'],
      allow_unverified_email: true,
    }),
    {
      emails: ['ada@example.com', '\u212aai@xn--bcher-kva.example'],
      domains: ['books.example', 'xn--bcher-kva.example'],
      takesUnverified: true,
    },
  );
  for (const entry of ['', '@', 'a@', '@b', 'a@b@c', 'a b@c', 'a@b.', 'a@b..c', 'a@\u212a.example', 'ada'])
    assert.equal(read({ allow_emails: [entry] }), 'bindUserListEntry', entry);
  for (const entry of ['', 'a@b', '@b', 'b.', '.b', 'a..b', 'ex\u00adample.com', '\u212a.example'])
    assert.equal(read({ allow_domains: [entry] }), 'bindUserListEntry', entry);
  assert.equal(read({ allow_unverified_email: 'true' }), 'bindRequestMalformed');
});
