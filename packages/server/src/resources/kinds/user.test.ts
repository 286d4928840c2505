import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { authenticateApiKey, authenticateCredential } from '../../access/tokens.ts';
import type { ErrorName } from '../../errors/catalogue.ts';
import type { OpenStore } from '../../store/conformance/index.fixture.ts';
import { onBothStores } from '../both-stores.fixture.ts';
import { operatorActor } from '../change-entry.ts';
import type { Principal } from '../definition.ts';
import { createEngine } from '../engine/engine.ts';
import { collection, type Platform, refused, startPlatform } from '../engine.fixture.ts';
import { createAccount } from '../new-account.ts';
import { newSshKey } from '../ssh-keys.fixture.ts';

let people = 0;

/** A user, as the caller that they are. */
async function join(platform: Platform, role: 'admin' | 'member'): Promise<Principal> {
  const { id } = await platform.create('user', { name: `${role} ${++people}`, role });
  return { ...platform.admin, owner: id, role };
}

describe('users', () => {
  let platform: Platform;
  before(async () => {
    platform = await startPlatform();
  });
  after(() => platform.close());

  test('only admins manage them, and everybody reads them', async () => {
    const { member } = platform;
    const { id } = await platform.create('user', { name: ' Ada ' });
    await refused(platform.create('user', { name: 'Eve', role: 'admin' }, member), 'userAdminsOnly');
    for (const target of [id, member.owner, 'usr_none', 'nonsense']) {
      await refused(platform.update('user', target, { role: 'admin' }, member), 'userAdminsOnly');
      await refused(platform.remove('user', target, member), 'userAdminsOnly');
    }
    assert.equal((await platform.get('user', id, member)).name, 'Ada');
    const { items } = await platform.list('user', {}, member);
    assert.ok(items.some((item) => item.id === id));
  });

  test('a name is needed and limited, an address is one or none, a role is one that there is', async () => {
    const { id } = await platform.create('user', { name: 'x' });
    const long = { field: '/name', limit: 255 };
    await refused(platform.create('user', {}), 'userNameMissing', { field: '/name' });
    await refused(platform.create('user', { name: null }), 'userNameMissing', { field: '/name' });
    const cases: [Record<string, string>, ErrorName, object][] = [
      [{ name: ' ' }, 'userNameMissing', { field: '/name' }],
      [{ name: `${'ü'.repeat(127)}xy` }, 'userNameTooLong', long],
      [{ role: 'owner' }, 'userRoleInvalid', { field: '/role', allowed: ['admin', 'member', 'viewer'] }],
      ...[
        'ada',
        '@example.com',
        'ada@',
        'a b@example.com',
        'a@b@c',
        'a\u202eb@c',
        `${'a'.repeat(243)}@example.com`,
      ].map((email): [Record<string, string>, ErrorName, object] => [
        { email },
        'userEmailInvalid',
        { field: '/email', limit: 254 },
      ]),
    ];
    for (const [body, error, details] of cases) {
      await refused(platform.create('user', { name: 'x', ...body }), error, details);
      await refused(platform.update('user', id, body), error, details);
    }
    const email = `${'ü'.repeat(121)}@example.com`;
    assert.equal((await platform.update('user', id, { email })).email, email);
    assert.equal((await platform.update('user', id, { email: '' })).email, '');
  });

  test('an address belongs to one user of the account, whatever its case, and is free when it is given up', async () => {
    const { id } = await platform.create('user', { name: 'x', email: 'Grace@Example.com' });
    const other = await platform.create('user', { name: 'x' });
    const again = { email: 'grace@EXAMPLE.com' };
    const at = { field: '/email' };
    await refused(platform.create('user', { name: 'x', ...again }), 'userEmailTaken', at);
    await refused(platform.update('user', other.id, again), 'userEmailTaken', at);
    await platform.create('user', { name: 'x', ...again }, platform.stranger);
    await platform.update('user', id, again);
    await platform.update('user', id, { email: '' });
    await platform.update('user', other.id, again);
    const results = await Promise.allSettled(
      Array.from({ length: 4 }, () => platform.create('user', { name: 'x', email: 'one@example.com' })),
    );
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1);
  });

  test('the address of the admin that an account came with is taken, too', async () => {
    const { store, admin } = platform;
    const email = 'Root@Example.com';
    const made = await createAccount({
      store,
      name: 'another',
      email,
      description: '',
      actor: operatorActor,
    });
    const root = { ...admin, account: made.account_id, owner: made.user_id };
    const again = { name: 'x', email: 'root@example.com' };
    await refused(platform.create('user', again, root), 'userEmailTaken');
    await platform.update('user', made.user_id, { name: 'Root' }, root);
    await refused(platform.create('user', again, root), 'userEmailTaken');
  });

  test('a role that changes counts for the next request of the same key', async () => {
    const { owner } = await join(platform, 'member');
    const { token } = await platform.create('api_key', { owner_id: owner });
    const roleNow = async () => {
      const who = await authenticateApiKey(platform.store, String(token));
      return 'fault' in who ? who.fault : who.role;
    };
    assert.equal(await roleNow(), 'member');
    await platform.update('user', owner, { role: 'admin' });
    assert.equal(await roleNow(), 'admin');
    await platform.update('user', owner, { active: false });
    assert.equal(await roleNow(), 'apiKeyOwnerInactive');
    await platform.update('user', owner, { active: true });
    assert.equal(await roleNow(), 'admin');
  });

  test('users cannot delete themselves', async () => {
    const other = await join(platform, 'admin');
    await refused(platform.remove('user', other.owner, other), 'userDeletesThemselves');
    await platform.remove('user', other.owner);
  });
});

