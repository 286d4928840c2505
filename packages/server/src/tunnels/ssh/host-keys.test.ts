/** Host keys: of every daemon on a database the same, of each secret its own, and certified where a certificate lies beside them. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  fingerprint,
  formatPublicKey,
  generateSigningKey,
  isSignedBy,
  issueCertificate,
  openSigningKey,
} from '../../pki/ssh/index.ts';
import { onBothStores } from '../../resources/both-stores.fixture.ts';
import { startPlatform } from '../../resources/engine.fixture.ts';
import { plainHostKey } from '../../ssh/host-key.ts';
import { ecdsaFrom, ed25519From, HostCertificateError, loadHostKeys, publishHostKeys } from './host-keys.ts';

const prints = ({ ed25519, ecdsa }: Awaited<ReturnType<typeof loadHostKeys>>) =>
  [ed25519, ecdsa].map(({ publicKey }) => fingerprint(publicKey));

onBothStores((open) => {
  test('daemons that start at once, and those that start later, have the same keys', async (t) => {
    const on = await startPlatform(open);
    t.after(() => on.close());
    const { store, sealer } = on;
    const [first, second] = await Promise.all([1, 2].map(() => loadHostKeys({ store, sealer })));
    assert.deepEqual(prints(second!), prints(first!));
    assert.deepEqual(prints(await loadHostKeys({ store, sealer })), prints(first!));
    assert.equal(new Set(prints(first!)).size, 2);
  });
});

test('a secret makes the same keys in every version', () => {
  const secret = Buffer.alloc(32, 7);
  const prints = [ed25519From(secret), ecdsaFrom(secret)].map(({ publicKey }) => fingerprint(publicKey));
  assert.deepEqual(prints, [
    'SHA256:z/fSv0Z0RZS+Lccbc6ZoOWwt/fbj1VFJGSBKQbo4icE',
    'SHA256:qTWV6swkcMCYqzXVP2nJ+eMx6njbRLGMuejFmsDCViw',
  ]);
});

test('any secret makes an ECDSA key that signs', () => {
  const random = Array.from({ length: 20 }, () => randomBytes(32));
  const data = randomBytes(100);
  for (const secret of [Buffer.alloc(32), Buffer.alloc(32, 255), ...random]) {
    const key = ecdsaFrom(secret);
    const algorithm = 'ecdsa-sha2-nistp256';
    assert.ok(isSignedBy(key.publicKey, algorithm, plainHostKey(key).sign(data), data));
  }
});

test('both public keys and their certificates are shown, certificates first; those of other keys are refused', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'underpass-host-keys-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const keys = { ed25519: ed25519From(randomBytes(32)), ecdsa: ecdsaFrom(randomBytes(32)) };
  const algorithms = async () => (await publishHostKeys(directory, keys)).map(({ algorithm }) => algorithm);
  const plain = ['ssh-ed25519', 'ecdsa-sha2-nistp256'];
  assert.deepEqual(await algorithms(), plain);
  const files = { ed25519: 'ssh_host_key', ecdsa: 'ssh_host_ecdsa_key' } as const;
  assert.deepEqual(
    readdirSync(directory).sort(),
    Object.values(files)
      .map((name) => `${name}.pub`)
      .sort(),
  );
  const authority = openSigningKey(await generateSigningKey({ type: 'ed25519' }));
  const content = {
    ...({ role: 'host', serial: 1n, keyId: 'id', principals: ['gate.example.com'] } as const),
    ...{ validAfter: 0, validBefore: 4e9, criticalOptions: {}, extensions: {} },
  };
  for (const type of ['ed25519', 'ecdsa'] as const) {
    const shown = readFileSync(join(directory, `${files[type]}.pub`), 'utf8');
    assert.equal(shown, `${formatPublicKey(keys[type].publicKey)} underpass\n`);
    const path = join(directory, `${files[type]}-cert.pub`);
    const other = type === 'ed25519' ? keys.ecdsa : keys.ed25519;
    writeFileSync(path, issueCertificate(other.publicKey, content, authority));
    await assert.rejects(algorithms(), HostCertificateError);
    writeFileSync(path, issueCertificate(keys[type].publicKey, content, authority));
  }
  const certified = plain.map((name) => `${name}-cert-v01@openssh.com`);
  assert.deepEqual(await algorithms(), [...certified, ...plain]);
});
