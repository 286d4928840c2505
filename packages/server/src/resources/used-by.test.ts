import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { OpenStore } from '../store/conformance/index.fixture.ts';
import { onBothStores } from './both-stores.fixture.ts';
import type { Principal } from './definition.ts';
import { collection, type Platform, refused, startPlatform } from './engine.fixture.ts';

/** References of all pages, as `id field`, and the number of the pages. */
async function users(on: Platform, kind: string, id: string, limit = 100, as: Principal = on.admin) {
  const found: string[] = [];
  let page: { limit: number; before?: string } = { limit };
  for (let pages = 1; ; pages++) {
    const { items, next } = await on.engine.usedBy(collection(kind), as, id, page);
    found.push(...items.map((item) => `${item.id} ${item.field}`));
    if (next === null) return { found, pages };
    page = { limit, before: next };
  }
}

onBothStores((open: OpenStore) => {
  let on: Platform;
  before(async () => {
    on = await startPlatform(open);
  });
  after(() => on.close());

  test('the resources that refer to one are listed with their kind, address and field', async () => {
    const policy = await on.create('ip_policy', {});
    const unused = await on.create('ip_policy', {});
    const rule = await on.create('ip_policy_rule', {
      ip_policy_id: policy.id,
      cidr: '10.0.0.0/8',
      action: 'allow',
    });
    const edge = await on.create('tcp_edge', { ip_restriction: { ip_policy_ids: [policy.id] } });
    await on.create('reserved_domain', { domain: 'used.example.com' });
    const https = await on.create('https_edge', { hostports: ['used.example.com:443'] });
    const matched = { match_type: 'path_prefix', match: '/' };
    const restricted = { ...matched, ip_restriction: { ip_policy_ids: [policy.id] } };
    const route = await on.create('https_edge_route', restricted, on.admin, https.id);
    const { items, next } = await on.engine.usedBy(collection('ip_policy'), on.admin, policy.id, {
      limit: 100,
    });
    assert.equal(next, null);
    const expected = [
      { id: rule.id, uri: rule.uri, kind: 'ip_policy_rule', field: 'ip_policy_id' },
      { id: edge.id, uri: edge.uri, kind: 'tcp_edge', field: 'ip_restriction.ip_policy_ids' },
      { id: route.id, uri: route.uri, kind: 'https_edge_route', field: 'ip_restriction.ip_policy_ids' },
    ];
    assert.deepEqual(
      items,
      expected.sort((one, other) => (one.id < other.id ? 1 : -1)),
    );
    assert.deepEqual((await users(on, 'ip_policy', unused.id)).found, []);
    assert.deepEqual((await users(on, 'https_edge', https.id)).found, [`${route.id} edge_id`]);
    await on.remove('tcp_edge', edge.id);
    assert.equal((await users(on, 'ip_policy', policy.id)).found.length, 2);
  });

  test('pages of any size have every reference once', async () => {
    const backend = await on.create('http_response_backend', {});
    const expected = [];
    for (let at = 0; at < 7; at++) {
      const made = await on.create('failover_backend', { backends: [backend.id] });
      expected.unshift(`${made.id} backends`);
    }
    for (const limit of [1, 2, 3, 7, 100]) {
      const { found, pages } = await users(on, 'http_response_backend', backend.id, limit);
      assert.deepEqual([found, pages], [expected, Math.ceil(7 / limit)], String(limit));
    }
  });

  test('all fields of one resource with the same reference are on one page', async () => {
    const configuration = await on.create('endpoint_configuration', { type: 'https' });
    const { id: target } = configuration;
    const made: string[] = [];
    await on.store.write((newId) =>
      ['a', 'b', 'c'].map((_) => {
        const id = newId('ipp');
        made.unshift(id);
        const links = ['x', 'y'].map((field) => ({ field, to: target, binding: false }));
        const body = { description: '', metadata: '' };
        const { account } = on.admin;
        return {
          op: 'insert',
          id,
          account,
          kind: 'ip_policy',
          parent: null,
          body,
          links,
          names: [],
        } as const;
      }),
    );
    const expected = made.flatMap((id) => [`${id} x`, `${id} y`]);
    for (const [limit, pages] of [
      [1, 3],
      [2, 3],
      [3, 3],
      [4, 2],
      [5, 2],
      [6, 1],
    ] as const)
      assert.deepEqual(await users(on, 'endpoint_configuration', target, limit), { found: expected, pages });
  });

  test('nothing of another account, or of another user, is shown', async () => {
    const owned = await on.create('api_key', { owner_id: on.admin.owner });
    const keys = await users(on, 'user', on.admin.owner);
    assert.ok(keys.found.includes(`${owned.id} owner_id`));
    assert.ok(
      !(await users(on, 'user', on.admin.owner, 100, on.member)).found.some((one) => one.includes(owned.id)),
    );
    await refused(users(on, 'user', on.admin.owner, 100, on.stranger), 'resourceNotFound');

    // The engine makes no link between accounts.
    const policy = await on.create('ip_policy', {});
    await on.store.write((newId) => [
      {
        ...{ op: 'insert', id: newId('ipp'), account: on.stranger.account, kind: 'ip_policy', parent: null },
        ...{
          body: { description: '', metadata: '' },
          links: [{ field: 'x', to: policy.id, binding: false }],
        },
        names: [],
      },
    ]);
    assert.deepEqual((await users(on, 'ip_policy', policy.id)).found, []);
  });
});
