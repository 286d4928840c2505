import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ErrorName } from '../../errors/catalogue.ts';
import { type Platform, refused, startPlatform } from '../engine.fixture.ts';
import { nobody } from '../samples/sample.fixture.ts';

let platform: Platform;
before(async () => {
  platform = await startPlatform();
});
after(() => platform.close());

const children = (count: number, as = platform.admin) =>
  Promise.all(
    Array.from({ length: count }, async () => (await platform.create('http_response_backend', {}, as)).id),
  );
const create = (backends: readonly string[]) => platform.create('failover_backend', { backends });

test('children of every kind are kept in their order', async () => {
  const [response = ''] = await children(1);
  const { id: group } = await platform.create('tunnel_group_backend', { labels: { app: 'web' } });
  const { id: fixed } = await platform.create('static_backend', { address: 'example.com:80' });
  const { id: weighted } = await platform.create('weighted_backend', { backends: { [group]: 1 } });
  const backends = [weighted, group, fixed, response];
  const { id } = await create(backends);
  assert.deepEqual((await platform.get('failover_backend', id)).backends, backends);
  const reversed = backends.toReversed();
  assert.deepEqual(
    (await platform.update('failover_backend', id, { backends: reversed })).backends,
    reversed,
  );
});

test('a patch without children keeps them', async () => {
  const backends = await children(2);
  const { id } = await create(backends);
  const updated = await platform.update('failover_backend', id, { description: 'd', backends: null });
  assert.deepEqual([updated.description, updated.backends], ['d', backends]);
});

test('it has at least one child, and at most 32', async () => {
  const all = await children(33);
  const count = { field: '/backends', limit: 32 };
  await refused(platform.create('failover_backend', {}), 'failoverChildCount', count);
  await refused(create([]), 'failoverChildCount', count);
  await refused(create(all), 'failoverChildCount', count);
  await create(all.slice(0, 32));
});

test('a child that is none, or stands twice, is refused, and the element named', async () => {
  const [own = '', other = ''] = await children(2);
  const [foreign = ''] = await children(1, platform.stranger);
  const { id: failover } = await create([own]);
  const { id: existing } = await create([other]);
  const cases: [string, ErrorName][] = [
    [`bkdhr_${nobody}`, 'backendUnknown'],
    [foreign, 'backendUnknown'],
    ['bkdhr_', 'backendUnknown'],
    ['', 'failoverChildNotBackend'],
    [`edgtls_${nobody}`, 'failoverChildNotBackend'],
    [failover, 'failoverChildNested'],
    [`bkdfo_${nobody}`, 'failoverChildNested'],
    [own, 'failoverChildRepeated'],
  ];
  for (const [id, error] of cases) {
    await refused(create([own, id]), error, { field: '/backends/1' });
    const update = platform.update('failover_backend', existing, { backends: [own, id] });
    await refused(update, error, { field: '/backends/1' });
  }
  const itself = platform.update('failover_backend', existing, { backends: [existing] });
  await refused(itself, 'failoverChildNested', {
    allowed: ['bkdhr_', 'bkdtg_', 'bkdsc_', 'bkdwd_'],
  });
});

test('a child cannot be deleted while the failover backend has it, nor that while an edge has it', async () => {
  const backends = await children(2);
  const [first = '', second = ''] = backends;
  const { id } = await create(backends);
  const edge = await platform.create('tls_edge', { backend: { backend_id: id } });
  await refused(platform.remove('http_response_backend', first), 'backendInUse', { used_by: [id] });
  await platform.update('failover_backend', id, { backends: [second] });
  await platform.remove('http_response_backend', first);
  await refused(platform.remove('failover_backend', id), 'backendInUse', { used_by: [edge.id] });
  await platform.remove('tls_edge', edge.id);
  await platform.remove('failover_backend', id);
  await platform.remove('http_response_backend', second);
});

test('a child with children of its own cannot be deleted either, nor become part of what it is in', async () => {
  const [leaf = ''] = await children(1);
  const { id: weighted } = await platform.create('weighted_backend', { backends: { [leaf]: 1 } });
  const { id } = await create([weighted]);
  await refused(platform.remove('weighted_backend', weighted), 'backendInUse', { used_by: [id] });
  const backends = { [id]: 1 };
  await refused(platform.update('weighted_backend', weighted, { backends }), 'weightedChildNested');
  await platform.remove('failover_backend', id);
  await platform.remove('weighted_backend', weighted);
});

test('a child that is deleted while it is taken is either kept or not taken', async () => {
  for (let round = 0; round < 10; round++) {
    const backends = await children(1);
    const [taken, deleted] = await Promise.allSettled([
      create(backends),
      platform.remove('http_response_backend', backends[0]!),
    ]);
    assert.notEqual(taken.status, deleted.status);
    if (taken.status === 'rejected') assert.equal(taken.reason.code, 'backendUnknown');
    if (deleted.status === 'rejected') assert.equal(deleted.reason.code, 'backendInUse');
  }
});
