import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { HostPattern } from '../core/names/hostname.ts';
import { Proofs } from './proofs.ts';

const proofs = new Proofs(Buffer.alloc(32, 1));
const bearer = { account: 'ac_1', credential: 'cr_1' };
const name = '*.app.example.com' as HostPattern;

test('a bind token proves its name to its credential, to no other, and under no other key', () => {
  const token = proofs.bindToken(bearer, name);
  assert.equal(proofs.provenTarget(token, bearer), name);
  assert.equal(new Proofs(Buffer.alloc(32, 1)).provenTarget(token, bearer), name);
  assert.equal(new Proofs(Buffer.alloc(32, 2)).provenTarget(token, bearer), null);
  assert.equal(proofs.provenTarget(token, { ...bearer, credential: 'cr_2' }), null);
  assert.equal(proofs.provenTarget(token, { ...bearer, account: 'ac_2' }), null);
  const other = Buffer.from('other.example.com').toString('base64url');
  assert.equal(proofs.provenTarget(`${other}.${token.split('.')[1]}`, bearer), null);
});

test('a session cookie is no bind token and proves one client id only', () => {
  const cookie = proofs.cookie(bearer, 'ts_1');
  assert.ok(proofs.isCookie(cookie, bearer, 'ts_1'));
  assert.ok(!proofs.isCookie(cookie, bearer, 'ts_2'));
  assert.ok(!proofs.isCookie(cookie, { ...bearer, credential: 'cr_2' }, 'ts_1'));
  assert.equal(proofs.provenTarget(`${Buffer.from('ts_1').toString('base64url')}.${cookie}`, bearer), null);
});

test('no other text is a proof', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.base64String(),
        fc.tuple(fc.base64String(), fc.base64String()).map((parts) => parts.join('.')),
      ),
      (text) => {
        assert.equal(proofs.provenTarget(text, bearer), null);
        assert.ok(!proofs.isCookie(text, bearer, 'ts_1'));
      },
    ),
  );
});
