/** `follow` over a real store: up to date when a write is acknowledged, and again after any failure. */
import assert from 'node:assert/strict';
import { type Follower, follow } from '../follow.ts';
import { proxy } from '../proxy.fixture.ts';
import { create, deletion, type OpenStore, read, replacement, storeTest } from './harness.fixture.ts';
import { Mirror } from './mirror.fixture.ts';

export function following(open: OpenStore): void {
  storeTest(
    'a follower has what was there, and each write by the time it is answered',
    open,
    async ({ store }) => {
      const before = await create(store);
      const mirror = new Mirror();
      const { stop } = await follow(store, ['thing'], mirror);
      assert.deepEqual([...mirror.documents.values()], [before]);
      await Promise.all(
        Array.from({ length: 20 }, async () => {
          const document = await create(store);
          assert.deepEqual(mirror.documents.get(document.id), document);
          const revision = await store.write(() => [replacement(document, { body: { again: true } })]);
          assert.equal(mirror.documents.get(document.id)?.revision, revision);
          const current = await read(store, document.id);
          await store.write(() => [deletion(current)]);
          assert.equal(mirror.documents.has(document.id), false);
        }),
      );
      await stop();
      await create(store);
      assert.deepEqual([...mirror.documents.values()], [before]);
      assert.equal(mirror.resets, 1);
    },
  );

  storeTest('a follower that throws is told the whole truth again', open, async ({ store }) => {
    const mirror = new Mirror();
    const errors: unknown[] = [];
    let failures = 2;
    const failing: Follower = {
      reset: (documents) => mirror.reset(documents),
      apply: (changes) => {
        if (failures-- > 0) throw new Error('the follower has a fault');
        mirror.apply(changes);
      },
    };
    const { stop } = await follow(store, ['thing'], failing, { onError: (error) => errors.push(error) });
    const first = await create(store);
    await mirror.until(() => mirror.documents.has(first.id));
    const second = await create(store);
    await mirror.until(() => mirror.documents.has(second.id));
    const third = await create(store);
    await mirror.until(() => mirror.documents.has(third.id));
    assert.equal(errors.length, 2);
    await stop();
  });

  storeTest(
    'a follower of a store that is away waits, and lists when it is back',
    open,
    async ({ store }) => {
      const mirror = new Mirror();
      const errors: unknown[] = [];
      let away = 3;
      const flaky = proxy(store, {
        snapshot: (kinds) => (away-- > 0 ? Promise.reject(new Error('away')) : store.snapshot(kinds)),
      });
      const { stop } = await follow(flaky, ['thing'], mirror, { onError: (error) => errors.push(error) });
      assert.equal(errors.length, 3);
      const document = await create(store);
      assert.ok(mirror.documents.has(document.id));
      await stop();
    },
  );

  storeTest(
    'a follower that was left behind by the log lists again',
    open,
    async ({ store }) => {
      const mirror = new Mirror();
      let outdated = true;
      const slow = proxy(store, {
        watch: (from, kinds, signal) => {
          const start = outdated ? 0 : from;
          outdated = false;
          return store.watch(start, kinds, signal);
        },
      });
      for (let at = 0; at < 50; at++) await create(store);
      const { stop } = await follow(slow, ['thing'], mirror, { onError: () => {} });
      await mirror.until(() => mirror.resets === 2);
      const document = await create(store);
      await mirror.until(() => mirror.documents.has(document.id));
      await stop();
    },
    { retainedRevisions: 20 },
  );

  storeTest(
    'a follower is not told again what it was told, nor that something is gone that it never had',
    open,
    async ({ store }) => {
      await create(store);
      const gone = await create(store);
      await store.write(() => [deletion(gone)]);
      const mirror = new Mirror();
      const repeating = proxy(store, { watch: (_from, kinds, signal) => store.watch(0, kinds, signal) });
      const { stop } = await follow(repeating, ['thing'], mirror);
      const added = await create(store);
      await stop();
      assert.deepEqual(
        mirror.applied.map(({ id }) => id),
        [added.id],
      );
    },
  );
}
