import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Change, StoredDocument } from '../documents/index.ts';
import { type credentialKinds, FollowedCredentials } from './followed-credentials.ts';

type Followed = StoredDocument<(typeof credentialKinds)[number]>;

const row = { account: 'ac_1', parent: null, revision: 1 };
const described = { description: '', metadata: '' };

function credential(id: string, owner_id = 'usr_1'): Followed {
  return { ...row, id, kind: 'credential', body: { ...described, token_hash: 'x', owner_id, acl: [] } };
}

function sshCredential(id: string, fingerprint: string): Followed {
  const key = { public_key: `ssh-ed25519 ${fingerprint}`, fingerprint };
  return { ...row, id, kind: 'ssh_credential', body: { ...described, ...key, owner_id: 'usr_1', acl: [] } };
}

function user(active: boolean): Followed {
  return { ...row, id: 'usr_1', kind: 'user', body: { name: 'u', email: '', role: 'admin', active } };
}

function gone({ id, kind }: Followed): Change {
  return { id, kind, document: null, account: 'ac_1', revision: 2 } as Change;
}

function put(document: Followed): Change {
  return { id: document.id, kind: document.kind, document, account: 'ac_1', revision: 2 } as Change;
}

async function byKey(credentials: FollowedCredentials, value: string): Promise<string | undefined> {
  return (await credentials.findName({ kind: 'ssh_key', value } as never))?.id;
}

test('a credential that is deleted lets nobody in any more, by its id or by its key', async () => {
  const credentials = new FollowedCredentials();
  const [plain, ssh] = [credential('cr_1'), sshCredential('sshcr_1', 'SHA256:one')];
  credentials.reset([plain, ssh]);
  assert.equal((await credentials.get('cr_1'))?.id, 'cr_1');
  assert.equal(await byKey(credentials, 'SHA256:one'), 'sshcr_1');
  for (const one of [plain, ssh]) assert.equal(credentials.apply(gone(one)), true);
  assert.equal(await credentials.get('cr_1'), null);
  assert.equal(await credentials.get('sshcr_1'), null);
  assert.equal(await byKey(credentials, 'SHA256:one'), undefined);
});

test('a key that has a new credential keeps it when the old one is found to be gone', async () => {
  const credentials = new FollowedCredentials();
  const [old, next] = [sshCredential('sshcr_1', 'SHA256:one'), sshCredential('sshcr_2', 'SHA256:one')];
  credentials.reset([old]);
  credentials.apply(put(next));
  credentials.apply(gone(old));
  assert.equal(await byKey(credentials, 'SHA256:one'), 'sshcr_2');
});

test('a whole list takes the place of all that was known', async () => {
  const credentials = new FollowedCredentials();
  credentials.reset([credential('cr_1'), sshCredential('sshcr_1', 'SHA256:one'), user(true)]);
  assert.equal(credentials.isInactive('cr_1'), false);
  credentials.reset([credential('cr_2')]);
  assert.equal(await credentials.get('cr_1'), null);
  assert.equal(await byKey(credentials, 'SHA256:one'), undefined);
  assert.equal(credentials.isInactive('cr_2'), true, 'its owner is not there any more');
});

test('a credential is inactive from the change of its owner on', () => {
  const credentials = new FollowedCredentials();
  credentials.reset([credential('cr_1'), user(true)]);
  assert.equal(credentials.isInactive('cr_1'), false);
  credentials.apply(put(user(false)));
  assert.equal(credentials.isInactive('cr_1'), true);
  credentials.apply(put(user(true)));
  credentials.apply(gone(user(true)));
  assert.equal(credentials.isInactive('cr_1'), true);
});
