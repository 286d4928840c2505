import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LoginUser } from '../../../login/session.ts';
import { judgeBy, type UserLists } from './allowed.ts';

const nobody: UserLists = { emails: [], domains: [], groups: [] };

function isIn(lists: Partial<UserLists>, email: string, changes: Partial<LoginUser> = {}): boolean {
  const user = { id: '1', email, isEmailVerified: true, name: '', groups: [], ...changes };
  return judgeBy({ ...nobody, ...lists })(user) === null;
}

test('without lists everybody may come in, with any only who is on one of them', () => {
  assert.equal(isIn({}, ''), true);
  const emails = ['ada@example.com'];
  assert.equal(isIn({ emails }, 'ada@example.com'), true);
  assert.equal(isIn({ emails }, 'bob@example.com'), false);
  assert.equal(isIn({ emails, domains: ['example.org'] }, 'bob@example.org'), true);
  const staff = { emails, groups: ['acme/staff'] };
  assert.equal(isIn(staff, 'bob@example.com', { groups: ['Acme/Staff'] }), true);
  assert.equal(isIn({ groups: ['acme/kids'] }, '', { groups: ['acme/\u212aids'] }), false);
  assert.equal(isIn({ groups: ['acme/staff'] }, 'bob@example.com', { groups: ['acme'] }), false);
});

test('R16: an address counts only if the provider states that it is verified, unless the lists take others', () => {
  const unverified = { isEmailVerified: false };
  for (const lists of [{ emails: ['ada@example.com'] }, { domains: ['example.com'] }]) {
    assert.equal(isIn(lists, 'ada@example.com', unverified), false);
    assert.equal(isIn({ ...lists, takesUnverified: true }, 'ada@example.com', unverified), true);
    assert.equal(isIn({ ...lists, takesUnverified: true }, 'bob@example.org', unverified), false);
  }
  assert.equal(isIn({}, 'ada@example.com', unverified), true);
  assert.equal(isIn({ groups: ['staff'] }, 'ada@example.com', { ...unverified, groups: ['staff'] }), true);
});

test('N7, R16: a domain is that behind the one @, whole, and an address that is not known is on no list', () => {
  const domains = ['example.com', '', '.', 'evil@example.com'];
  for (const email of [
    ...['a@evil-example.com', 'a@sub.example.com', 'a@example.com.evil.net', 'a@example.com@evil.net'],
    ...['a@evil.net@example.com', '"a@evil.net"@example.com', '@example.com', 'a@', 'example.com', 'a@.'],
    ...['a@example.com.', 'a@example.com\u200b', 'a@ｅxample.com', 'a b@example.com'],
  ])
    assert.equal(isIn({ domains, emails: [email] }, email) && isIn({ domains }, email), false, email);
  assert.equal(isIn({ domains: [''], emails: [''] }, ''), false);
  assert.equal(isIn({ domains: ['bücher.example'] }, 'a@xn--bcher-kva.example'), true);
  assert.equal(isIn({ domains: ['xn--bcher-kva.example'] }, 'a@bücher.example'), true);
  assert.equal(isIn({ emails: ['kai@example.com'] }, '\u212aai@example.com'), false);
  assert.equal(isIn({ emails: ['KAI@example.com'] }, 'kai@Example.com'), true);
});
