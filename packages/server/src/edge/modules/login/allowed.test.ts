import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allowedBy, type UserLists } from './allowed.ts';

const nobody: UserLists = { emails: [], domains: [], groups: [] };

function isIn(lists: Partial<UserLists>, email: string, groups: readonly string[] = []): boolean {
  return allowedBy({ ...nobody, ...lists }, { id: '1', email, name: '', groups }) === null;
}

test('without lists everybody may come in, with any only who is on one of them', () => {
  assert.equal(isIn({}, ''), true);
  const emails = ['ada@example.com'];
  assert.equal(isIn({ emails }, 'ada@example.com'), true);
  assert.equal(isIn({ emails }, 'bob@example.com'), false);
  assert.equal(isIn({ emails, domains: ['example.org'] }, 'bob@example.org'), true);
  assert.equal(isIn({ emails, groups: ['acme/staff'] }, 'bob@example.com', ['Acme/Staff']), true);
  assert.equal(isIn({ groups: ['acme/staff'] }, 'bob@example.com', ['acme']), false);
});

test('N7: a domain is that behind the last @, whole, and an address that is not known is on no list', () => {
  const domains = ['example.com'];
  for (const email of [
    'a@evil-example.com',
    'a@sub.example.com',
    'a@example.com.evil.net',
    'a@example.com@evil.net',
  ])
    assert.equal(isIn({ domains }, email), false, email);
  assert.equal(isIn({ domains }, 'a@evil.net@example.com'), true);
  assert.equal(isIn({ domains: [''], emails: [''] }, ''), false);
});