for (const kind of ['user', 'bot_user']) {
  describe(`what a ${kind} owns`, () => {
    let platform: Platform;
    before(async () => {
      platform = await startPlatform();
    });
    after(() => platform.close());

    test('keeps it from being deleted, and is named', async () => {
      const { id: owner_id } = await platform.create(kind, { name: 'owner' });
      const key = await platform.create('api_key', { owner_id });
      const credential = await platform.create('credential', { owner_id });
      const ssh = await platform.create('ssh_credential', { owner_id, public_key: newSshKey() });
      const used_by = [key.id, credential.id, ssh.id].sort();
      const error = kind === 'user' ? 'userInUse' : 'botInUse';
      await refused(platform.remove(kind, owner_id), error, { used_by });
      await platform.remove('api_key', key.id);
      await refused(platform.remove(kind, owner_id), error, { used_by: [credential.id, ssh.id].sort() });
      await platform.remove('credential', credential.id);
      await refused(platform.remove(kind, owner_id), error, { used_by: [ssh.id] });
      await platform.remove('ssh_credential', ssh.id);
      await platform.remove(kind, owner_id);
      await refused(platform.create('credential', { owner_id }), 'ownerUnknown', { field: '/owner_id' });
    });

    test('works while they are active, and only then', async () => {
      const { id: owner_id } = await platform.create(kind, { name: 'worker' });
      const { token: key } = await platform.create('api_key', { owner_id });
      const { token } = await platform.create('credential', { owner_id });
      const { store } = platform;
      const faults = async () =>
        (
          await Promise.all([
            authenticateApiKey(store, String(key)),
            authenticateCredential(store, String(token)),
          ])
        ).map((answer) => ('fault' in answer ? answer.fault : 'works'));
      assert.deepEqual(await faults(), ['works', 'works']);
      await platform.update(kind, owner_id, { active: false });
      assert.deepEqual(await faults(), ['apiKeyOwnerInactive', 'authtokenOwnerInactive']);
      await refused(platform.create('api_key', { owner_id }), 'ownerInactive', { field: '/owner_id' });
      await platform.update(kind, owner_id, { active: true });
      assert.deepEqual(await faults(), ['works', 'works']);
    });

    test('is never left behind by a deletion at the same moment', async () => {
      for (let round = 0; round < 5; round++) {
        const { id: owner_id } = await platform.create(kind, { name: `racer ${round}` });
        const [made, gone] = await Promise.allSettled([
          platform.create('credential', { owner_id }),
          platform.remove(kind, owner_id),
        ]);
        assert.notEqual(made.status, gone.status);
      }
    });
  });
}

/** Two nodes that share only the store. */
function lastAdmin(open: OpenStore): void {
  let platform: Platform;
  before(async () => {
    platform = await startPlatform(open);
  });
  after(() => platform.close());

  const activeAdmins = async () => {
    const { items } = await platform.list('user');
    return items.filter(({ role, active }) => role === 'admin' && active).map(({ id }) => String(id));
  };

  test('the last active admin can be neither demoted nor made inactive nor deleted', async () => {
    const { admin } = platform;
    const inactive = await join(platform, 'admin');
    await platform.update('user', inactive.owner, { active: false });
    for (const patch of [{ role: 'member' }, { active: false }, { role: 'member', active: false }])
      await refused(platform.update('user', admin.owner, patch), 'lastAdmin');
    const { member } = platform;
    // The caller's key was read as an admin's, in a request that is still open.
    await refused(platform.remove('user', admin.owner, { ...member, role: 'admin' }), 'lastAdmin');
    await platform.update('user', admin.owner, { name: 'Root', role: 'admin', active: true });
    assert.deepEqual(await activeAdmins(), [admin.owner]);
    const other = await join(platform, 'admin');
    await platform.update('user', admin.owner, { role: 'member' });
    await platform.update('user', admin.owner, { role: 'admin' });
    await platform.remove('user', other.owner);
  });

  test('of changes on two nodes at once that would leave no admin, one is refused', async () => {
    const { settings, online, sealer } = platform;
    const engine = () => createEngine({ store: platform.store, settings, online, sealer, now: Date.now });
    const nodes = [engine(), engine(), engine()];
    const users = collection('user');
    for (const lose of ['demote', 'deactivate', 'delete'] as const) {
      const admins = [platform.admin, await join(platform, 'admin'), await join(platform, 'admin')];
      assert.equal((await activeAdmins()).length, 3);
      const results = await Promise.allSettled(
        nodes.map((node, at) => {
          const id = admins[at]!.owner;
          const caller = admins[(at + 1) % 3]!;
          if (lose === 'delete') return node.remove(users, caller, id);
          return node.update(users, caller, id, lose === 'demote' ? { role: 'member' } : { active: false });
        }),
      );
      assert.equal((await activeAdmins()).length, 1, lose);
      const [refusal] = results.filter((result) => result.status === 'rejected');
      assert.equal(refusal?.reason.code, 'lastAdmin');
      if (lose === 'delete') return;
      await platform.update('user', platform.admin.owner, { role: 'admin', active: true });
      for (const { owner } of admins.slice(1)) await platform.update('user', owner, { role: 'member' });
    }
  });

  test('an admin who is renamed at the same moment still counts', async () => {
    const other = await join(platform, 'admin');
    const [first = ''] = (await activeAdmins()).filter((id) => id !== other.owner);
    await Promise.all([
      platform.update('user', other.owner, { role: 'member' }),
      ...Array.from({ length: 5 }, (_, round) => platform.update('user', first, { name: `name ${round}` })),
    ]);
    const kept = await platform.get('user', first);
    assert.deepEqual([kept.name, kept.role], ['name 4', 'admin']);
  });
}

onBothStores(lastAdmin);
