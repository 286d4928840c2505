/** List, then watch: every state once and in order, with concurrent writers. */
import assert from 'node:assert/strict';
import { type Change, RevisionCompactedError, type Store, StoreUnavailableError } from '../store.ts';
import {
  byId,
  changesUpTo,
  create,
  deletion,
  insertion,
  type OpenStore,
  replacement,
  storeTest,
} from './harness.fixture.ts';

const never = () => new AbortController().signal;

export function watching(open: OpenStore): void {
  storeTest(
    'watchers who start amid concurrent writers end at the truth, without gap or double',
    open,
    async ({ store }) => {
      const writers = Promise.all(Array.from({ length: 8 }, (_, writer) => writeAtRandom(store, writer)));
      const watchers: Promise<void>[] = [];
      for (let started = 0; started < 10; started++) {
        watchers.push(watchUntilTheEnd(store));
        await create(store);
      }
      await writers;
      await create(store, { kind: 'end' });
      await Promise.all(watchers);
    },
  );

  storeTest(
    'whoever waits at a watch is served before the write that woke it is answered',
    open,
    async ({ store }) => {
      const seen = new Set<string>();
      const abort = new AbortController();
      const watch = (async () => {
        for await (const changes of store.watch(0, ['thing'], abort.signal)) {
          for (const { id, document } of changes) if (document !== null) seen.add(id);
        }
      })();
      const writer = async () => {
        for (let at = 0; at < 20; at++) {
          let id = '';
          await store.write((newId) => {
            id = newId('th');
            return [insertion(id)];
          });
          assert.ok(seen.has(id), `${id} was answered before it was seen`);
        }
      };
      await Promise.all(Array.from({ length: 8 }, writer));
      abort.abort();
      await watch;
    },
  );

  storeTest(
    'a watch tells the state, the deletion, and of children that went along',
    open,
    async ({ store }) => {
      const from = (await store.snapshot([])).revision;
      const parent = await create(store, { body: { v: 1 } });
      const child = await create(store, { parent: parent.id, kind: 'child' });
      await create(store, { kind: 'unwatched' });
      const told = (document: typeof parent): Change => {
        const { revision, id, account, kind } = document;
        return { revision, id, account, kind, document };
      };
      const kinds = ['thing', 'child'];
      assert.deepEqual(await changesUpTo(store, from, child.revision, kinds), [told(parent), told(child)]);
      const revision = await store.write(() => [deletion(parent)]);
      const gone = (document: typeof parent): Change => ({ ...told(document), revision, document: null });
      assert.deepEqual(await changesUpTo(store, child.revision, revision, kinds), [
        gone(parent),
        gone(child),
      ]);
    },
  );

  storeTest('states that were overwritten before they were read are skipped', open, async ({ store }) => {
    const first = await create(store, { body: { v: 1 } });
    const second = await store.write(() => [replacement(first, { body: { v: 2 } })]);
    const changes = await changesUpTo(store, 0, second, ['thing']);
    assert.deepEqual(
      changes.map((change) => [change.revision, change.document?.body]),
      [[second, { v: 2 }]],
    );
  });

  storeTest(
    'a watch ends when its signal aborts: before, while it waits, and when its reader leaves',
    open,
    async ({ store }) => {
      for await (const _ of store.watch(0, ['thing'], AbortSignal.abort()))
        assert.fail('it was aborted before');
      await create(store);
      for await (const changes of store.watch(0, ['thing'], never())) {
        assert.equal(changes.length, 1);
        break;
      }
      const abort = new AbortController();
      const iterator = store.watch(1, ['thing'], abort.signal)[Symbol.asyncIterator]();
      const waiting = iterator.next();
      abort.abort();
      assert.deepEqual(await waiting, { done: true, value: undefined });
      assert.deepEqual(await iterator.next(), { done: true, value: undefined });
    },
  );

  storeTest('a watch on a store that closes learns that the store is away', open, async ({ store }) => {
    const iterator = store.watch(0, ['thing'], never())[Symbol.asyncIterator]();
    const waiting = assert.rejects(iterator.next(), { name: StoreUnavailableError.name });
    await store.close();
    await waiting;
    assert.equal((await iterator.next()).done, true);
  });

  storeTest(
    'a watch from before the log begins, or after it ends, is told to list again',
    open,
    async ({ store }) => {
      const idle = store.watch(0, ['thing'], never())[Symbol.asyncIterator]();
      const first = await create(store);
      let last = first;
      for (let at = 0; at < 100; at++) last = await create(store);
      const compacted = { name: RevisionCompactedError.name };
      const startAt = (from: number) => store.watch(from, ['thing'], never())[Symbol.asyncIterator]().next();
      await assert.rejects(startAt(first.revision), compacted);
      await assert.rejects(startAt(last.revision + 1), compacted);
      await assert.rejects(idle.next(), compacted, 'also one that began in time and was too slow');
      const recent = await changesUpTo(store, last.revision - 20, last.revision, ['thing']);
      assert.equal(recent.length, 20);
      assert.equal((await store.snapshot(['thing'])).documents.length, 101);
    },
    { retainedRevisions: 20 },
  );

  storeTest('a watch goes on from its revision after a restart', open, async (opened) => {
    const first = await create(opened.store);
    const second = await create(opened.store);
    const store = await opened.reopen();
    const third = await create(store);
    const changes = await changesUpTo(store, first.revision, third.revision, ['thing']);
    assert.deepEqual(
      changes.map(({ document }) => document),
      [second, third],
    );
  });
}

/** Inserts, replaces and deletes its own documents in a fixed but mixed order. */
async function writeAtRandom(store: Store, seed: number): Promise<void> {
  for (let at = 0; at < 60; at++) {
    const document = await create(store, { kind: `kind${(seed + at) % 2}`, body: { at } });
    if (at % 3 > 0) await store.write(() => [replacement(document, { body: { at, again: true } })]);
    const current = await store.get(document.id);
    if (at % 4 === 1 && current !== null) await store.write(() => [deletion(current)]);
  }
}

async function watchUntilTheEnd(store: Store): Promise<void> {
  const kinds = ['kind0', 'kind1', 'end'];
  const { revision, documents } = await store.snapshot(kinds);
  const state = byId(documents);
  const seen = new Set<string>();
  let last = revision;
  for await (const changes of store.watch(revision, kinds, never())) {
    let ended = false;
    for (const change of changes) {
      assert.ok(change.revision >= last, 'changes come in revision order');
      last = change.revision;
      const key = `${change.id} ${change.revision}`;
      assert.ok(!seen.has(key), `${key} came twice`);
      seen.add(key);
      if (change.document === null) state.delete(change.id);
      else state.set(change.id, change.document);
      ended ||= change.kind === 'end';
    }
    if (ended) break;
  }
  assert.deepEqual(state, byId((await store.snapshot(kinds)).documents));
}
