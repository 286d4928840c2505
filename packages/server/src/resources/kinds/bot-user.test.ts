import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { authenticateApiKey } from '../../access/tokens.ts';
import { type Platform, refused, startPlatform } from '../engine.fixture.ts';
import { sshPublicKey } from '../examples.ts';

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

test('a service user is the bot user under its other name, whichever it was made by', async () => {
  const bot = await platform.create('bot_user', { name: 'made a bot' });
  const service = await platform.create('service_user', { name: 'made a service' });
  const base = platform.settings.baseUrl;
  for (const { id } of [bot, service]) {
    const asBot = await platform.get('bot_user', named('bot', id));
    const asService = await platform.get('service_user', named('service', id));
    const { name, active, created_at } = asBot;
    const same = { name, active, created_at };
    assert.deepEqual(asBot, { id: named('bot', id), uri: `${base}/bot_users/${named('bot', id)}`, ...same });
    const uri = `${base}/service_users/${named('service', id)}`;
    assert.deepEqual(asService, { id: named('service', id), uri, ...same });
  }
  assert.equal(
    (await platform.update('service_user', named('service', bot.id), { name: 'both' })).name,
    'both',
  );
  assert.equal((await platform.get('bot_user', bot.id)).name, 'both');
  await platform.update('bot_user', bot.id, { id: bot.id, active: false });
  await platform.update('service_user', named('service', bot.id), { id: named('service', bot.id) });
  assert.equal((await platform.get('service_user', named('service', bot.id))).active, false);
  await platform.remove('service_user', named('service', bot.id));
  await refused(platform.get('bot_user', bot.id), 'resourceNotFound');
  await platform.remove('bot_user', named('bot', service.id));
  await refused(platform.get('service_user', service.id), 'resourceNotFound');
});

test('each path takes ids of its own prefix only, and nothing else in their place', async () => {
  const { id } = await platform.create('service_user', { name: 'prefixed' });
  const own = named('bot', id);
  const at = { field: 'id' };
  for (const [path, wrong] of [
    ['service_user', own],
    ['bot_user', id],
  ] as const) {
    const { message } = await refused(platform.get(path, wrong), 'idPrefixWrong', at);
    assert.ok(message.includes(path === 'bot_user' ? 'bot_' : 'service_'), message);
    await refused(platform.update(path, wrong, {}), 'idPrefixWrong', at);
    await refused(platform.remove(path, wrong), 'idPrefixWrong', at);
    await refused(platform.list(path, { before: wrong }), 'idPrefixWrong', { field: 'before_id' });
  }
  const { admin } = platform;
  for (const strange of [
    `service_${own}`,
    `service_x${id.slice(-27)}`,
    'service_',
    named('service', admin.owner),
  ])
    await refused(platform.get('service_user', strange), 'resourceNotFound');
  await refused(platform.get('service_user', id, platform.stranger), 'resourceNotFound');
});

test('a service user has the rules of bot users, and their names are unique together', async () => {
  const at = { field: '/name' };
  const { id } = await platform.create('bot_user', { name: 'one of two' });
  await refused(platform.create('service_user', {}), 'botNameMissing', at);
  await refused(platform.create('service_user', { name: 'x'.repeat(256) }), 'botNameTooLong', at);
  await refused(platform.create('service_user', { name: 'one of two' }), 'botNameTaken', at);
  await refused(platform.create('service_user', { name: 'x' }, platform.member), 'botAdminsOnly');
  await refused(platform.remove('service_user', named('service', id), platform.member), 'botAdminsOnly');
});

test('pages of service users go on after the id that the last page ended with', async () => {
  const account = platform.stranger;
  for (const kind of ['bot_user', 'service_user', 'bot_user', 'service_user'])
    await platform.create(kind, { name: `${kind} ${Math.random()}` }, account);
  const bots = (await platform.list('bot_user', {}, account)).items.map(({ id }) => String(id));
  const paged: unknown[] = [];
  for (let before: string | undefined; ; ) {
    const page = await platform.list(
      'service_user',
      { limit: 1, ...(before === undefined ? {} : { before }) },
      account,
    );
    paged.push(...page.items.map(({ id }) => id));
    if (page.next === null) break;
    before = page.next;
  }
  assert.deepEqual(
    paged,
    bots.map((id) => named('service', id)),
  );
});

for (const [kind, body] of [
  ['api_key', {}],
  ['credential', {}],
  ['ssh_credential', { public_key: sshPublicKey }],
] as const) {
  test(`a bot user owns each ${kind} that names it by either id, and it is shown as it was named`, async () => {
    const { id } = await platform.create('service_user', { name: `owner of a ${kind}` });
    const bot = named('bot', id);
    for (const owner_id of [id, bot]) {
      const owned = await platform.create(kind, { ...body, owner_id });
      assert.equal(owned.owner_id, owner_id);
      await platform.update(kind, owned.id, { description: 'changed' });
      assert.equal((await platform.get(kind, owned.id)).owner_id, owner_id);
      const used_by = [owned.id];
      const byService = await refused(platform.remove('service_user', id), 'botInUse', { used_by });
      assert.ok(byService.message.includes(id), byService.message);
      const byBot = await refused(platform.remove('bot_user', bot), 'botInUse', { used_by });
      assert.ok(byBot.message.includes(bot), byBot.message);
      await platform.remove(kind, owned.id);
    }
    await platform.update('service_user', id, { active: false });
    await refused(platform.create(kind, { ...body, owner_id: id }), 'ownerInactive', { field: '/owner_id' });
    await platform.remove('service_user', id);
    const { message } = await refused(platform.create(kind, { ...body, owner_id: id }), 'ownerUnknown');
    assert.ok(message.includes(id), message);
  });
}

test('a service user may name itself as owner by either id, and its key sees what it owns', async () => {
  const { id } = await platform.create('service_user', { name: 'itself' });
  const { token } = await platform.create('api_key', { owner_id: id });
  const who = await authenticateApiKey(platform.store, String(token));
  assert.ok(!('fault' in who));
  const self = { ...who, address: '127.0.0.1' };
  for (const owner_id of [id, named('bot', id)]) {
    const key = await platform.create('api_key', { owner_id }, self);
    assert.equal((await platform.get('api_key', key.id, self)).owner_id, owner_id);
  }
  assert.equal((await platform.create('api_key', {}, self)).owner_id, named('bot', id));
  const { id: other } = await platform.create('service_user', { name: 'another' });
  await refused(platform.create('credential', { owner_id: other }, self), 'ownerNotSettable');
});

/** The same resource's id with another prefix. */
function named(prefix: string, id: string): string {
  return `${prefix}_${id.slice(id.indexOf('_') + 1)}`;
}
