import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import { Authenticator, authenticatorTypes } from './authenticator.fixture.ts';
import { parsePublicKeyText } from './public-key-text.ts';
import { openSigningKey, signBlob } from './signing-key.ts';
import { isSignedBy } from './verify.ts';
import { string } from './wire.ts';

const data = Buffer.from('what is signed');
const [touched, verified] = [0x01, 0x05];

for (const type of authenticatorTypes) {
  const token = new Authenticator(type);
  const isValid = (signature: Buffer, demand?: { presence: boolean; verification: boolean }) =>
    isSignedBy(token.publicKey, type, signature, data, demand);

  test(`${type}: the line of a .pub file is read`, () => {
    assert.deepEqual(parsePublicKeyText(token.line), token.publicKey);
  });

  test(`${type}: a signature counts if its user touched the authenticator, or need not`, () => {
    assert.ok(isValid(token.sign(data, touched)));
    assert.ok(!isValid(token.sign(data, 0)));
    assert.ok(isValid(token.sign(data, 0), { presence: false, verification: false }));
    assert.ok(!isValid(token.sign(data, touched), { presence: true, verification: true }));
    assert.ok(isValid(token.sign(data, verified), { presence: true, verification: true }));
  });

  test(`${type}: another application, other data, changed facts, and bytes that are missing or added are refused`, () => {
    const good = token.sign(data);
    assert.ok(!isValid(token.sign(data, touched, 'ssh:other')));
    assert.ok(!isValid(token.sign(Buffer.from('other'))));
    assert.ok(!isValid(new Authenticator(type).sign(data)));
    for (let at = 0; at < good.length; at += 1) {
      const changed = Buffer.from(good);
      changed[at] = good[at]! ^ 0x80;
      assert.ok(!isValid(changed), `byte ${at}`);
    }
    for (let length = 0; length < good.length; length += 1) assert.ok(!isValid(good.subarray(0, length)));
    assert.ok(!isValid(Buffer.concat([good, Buffer.of(0)])));
  });

  test(`${type}: a key with a long application, without one, or with more after it is refused`, () => {
    const { blob, fields } = token.publicKey;
    const without = Buffer.concat([string(type), fields.subarray(0, -string('ssh:').length)]);
    for (const bad of [
      without,
      Buffer.concat([without, string('x'.repeat(256))]),
      Buffer.concat([blob, Buffer.of(0)]),
    ]) {
      const key = parsePublicKeyText(`${type} ${bad.toString('base64')}`);
      assert.equal('fault' in key && key.fault, 'malformed');
    }
  });
}

test('a key in a file signs for nobody of whom a PIN is demanded', () => {
  const key = openSigningKey(
    generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  );
  const signature = signBlob(key, data);
  const byKey = (verification: boolean) =>
    isSignedBy(key.publicKey, 'ssh-ed25519', signature, data, { presence: true, verification });
  assert.ok(byKey(false));
  assert.ok(!byKey(true));
});
