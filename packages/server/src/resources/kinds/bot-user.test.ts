import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { authenticateApiKey } from '../../access/tokens.ts';
import { type Platform, refused, startPlatform } from '../engine.fixture.ts';

let platform: Platform;
before(async () => {
  platform = await startPlatform();
});
after(() => platform.close());

test('only admins manage bot users, and everybody reads them', async () => {
  const { member } = platform;
  const { id } = await platform.create('bot_user', { name: 'read' });
  await refused(platform.create('bot_user', { name: 'mine' }, member), 'botAdminsOnly');
  await refused(platform.update('bot_user', id, { active: false }, member), 'botAdminsOnly');
  await refused(platform.remove('bot_user', id, member), 'botAdminsOnly');
  await refused(platform.remove('bot_user', 'nonsense', member), 'botAdminsOnly');
  assert.equal((await platform.get('bot_user', id, member)).name, 'read');
  assert.ok((await platform.list('bot_user', {}, member)).items.some((item) => item.id === id));
});

test('a name is needed, limited in bytes, and unique in the account', async () => {
  const { id } = await platform.create('bot_user', { name: 'deploy' });
  const at = { field: '/name' };
  await refused(platform.create('bot_user', {}), 'botNameMissing', at);
  await refused(platform.create('bot_user', { name: null }), 'botNameMissing', at);
  await refused(platform.create('bot_user', { name: '' }), 'botNameMissing', at);
  await refused(platform.create('bot_user', { name: ' \t' }), 'botNameMissing', at);
  await refused(platform.update('bot_user', id, { name: ' \t' }), 'botNameMissing', at);
  for (const name of ['a\0b', 'a\nb', 'a\ud800b']) {
    await refused(platform.create('bot_user', { name }), 'botNameCharacter', at);
    await refused(platform.update('bot_user', id, { name }), 'botNameCharacter', at);
  }
  const long = `${'ü'.repeat(127)}x`;
  const limited = { ...at, limit: 255 };
  await refused(platform.create('bot_user', { name: `${long}y` }), 'botNameTooLong', limited);
  await refused(platform.update('bot_user', id, { name: `${long}y` }), 'botNameTooLong', limited);
  const other = await platform.create('bot_user', { name: long });

  for (const name of ['deploy', ' deploy\t'])
    await refused(platform.create('bot_user', { name }), 'botNameTaken', at);
  const trimmed = await platform.create('bot_user', { name: ' release train ' });
  assert.equal(trimmed.name, 'release train');
  assert.equal((await platform.update('bot_user', trimmed.id, { name: 'tram\n' })).name, 'tram');
  await refused(platform.update('bot_user', other.id, { name: 'deploy' }), 'botNameTaken', at);
  await platform.create('bot_user', { name: 'deploy' }, platform.stranger);
  await platform.update('bot_user', id, { name: 'deploy/eu' });
  await platform.update('bot_user', other.id, { name: 'deploy' });
});

test('a bot user is a member: its key cannot name another owner or manage users', async () => {
  const { admin, store } = platform;
  const { id } = await platform.create('bot_user', { name: 'member' });
  const { token } = await platform.create('api_key', { owner_id: id });
  const who = await authenticateApiKey(store, String(token));
  assert.ok(!('fault' in who));
  assert.deepEqual([who.owner, who.role, who.account], [id, 'member', admin.account]);
  const bot = { ...who, address: '127.0.0.1' };
  assert.equal((await platform.create('credential', {}, bot)).owner_id, id);
  await refused(platform.create('credential', { owner_id: admin.owner }, bot), 'ownerNotSettable');
  await refused(platform.create('user', { name: 'x', role: 'admin' }, bot), 'userAdminsOnly');
  await refused(platform.remove('bot_user', id, bot), 'botAdminsOnly');
});
