import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorName } from '../../errors/catalogue.ts';
import { type Platform, refused, startPlatform } from '../engine.fixture.ts';

let platform: Platform;
before(async () => {
  platform = await startPlatform();
});
after(() => platform.close());

const create = (body: object) => platform.create('tunnel_group_backend', body);

describe('tunnel group backends', () => {
  test('the tunnels of a group are those that carry all of its labels, at this moment', async () => {
    const { account } = platform.admin;
    const { id } = await create({ labels: { app: 'web', zone: 'a' } });
    const both = await platform.tunnel(account, { labels: { app: 'web', zone: 'a', more: 'x' } });
    await platform.tunnel(account, { labels: { app: 'web' } });
    await platform.tunnel(platform.stranger.account, { labels: { app: 'web', zone: 'a' } });
    const read = await platform.get('tunnel_group_backend', id);
    assert.deepEqual(read.tunnels, [
      { id: both.id, uri: `https://api.underpass.localhost:8443/tunnels/${both.id}` },
    ]);
    platform.online.liveTunnels.length = 0;
    assert.deepEqual((await platform.get('tunnel_group_backend', id)).tunnels, []);
  });

  test('labels are limited in number and in bytes', async () => {
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 'v']));
    await create({ labels: many(32) });
    await create({ labels: { [`${'€'.repeat(85)}`]: '€'.repeat(85) } });
    const wrong: [object | undefined, ErrorName][] = [
      [undefined, 'groupLabelCount'],
      [many(33), 'groupLabelCount'],
      [{ '': 'v' }, 'groupLabelKey'],
      [{ [`${'€'.repeat(85)}x`]: 'v' }, 'groupLabelKey'],
      [{ k: '' }, 'groupLabelValue'],
      [{ k: `${'€'.repeat(85)}x` }, 'groupLabelValue'],
      [{ 'a=b': 'v' }, 'groupLabelEquals'],
      [{ a: 'b=c' }, 'groupLabelEquals'],
    ];
    const { id } = await create({ labels: { a: 'b' } });
    for (const [labels, error] of wrong) {
      await refused(create(labels === undefined ? {} : { labels }), error);
      if (labels !== undefined) await refused(platform.update('tunnel_group_backend', id, { labels }), error);
    }
    await refused(create({ labels: {} }), 'groupLabelCount');
    await refused(create({ labels: { a: 1 } }), 'valueInvalid', { field: '/labels/a' });
  });

  test('a label named like a part of JavaScript is a label', async () => {
    const { id } = await create({ labels: JSON.parse('{"__proto__": "x"}') });
    await platform.tunnel(platform.admin.account, { labels: { a: 'b' } });
    const read = await platform.get('tunnel_group_backend', id);
    assert.equal(JSON.stringify(read.labels), '{"__proto__":"x"}');
    assert.deepEqual(read.tunnels, []);
  });
});
