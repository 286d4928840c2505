import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ErrorName } from '../../errors/catalogue.ts';
import type { JsonValue } from '../../store/store.ts';
import { type Platform, refused, startPlatform } from '../engine.fixture.ts';
import { nobody } from '../samples/sample.fixture.ts';

let platform: Platform;
before(async () => {
  platform = await startPlatform();
});
after(() => platform.close());

const child = async (as = platform.admin) => (await platform.create('http_response_backend', {}, as)).id;
const create = (backends: Record<string, JsonValue>) => platform.create('weighted_backend', { backends });

test('weights are whole numbers from 0 to 10000', async () => {
  const [a, b, c] = [await child(), await child(), await child()];
  const backends = { [a]: 0, [b]: 1, [c]: 10_000 };
  const { id } = await create(backends);
  assert.deepEqual((await platform.get('weighted_backend', id)).backends, backends);
  for (const weight of [-1, 10_001]) {
    await refused(create({ [a]: 1, [b]: weight }), 'weightInvalid', { field: `/backends/${b}` });
    const update = platform.update('weighted_backend', id, { backends: { [b]: weight } });
    await refused(update, 'weightInvalid');
  }
  for (const weight of [0.5, '1', null, true]) {
    await refused(create({ [a]: 1, [b]: weight }), 'valueInvalid', { field: `/backends/${b}` });
  }
});

test('a patch without weights keeps them, one with weights replaces all', async () => {
  const [a, b] = [await child(), await child()];
  const { id } = await create({ [a]: 1, [b]: 2 });
  const described = await platform.update('weighted_backend', id, { description: 'd', backends: null });
  assert.deepEqual([described.description, described.backends], ['d', { [a]: 1, [b]: 2 }]);
  const updated = await platform.update('weighted_backend', id, { backends: { [b]: 3 } });
  assert.deepEqual(updated.backends, { [b]: 3 });
  await platform.remove('http_response_backend', a);
});

test('there is at least one backend, and at most 32, whatever their weights are', async () => {
  const ids = await Promise.all(Array.from({ length: 33 }, () => child()));
  const weigh = (some: readonly string[], weight: number) =>
    create(Object.fromEntries(some.map((id) => [id, weight])));
  const count = { field: '/backends', limit: 32 };
  await refused(platform.create('weighted_backend', {}), 'weightedChildCount', count);
  await refused(weigh([], 1), 'weightedChildCount', count);
  await refused(weigh(ids, 1), 'weightedChildCount', count);
  const { id } = await weigh(ids.slice(0, 32), 1);
  const zero = await platform.update('weighted_backend', id, { backends: { [ids[0]!]: 0 } });
  assert.deepEqual(zero.backends, { [ids[0]!]: 0 });
  await weigh(ids.slice(0, 2), 0);
});

test('a key that is no backend is refused and named', async () => {
  const own = await child();
  const { id: failover } = await platform.create('failover_backend', { backends: [own] });
  const { id: weighted } = await create({ [own]: 1 });
  const cases: [string, ErrorName, string?][] = [
    [`bkdhr_${nobody}`, 'backendUnknown'],
    [await child(platform.stranger), 'backendUnknown'],
    ['', 'weightedChildNotBackend'],
    ['a/b~c', 'weightedChildNotBackend', 'a~1b~0c'],
    ['__proto__', 'weightedChildNotBackend'],
    [failover, 'weightedChildNested'],
    [weighted, 'weightedChildNested'],
    [`bkdwd_${nobody}`, 'weightedChildNested'],
  ];
  for (const [key, error, step = key] of cases) {
    const backends = JSON.parse(`{"${own}": 1, ${JSON.stringify(key)}: 1}`);
    await refused(create(backends), error, { field: `/backends/${step}` });
    const update = platform.update('weighted_backend', weighted, { backends });
    await refused(update, error, { field: `/backends/${step}` });
  }
});

test('a child cannot be deleted while it has a weight, not even 0', async () => {
  const [a, b] = [await child(), await child()];
  const { id } = await create({ [a]: 1, [b]: 0 });
  for (const used of [a, b]) {
    await refused(platform.remove('http_response_backend', used), 'backendInUse', { used_by: [id] });
  }
  await platform.remove('weighted_backend', id);
  await platform.remove('http_response_backend', a);
});

test('a child that is deleted while it is taken is either kept or not taken', async () => {
  for (let round = 0; round < 10; round++) {
    const id = await child();
    const [taken, deleted] = await Promise.allSettled([
      create({ [id]: 1 }),
      platform.remove('http_response_backend', id),
    ]);
    assert.notEqual(taken.status, deleted.status);
    if (taken.status === 'rejected') {
      assert.equal(taken.reason.code, 'backendUnknown');
      assert.match(taken.reason.details.field, /^\/backends(\/|$)/);
    }
  }
});
