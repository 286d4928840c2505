import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ErrorName } from '../../errors/catalogue.ts';
import { isKeyFault, openSigningKey, parsePublicKey } from '../../pki/ssh/index.ts';
import type { JsonObject } from '../../store/store.ts';
import { type Platform, refused, startPlatform } from '../engine.fixture.ts';
import { newSshKey } from '../ssh-keys.fixture.ts';

const kind = 'ssh_certificate_authority';
let platform: Platform;
before(async () => {
  platform = await startPlatform();
});
after(() => platform.close());

const choices: readonly (readonly [JsonObject, string, string])[] = [
  [{}, 'ed25519', 'ssh-ed25519'],
  [{ private_key_type: 'ed25519' }, 'ed25519', 'ssh-ed25519'],
  [{ private_key_type: 'ecdsa' }, 'ecdsa', 'ecdsa-sha2-nistp256'],
  [{ private_key_type: 'ecdsa', elliptic_curve: 'nistp256' }, 'ecdsa', 'ecdsa-sha2-nistp256'],
  [{ private_key_type: 'ecdsa', elliptic_curve: 'p256' }, 'ecdsa', 'ecdsa-sha2-nistp256'],
  [{ private_key_type: 'ecdsa', elliptic_curve: 'nistp384' }, 'ecdsa', 'ecdsa-sha2-nistp384'],
  [{ private_key_type: 'ecdsa', elliptic_curve: 'p384' }, 'ecdsa', 'ecdsa-sha2-nistp384'],
  [{ private_key_type: 'ecdsa', elliptic_curve: 'nistp521' }, 'ecdsa', 'ecdsa-sha2-nistp521'],
  [{ private_key_type: 'ecdsa', elliptic_curve: 'p521' }, 'ecdsa', 'ecdsa-sha2-nistp521'],
  [{ private_key_type: 'rsa' }, 'rsa', 'ssh-rsa'],
  [{ private_key_type: 'rsa', key_size: 2048 }, 'rsa', 'ssh-rsa'],
  [{ private_key_type: 'rsa', key_size: 4096 }, 'rsa', 'ssh-rsa'],
];
for (const [body, type, algorithm] of choices) {
  test(`${JSON.stringify(body)} makes a key of ${algorithm}`, async () => {
    const { key_type, public_key } = await platform.create(kind, body);
    assert.equal(key_type, type);
    const key = parsePublicKey(String(public_key));
    assert.ok(!isKeyFault(key));
    assert.equal(key.algorithm, algorithm);
    if (type === 'rsa') {
      const bytes = body.key_size === 4096 ? 512 : 256;
      assert.ok(key.blob.length > bytes && key.blob.length < bytes + 40);
    }
  });
}

test('every authority has a key of its own', async () => {
  const [one, other] = [await platform.create(kind, {}), await platform.create(kind, {})];
  assert.notEqual(one.public_key, other.public_key);
});

const misfits: readonly (readonly [JsonObject, ErrorName, string])[] = [
  [{ private_key_type: 'dsa' }, 'sshAuthorityKeyTypeInvalid', '/private_key_type'],
  [{ private_key_type: 'RSA' }, 'sshAuthorityKeyTypeInvalid', '/private_key_type'],
  [{ private_key_type: ' ' }, 'sshAuthorityKeyTypeInvalid', '/private_key_type'],
  [{ private_key_type: 'ecdsa', elliptic_curve: 'p224' }, 'sshAuthorityCurveInvalid', '/elliptic_curve'],
  [{ private_key_type: 'rsa', elliptic_curve: 'p256' }, 'sshAuthorityCurveMisplaced', '/elliptic_curve'],
  [{ elliptic_curve: 'p256' }, 'sshAuthorityCurveMisplaced', '/elliptic_curve'],
  [{ private_key_type: 'ecdsa', key_size: 2048 }, 'sshAuthorityKeySizeMisplaced', '/key_size'],
  [{ key_size: 2048 }, 'sshAuthorityKeySizeMisplaced', '/key_size'],
  [{ private_key_type: 'rsa', key_size: 1024 }, 'sshAuthorityKeySizeInvalid', '/key_size'],
  [{ private_key_type: 'rsa', key_size: 3072 }, 'sshAuthorityKeySizeInvalid', '/key_size'],
  [{ private_key_type: 'rsa', key_size: -2048 }, 'sshAuthorityKeySizeInvalid', '/key_size'],
  [{ private_key_type: 'rsa', key_size: 2048.5 }, 'valueInvalid', '/key_size'],
];
for (const [body, error, field] of misfits) {
  test(`${JSON.stringify(body)} is refused`, async () => {
    await refused(platform.create(kind, body), error, { field });
  });
}

test('the private key is in the store under the seal of its own document only', async () => {
  const { id, ...shown } = await platform.create(kind, {});
  const document = await platform.store.get(id);
  assert.ok(document?.kind === 'ssh_certificate_authority');
  const { private_key_sealed: sealed } = document.body;
  assert.doesNotMatch(JSON.stringify(document), /PRIVATE/);
  assert.ok(!JSON.stringify(shown).includes('private_key'));
  const pem = platform.sealer.open(sealed, `${kind}/${id}`);
  assert.equal(`ssh-ed25519 ${openSigningKey(pem).publicKey.blob.toString('base64')}`, shown.public_key);
  assert.throws(() => platform.sealer.open(sealed, `${kind}/${id}x`));
  await platform.update(kind, id, { description: 'still the same key' });
  assert.equal((await platform.get(kind, id)).public_key, shown.public_key);
});

test('the key cannot be changed', async () => {
  const { id } = await platform.create(kind, {});
  for (const field of ['private_key_type', 'elliptic_curve', 'key_size', 'public_key']) {
    await refused(platform.update(kind, id, { [field]: 'x' }), 'fieldUnknown', { field: `/${field}` });
  }
});

test('while certificates stand that it signed, it cannot be deleted, and they are named', async () => {
  const { id } = await platform.create(kind, {});
  const body = { ssh_certificate_authority_id: id, public_key: newSshKey() };
  const host = await platform.create('ssh_host_certificate', body);
  const user = await platform.create('ssh_user_certificate', body);
  const { details } = await refused(platform.remove(kind, id), 'sshAuthorityInUse');
  assert.deepEqual([...(details.used_by ?? [])].sort(), [host.id, user.id].sort());
  await platform.remove('ssh_host_certificate', host.id);
  await refused(platform.remove(kind, id), 'sshAuthorityInUse', { used_by: [user.id] });
  await platform.remove('ssh_user_certificate', user.id);
  await platform.remove(kind, id);
});
