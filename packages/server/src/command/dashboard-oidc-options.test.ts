import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { roleByGroups } from '../core/console-oidc.ts';
import { toConsoleOidc } from './dashboard-oidc-options.ts';

const folder = mkdtempSync(join(tmpdir(), 'dashboard-oidc-'));
after(() => rmSync(folder, { recursive: true }));

function file(text: string): string {
  const path = join(folder, `${Math.random()}`);
  writeFileSync(path, text);
  return path;
}

function parse(change: Readonly<Record<string, readonly string[] | undefined>> = {}) {
  const given = {
    'dashboard-oidc': ['https://login.example.com'],
    'dashboard-oidc-client-id': ['console'],
    'dashboard-oidc-client-secret-file': [file('s3cret\n')],
    'dashboard-oidc-role': ['admin=operators', 'viewer=every=one'],
    ...change,
  };
  return toConsoleOidc(
    new Map(Object.entries(given).flatMap(([flag, texts]) => (texts === undefined ? [] : [[flag, texts]]))),
  );
}

test('the options of the sign-in by OpenID Connect have defaults, and the secret is a line of a file', () => {
  assert.deepEqual(parse(), {
    ...{ issuer: 'https://login.example.com', clientId: 'console', clientSecret: 's3cret' },
    ...{ scopes: ['profile', 'email'], groupsClaim: 'groups', account: null },
    roles: [
      { role: 'admin', group: 'operators' },
      { role: 'viewer', group: 'every=one' },
    ],
  });
  assert.equal(toConsoleOidc(new Map()), null);
});

test('a wrong option of the sign-in is refused by its name, and no secret is in the message', () => {
  for (const [change, reason] of [
    [{ 'dashboard-oidc': undefined }, /^--dashboard-oidc-client-id: needs --dashboard-oidc URL/],
    [{ 'dashboard-oidc': ['http://login.example.com'] }, /^--dashboard-oidc http:.*https URL/],
    [{ 'dashboard-oidc': ['https://login.microsoftonline.com/common/v2.0'] }, /every tenant/],
    [{ 'dashboard-oidc-client-id': undefined }, /^--dashboard-oidc-client-id: .*needs the id/],
    [{ 'dashboard-oidc-client-id': [' '] }, /needs the id/],
    [{ 'dashboard-oidc-client-secret-file': undefined }, /-secret-file: .*needs a file/],
    [{ 'dashboard-oidc-client-secret-file': [join(folder, 'none')] }, /cannot be read/],
    [{ 'dashboard-oidc-client-secret-file': [file('s3cret\nmore')] }, /in one line/],
    [{ 'dashboard-oidc-client-secret-file': [file('\n')] }, /in one line/],
    [{ 'dashboard-oidc-scope': ['a b'] }, /one scope/],
    [{ 'dashboard-oidc-groups-claim': [''] }, /needs a claim/],
    [{ 'dashboard-oidc-role': undefined }, /at least one ROLE=GROUP/],
    [{ 'dashboard-oidc-role': ['operators'] }, /must be ROLE=GROUP/],
    [{ 'dashboard-oidc-role': ['root=operators'] }, /one of admin, member, viewer/],
    [{ 'dashboard-oidc-role': ['admin='] }, /must be ROLE=GROUP/],
    [{ 'dashboard-oidc-account': ['Acme'] }, /begins with ac_/],
  ] as const)
    assert.throws(
      () => parse(change),
      (error: Error) => reason.test(error.message) && !error.message.includes('s3cret'),
      JSON.stringify(change),
    );
});

test('the group with most rights decides, whatever the order, and names are compared exactly', () => {
  const roles = [
    { role: 'viewer', group: 'all' },
    { role: 'admin', group: 'ops' },
  ] as const;
  assert.equal(roleByGroups(['all', 'ops'], roles), 'admin');
  assert.equal(roleByGroups(['all'], roles), 'viewer');
  for (const groups of [[], ['Ops'], ['ops '], ['op']]) assert.equal(roleByGroups(groups, roles), null);
});
