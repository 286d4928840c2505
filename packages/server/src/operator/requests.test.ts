import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { authenticateApiKey } from '../access/tokens.ts';
import type { UserDocument } from '../documents/index.ts';
import { operatorActor } from '../resources/change-entry.ts';
import { type Platform, startPlatform } from '../resources/engine.fixture.ts';
import { createAccount } from '../resources/new-account.ts';
import { proxy } from '../store/proxy.fixture.ts';
import { ConflictError, StoreUnavailableError, WriteOutcomeUnknownError } from '../store/store.ts';
import { OperatorError } from './operator-error.ts';
import { perform } from './requests.ts';

let platform: Platform;
before(async () => {
  platform = await startPlatform();
});
after(() => platform.close());

async function newAccount(): Promise<{ account: string; user: string }> {
  const options = { store: platform.store, name: 'A', email: '', description: '', actor: operatorActor };
  const { account_id: account, user_id: user } = await createAccount(options);
  return { account, user };
}

async function change(id: string, fields: Partial<UserDocument>): Promise<void> {
  const user = await platform.store.get(id);
  assert.ok(user);
  const body = { ...user.body, ...fields };
  await platform.store.write(() => [
    { op: 'replace', id, revision: user.revision, body, links: [], names: [] },
  ]);
}

const makeKey = (account: string, owner: string | null = null) =>
  perform(platform.store, { operation: 'create-key', account, owner, description: 'd' });

test('a new account has an admin with the address, a key and a credential, and nobody else has them', async () => {
  const request = { operation: 'create-account', name: 'Öffentlich', email: 'a@b.c' } as const;
  const made = await perform(platform.store, request);
  const identity = await authenticateApiKey(platform.store, String(made.api_key));
  assert.deepEqual(
    { ...identity, key: '' },
    {
      account: made.account_id,
      owner: made.user_id,
      role: 'admin',
      subject: 'a@b.c',
      key: '',
    },
  );
  const user = await platform.store.get(String(made.user_id));
  assert.equal(user?.kind === 'user' && user.body.email, 'a@b.c');
  const account = await platform.store.get(String(made.account_id));
  assert.equal(account?.kind === 'account' && account.body.name, 'Öffentlich');
  const again = await perform(platform.store, request);
  assert.notEqual(again.account_id, made.account_id, 'a name is not an identity');
  const email = `${'x'.repeat(300)}@example.com`;
  await assert.rejects(perform(platform.store, { ...request, email }), OperatorError);
});

test('an account whose admin has an address that is none is not made', async () => {
  const request = { operation: 'create-account', name: 'A', email: 'nobody' } as const;
  await assert.rejects(perform(platform.store, request), /"nobody" is not one of at most 254 bytes/);
});

test('a key speaks for the oldest active admin of the account, however many users there are', async () => {
  const { account, user } = await newAccount();
  const member: UserDocument = { name: 'M', email: '', role: 'member', active: true };
  for (let count = 0; count < 120; count++) await platform.addUser(account, member);
  const second = await platform.addUser(account, { ...member, role: 'admin' });
  assert.equal((await makeKey(account)).owner_id, user);
  await change(user, { active: false });
  assert.equal((await makeKey(account)).owner_id, second);
  await change(second, { role: 'member' });
  await assert.rejects(makeKey(account), /no active admin: name an owner with --owner/);
  const made = await makeKey(account, second);
  const identity = await authenticateApiKey(platform.store, String(made.token));
  assert.ok(!('fault' in identity) && identity.role === 'member');
  await assert.rejects(makeKey(account, user), OperatorError, 'an inactive owner');
});

test("a key for another account's user, or of one, is refused", async () => {
  const one = await newAccount();
  const other = await newAccount();
  await assert.rejects(makeKey(one.account, other.user), OperatorError);
  await assert.rejects(makeKey(one.user), /there is no account usr_/);
  const { id } = await makeKey(one.account);
  const revoke = (key: string, account: string | null) =>
    perform(platform.store, { operation: 'revoke-key', key, account });
  await assert.rejects(revoke(String(id), other.account), /is not of the account/);
  await assert.rejects(revoke(one.user, null), /there is no API key usr_/);
  assert.ok(await platform.store.get(String(id)));
  assert.ok(await platform.store.get(one.user));
});

test('what happens at the same moment: a key that was changed is revoked all the same, the rest is said', async () => {
  const { account } = await newAccount();
  const { store } = platform;
  const { id } = await makeKey(account);
  const failures: Error[] = [];
  const disturbed = proxy(store, {
    write: (build) => {
      const failure = failures.shift();
      return failure === undefined ? store.write(build) : Promise.reject(failure);
    },
  });
  const create = () => perform(disturbed, { operation: 'create-key', account, owner: null, description: '' });
  failures.push(new ConflictError({ reason: 'link-target-missing', field: 'owner_id', to: 'usr_1' }));
  await assert.rejects(
    create(),
    new OperatorError('something else was changed at the same moment: try again'),
  );
  failures.push(new StoreUnavailableError('the disk is full'));
  await assert.rejects(create(), new OperatorError('the disk is full'));
  failures.push(new WriteOutcomeUnknownError('the thread ended'));
  await assert.rejects(create(), new OperatorError('the thread ended: look before you repeat it'));

  failures.push(new ConflictError({ reason: 'stale', id: String(id) }));
  await perform(disturbed, { operation: 'revoke-key', key: String(id), account: null });
  assert.equal(await store.get(String(id)), null);
  assert.deepEqual(failures, []);
});
