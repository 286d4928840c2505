/** Ids increase strictly, whatever the clock does. */
import assert from 'node:assert/strict';
import { createdAt, parseId, suffixOf } from '../../core/id.ts';
import { create, deletion, insertion, type OpenStore, storeTest } from './harness.fixture.ts';

export function ids(open: OpenStore): void {
  const start = Date.UTC(2026, 0, 1);

  storeTest('ids of concurrent writers increase in commit order', open, async ({ store }) => {
    const written = await Promise.all(Array.from({ length: 200 }, () => create(store)));
    const inOrder = [...written].sort((one, other) => one.revision - other.revision).map(({ id }) => id);
    assert.deepEqual(inOrder, [...inOrder].sort());
    assert.equal(new Set(inOrder).size, 200);
    for (const id of inOrder) assert.equal(parseId(id)?.prefix, 'th');
  });

  storeTest(
    'the newest id is known, also over a restart and after its document is gone',
    open,
    async (opened) => {
      assert.equal(await opened.store.lastId(), '');
      const [first, second] = [await create(opened.store), await create(opened.store)];
      await opened.store.write(() => [deletion(second)]);
      assert.equal(await opened.store.lastId(), suffixOf(second.id));
      assert.equal(await (await opened.reopen()).lastId(), suffixOf(second.id));
      assert.ok(suffixOf(first.id) < suffixOf(second.id));
    },
  );

  let now = start;
  storeTest(
    'ids increase when the clock goes back, also over a restart, also after the newest was deleted',
    open,
    async (opened) => {
      now = start;
      const first = await create(opened.store);
      assert.equal(createdAt(first.id).getTime(), start);
      now -= 3_600_000;
      const second = await create(opened.store);
      assert.ok(second.id > first.id);
      await opened.store.write(() => [deletion(second)]);
      now -= 3_600_000;
      const store = await opened.reopen();
      const third = await create(store);
      assert.ok(third.id > second.id);
      now = start + 10_000;
      const fourth = await create(store);
      assert.ok(fourth.id > third.id);
      assert.equal(createdAt(fourth.id).getTime(), now);
    },
    { now: () => now },
  );

  storeTest('all ids of one batch increase', open, async ({ store }) => {
    const made: string[] = [];
    await store.write((newId) => {
      for (const prefix of ['a', 'a', 'a']) made.push(newId(prefix));
      return made.map((id) => insertion(id));
    });
    assert.deepEqual(made, [...new Set(made)].sort());
  });
}
