import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LoginKey } from './login-key.ts';

const key = new LoginKey(Buffer.alloc(32, 1));
const value = { id: 'ada', groups: ['staff', 'ünï'] };

test('what was sealed opens in its place, and is in characters that need no escaping', () => {
  const sealed = key.sealedFor<typeof value>('session/1').seal(value, 'here');
  assert.match(sealed, /^[\w-]+$/);
  assert.deepEqual(new LoginKey(Buffer.alloc(32, 1)).sealedFor('session/1').open(sealed, 'here'), value);
});

test('nothing opens elsewhere, for another purpose, under another key, or changed', () => {
  const sealer = key.sealedFor<typeof value>('session/1');
  const sealed = sealer.seal(value, 'here');
  assert.equal(sealer.open(sealed, 'there'), null);
  assert.equal(key.sealedFor('session/2').open(sealed, 'here'), null);
  assert.equal(new LoginKey(Buffer.alloc(32, 2)).sealedFor('session/1').open(sealed, 'here'), null);
  for (let at = 0; at < sealed.length; at += 1) {
    const other = sealed[at] === 'A' ? 'w' : 'A';
    const changed = sealed.slice(0, at) + other + sealed.slice(at + 1);
    // The bits that the last character has too many stand for nothing.
    if (Buffer.from(changed, 'base64url').equals(Buffer.from(sealed, 'base64url'))) continue;
    assert.equal(sealer.open(changed, 'here'), null, `character ${at}`);
  }
  for (const text of ['', 'A', sealed.slice(0, -4), `${sealed}AAAA`, `${sealed}=`, 'A'.repeat(10_000)])
    assert.equal(sealer.open(text, 'here'), null, text.slice(0, 20));
});

test('secrets differ by purpose and by what they are of', () => {
  assert.equal(key.secretOf('nonce', '1').length, 43);
  assert.equal(key.secretOf('nonce', '1'), key.secretOf('nonce', '1'));
  assert.notEqual(key.secretOf('nonce', '1'), key.secretOf('nonce', '2'));
  assert.notEqual(key.secretOf('nonce', '1'), key.secretOf('verifier', '1'));
});
