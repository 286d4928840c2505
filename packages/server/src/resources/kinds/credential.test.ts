import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { authenticateApiKey, authenticateCredential } from '../../access/tokens.ts';
import type { ErrorName } from '../../errors/catalogue.ts';
import { type Platform, refused, startPlatform } from '../engine.fixture.ts';
import { newSshKey } from '../ssh-keys.fixture.ts';

let platform: Platform;
before(async () => {
  platform = await startPlatform();
});
after(() => platform.close());

const nobody = '0ujtsYcgvSTl8PAuAdqWYSMnLOv';

for (const kind of ['credential', 'api_key']) {
  describe(`${kind} tokens and owners`, () => {
    test('the token is shown once and kept as a hash', async () => {
      const created = await platform.create(kind, {});
      const token = String(created.token);
      assert.match(token, /^[0-9A-Za-z]{27}_[0-9A-Za-z]{21,}$/);
      assert.equal(token.split('_')[0], created.id.split('_')[1]);
      const updated = await platform.update(kind, created.id, { description: 'x' });
      const { items } = await platform.list(kind);
      const stored = await platform.store.get(created.id);
      const secret = token.split('_')[1] ?? '';
      for (const seen of [updated, items, stored, await platform.get(kind, created.id)]) {
        assert.ok(!JSON.stringify(seen).includes(secret));
      }
      assert.equal(updated.token, null);
      const other = await platform.create(kind, {});
      assert.notEqual(String(other.token).split('_')[1], secret);
    });

    test('the owner is the caller, and only an admin can name somebody else', async () => {
      const { admin, member, stranger } = platform;
      assert.equal((await platform.create(kind, {})).owner_id, admin.owner);
      assert.equal((await platform.create(kind, {}, member)).owner_id, member.owner);
      assert.equal((await platform.create(kind, { owner_id: member.owner }, member)).owner_id, member.owner);
      assert.equal((await platform.create(kind, { owner_id: member.owner })).owner_id, member.owner);
      await refused(platform.create(kind, { owner_id: admin.owner }, member), 'ownerNotSettable');
      await refused(platform.create(kind, { owner_id: 'nonsense' }, member), 'ownerNotSettable');
      const gone = await platform.addUser(admin.account, {
        name: '',
        email: '',
        role: 'member',
        active: false,
      });
      await refused(platform.create(kind, { owner_id: gone }), 'ownerInactive', { field: '/owner_id' });
      for (const owner_id of [stranger.owner, `usr_${nobody}`, `bot_${nobody}`, `ak_${nobody}`, ' ']) {
        await refused(platform.create(kind, { owner_id }), 'ownerUnknown', { field: '/owner_id' });
      }
      const { id } = await platform.create(kind, {});
      await refused(platform.update(kind, id, { owner_id: member.owner }), 'fieldUnknown');
    });
  });
}

for (const kind of ['credential', 'ssh_credential']) {
  test(`${kind}: members change and delete those of others too, and cannot make one for others`, async () => {
    const { admin, member } = platform;
    const key = kind === 'ssh_credential' ? () => ({ public_key: newSshKey() }) : () => ({});
    const { id } = await platform.create(kind, key());
    const changed = await platform.update(kind, id, { acl: ['bind:a.example.com'] }, member);
    assert.deepEqual([changed.acl, changed.owner_id], [['bind:a.example.com'], admin.owner]);
    assert.ok((await platform.list(kind, {}, member)).items.some((item) => item.id === id));
    await platform.remove(kind, id, member);
    await refused(platform.create(kind, { ...key(), owner_id: admin.owner }, member), 'ownerNotSettable');
    const { id: owner_id } = await platform.create('bot_user', { name: `of ${kind}` });
    await refused(platform.create(kind, { ...key(), owner_id }, member), 'ownerNotSettable');
    assert.equal((await platform.create(kind, { ...key(), owner_id })).owner_id, owner_id);
  });
}

describe('credentials', () => {
  test('bind rules are kept as given, and refused by element', async () => {
    const acl = ['bind:Example.com', 'bind:*.example.com', 'bind:1.tcp.example.com:20000', 'bind:a=*', '*'];
    assert.deepEqual((await platform.create('credential', { acl })).acl, acl);
    const wrong: [string, ErrorName][] = [
      ['bind:*', 'bindRuleMalformed'],
      ['bind:a=b=c', 'bindRuleMalformed'],
      ['example.com', 'bindRuleMalformed'],
      ['connect:example.com', 'bindRuleTypeUnsupported'],
    ];
    const { id } = await platform.create('credential', { acl });
    for (const [rule, error] of wrong) {
      const at = { field: '/acl/1' };
      await refused(platform.create('credential', { acl: ['*', rule] }), error, at);
      await refused(platform.update('credential', id, { acl: ['*', rule] }), error, at);
    }
    assert.deepEqual((await platform.update('credential', id, { acl: [] })).acl, []);
    const many = Array.from({ length: 101 }, () => '*');
    await refused(platform.create('credential', { acl: many }), 'tooManyItems', { limit: 100 });
    await refused(platform.create('credential', { acl: [null] }), 'valueInvalid', { field: '/acl/0' });
  });

  test('a changed or deleted credential counts at once', async () => {
    const { id, token } = await platform.create('credential', { acl: ['bind:a.example.com'] });
    await platform.update('credential', id, { acl: [] });
    const grant = await authenticateCredential(platform.store, String(token));
    assert.deepEqual(grant, { account: platform.admin.account, credential: id, acl: [] });
    await platform.remove('credential', id);
    assert.deepEqual(await authenticateCredential(platform.store, String(token)), {
      fault: 'authtokenInvalid',
    });
  });
});

describe('API keys', () => {
  test('members see and change their own keys only, admins all of the account', async () => {
    const { member } = platform;
    const { id: own } = await platform.create('api_key', {}, member);
    const { id: other } = await platform.create('api_key', {});
    const ids = async (as = platform.admin, limit = 100) =>
      (await platform.list('api_key', { limit }, as)).items.map((item) => item.id);
    assert.ok((await ids(member)).includes(own) && !(await ids(member)).includes(other));
    assert.deepEqual(await ids(member, 1), [own]);
    assert.ok((await ids()).includes(own) && (await ids()).includes(other));
    await refused(platform.get('api_key', other, member), 'resourceNotFound');
    await refused(platform.update('api_key', other, { description: 'x' }, member), 'resourceNotFound');
    await refused(platform.remove('api_key', other, member), 'resourceNotFound');
    await platform.update('api_key', own, { description: 'x' });
    await platform.remove('api_key', own, member);
  });

  test('a deleted key is invalid at once', async () => {
    const { id, token } = await platform.create('api_key', {});
    const { account, owner } = platform.admin;
    assert.deepEqual(await authenticateApiKey(platform.store, String(token)), {
      account,
      owner,
      role: 'admin',
      subject: 'admin',
      key: id,
    });
    await platform.remove('api_key', id);
    assert.deepEqual(await authenticateApiKey(platform.store, String(token)), { fault: 'apiKeyInvalid' });
  });
});
