/** `follow` over a real store: at the truth when a write is answered, and back at it after any failure. */
import assert from 'node:assert/strict';
import { type Follower, follow } from '../follow.ts';
import type { Change, Store, StoredDocument } from '../store.ts';
import { byId, create, deletion, type OpenStore, read, replacement, storeTest } from './harness.ts';

/** Keeps what it is told, and lets a test wait for a state. */
class Mirror implements Follower {
  documents = byId([]);
  resets = 0;
  applied: Change[] = [];
  #condition: (() => boolean) | null = null;
  #met: (() => void) | null = null;

  reset(documents: readonly StoredDocument[]): void {
    this.resets += 1;
    this.documents = byId(documents);
    this.#check();
  }

  apply(changes: readonly Change[]): void {
    this.applied.push(...changes);
    for (const { id, document } of changes) {
      if (document === null) this.documents.delete(id);
      else this.documents.set(id, document);
    }
    this.#check();
  }

  async until(condition: () => boolean): Promise<void> {
    if (condition()) return;
    await new Promise<void>((resolve) => {
      this.#condition = condition;
      this.#met = resolve;
    });
  }

  #check(): void {
    if (this.#condition?.()) this.#met?.();
  }
}

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

  storeTest(
    'the repair read brings what a watch withheld, once, and leaves the rest alone',
    open,
    async ({ store }) => {
      const [kept, changed, removed] = [await create(store), await create(store), await create(store)];
      const mirror = new Mirror();
      const deaf = proxy(store, { watch: (_from, _kinds, signal) => silence(signal) });
      const { stop } = await follow(deaf, ['thing'], mirror, { repairMs: 1 });
      await store.write(() => [replacement(changed, { body: { v: 2 } })]);
      await store.write(() => [deletion(removed)]);
      const added = await create(store);
      await mirror.until(() => mirror.documents.has(added.id));
      const truth = byId([kept, await read(store, changed.id), added]);
      assert.deepEqual(mirror.documents, truth);
      await stop();
      assert.equal(mirror.resets, 1);
      assert.deepEqual(mirror.applied.map(({ id }) => id).sort(), [changed.id, removed.id, added.id].sort());
    },
  );

  storeTest(
    'repair reads amid writers neither repeat nor undo what the watch told',
    open,
    async ({ store }) => {
      const mirror = new Mirror();
      const { stop } = await follow(store, ['thing'], mirror, { repairMs: 1 });
      await Promise.all(
        Array.from({ length: 8 }, async () => {
          for (let at = 0; at < 40; at++) {
            const document = await create(store);
            assert.ok(mirror.documents.has(document.id));
            if (at % 2 === 0) await store.write(() => [deletion(document)]);
            assert.equal(mirror.documents.has(document.id), at % 2 === 1);
          }
        }),
      );
      await stop();
      assert.deepEqual(mirror.documents, byId((await store.snapshot(['thing'])).documents));
      const states = mirror.applied.map(({ id, revision }) => `${id} ${revision}`);
      assert.equal(new Set(states).size, states.length);
      assert.equal(mirror.resets, 1);
    },
  );
}

function proxy(store: Store, changed: Partial<Store>): Store {
  return {
    write: (build) => store.write(build),
    get: (id) => store.get(id),
    page: (query) => store.page(query),
    findName: (claim) => store.findName(claim),
    linksTo: (id, limit) => store.linksTo(id, limit),
    snapshot: (kinds) => store.snapshot(kinds),
    watch: (from, kinds, signal) => store.watch(from, kinds, signal),
    close: () => store.close(),
    ...changed,
  };
}

async function* silence(signal: AbortSignal): AsyncIterable<readonly Change[]> {
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
