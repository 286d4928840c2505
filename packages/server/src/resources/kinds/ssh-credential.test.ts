import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { after, before, test } from 'node:test';
import { type Platform, refused, startPlatform } from '../engine.fixture.ts';
import { newSshKey } from '../ssh-keys.fixture.ts';

const kind = 'ssh_credential';
const field = { field: '/public_key' };
let platform: Platform;
before(async () => {
  platform = await startPlatform();
});
after(() => platform.close());

test('a key belongs to one credential, whatever its comment and form', async () => {
  const line = newSshKey('me@laptop');
  const { id } = await platform.create(kind, { public_key: `${line}\n` });
  const [algorithm, base64] = line.split(' ');
  const x = Buffer.from(base64 ?? '', 'base64').subarray(-32);
  const pem = pemOf(x);
  for (const again of [line, `${algorithm}\t${base64}`, `${algorithm} ${base64} other`, pem]) {
    await refused(platform.create(kind, { public_key: again }), 'sshKeyTakenHere', field);
    await refused(
      platform.create(kind, { public_key: again }, platform.stranger),
      'sshKeyTakenElsewhere',
      field,
    );
  }
  await platform.remove(kind, id);
  await platform.create(kind, { public_key: pem }, platform.stranger);
  await refused(platform.create(kind, { public_key: line }), 'sshKeyTakenElsewhere', field);
});

test('the key comes back byte for byte as it was sent, and no room is left for more than a key', async () => {
  for (const [before, after] of [
    ['', '\n'],
    [' \t', ' \r\n\n'],
    ['', ''],
  ]) {
    const sent = `${before}${newSshKey('me@laptop ')}${after}`;
    const { id, public_key } = await platform.create(kind, { public_key: sent });
    assert.equal(public_key, sent);
    assert.equal((await platform.get(kind, id)).public_key, sent);
    const patched = await platform.update(kind, id, { description: 'd' });
    assert.equal(patched.public_key, sent);
    await refused(platform.create(kind, { public_key: sent.trim() }), 'sshKeyTakenHere', field);
  }
  const padded = `${newSshKey()}${'\n'.repeat(8192)}`;
  await refused(platform.create(kind, { public_key: padded }), 'textTooLong', { ...field, limit: 8192 });
});

/** RFC 8410, section 4. */
function pemOf(x: Buffer): string {
  const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), x]);
  return `-----BEGIN PUBLIC KEY-----\n${der.toString('base64')}\n-----END PUBLIC KEY-----`;
}

test('of two that come with one key at once, one gets it', async () => {
  const public_key = newSshKey();
  const all = await Promise.allSettled([1, 2, 3].map(() => platform.create(kind, { public_key })));
  assert.equal(all.filter((one) => one.status === 'fulfilled').length, 1);
});

test('a key that is missing, broken, weak or of another type is refused, each for its own reason', async () => {
  const { publicKey: weak } = generateKeyPairSync('rsa', { modulusLength: 1024 });
  const weakPem = weak.export({ format: 'pem', type: 'spki' }) as string;
  const dsa = `ssh-dss ${Buffer.from('\0\0\0\x07ssh-dss').toString('base64')}`;
  await refused(platform.create(kind, {}), 'sshKeyMissing', field);
  await refused(platform.create(kind, { public_key: null }), 'sshKeyMissing', field);
  await refused(platform.create(kind, { public_key: ' \n' }), 'sshKeyMissing', field);
  await refused(platform.create(kind, { public_key: 'nonsense' }), 'sshKeyInvalid', field);
  await refused(
    platform.create(kind, { public_key: `${newSshKey()}\n${newSshKey()}` }),
    'sshKeyInvalid',
    field,
  );
  await refused(platform.create(kind, { public_key: weakPem }), 'sshKeyTooShort', field);
  await refused(platform.create(kind, { public_key: dsa }), 'sshKeyTypeUnsupported', field);
});

test('the key and the owner cannot be changed, the bind rules can', async () => {
  const { admin, member } = platform;
  const { id, owner_id } = await platform.create(kind, { public_key: newSshKey(), owner_id: member.owner });
  assert.equal(owner_id, member.owner);
  await refused(
    platform.create(kind, { public_key: newSshKey(), owner_id: admin.owner }, member),
    'ownerNotSettable',
  );
  await refused(platform.update(kind, id, { public_key: newSshKey() }), 'fieldUnknown', field);
  await refused(platform.update(kind, id, { owner_id: admin.owner }), 'fieldUnknown');
  await refused(platform.update(kind, id, { acl: ['bind:*'] }), 'bindRuleMalformed', { field: '/acl/0' });
  assert.deepEqual((await platform.update(kind, id, { acl: ['bind:a.example.com'] })).acl, [
    'bind:a.example.com',
  ]);
});
