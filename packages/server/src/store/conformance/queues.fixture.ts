/** Queues of documents: entries are in write order, are deleted with their document, and wake their watchers. */
import assert from 'node:assert/strict';
import { type JsonObject, type Store, StoreUnavailableError, type WriteOperation } from '../store.ts';
import { create, deletion, insertion, type OpenStore, refusal, storeTest } from './harness.fixture.ts';

const entry = (parent: string, body: JsonObject = {}, account = 'ac_1'): WriteOperation => ({
  op: 'enqueue',
  account,
  parent,
  text: JSON.stringify(body),
});

const put = (store: Store, parent: string, ...names: string[]) =>
  store.write(() => names.map((name) => entry(parent, { name })));

async function namesIn(store: Store, parent: string, limit = 10): Promise<unknown[]> {
  return (await store.queue({ account: 'ac_1', parent, limit })).map(({ body }) => body.name);
}

export function queues(open: OpenStore): void {
  storeTest('a queue is read oldest first, counted, and taken from', open, async ({ store }) => {
    const [{ id: one }, { id: other }] = [await create(store), await create(store)];
    await put(store, one, 'a', 'b');
    await put(store, other, 'x');
    await put(store, one, 'c');
    assert.deepEqual(await namesIn(store, one), ['a', 'b', 'c']);
    assert.deepEqual(await namesIn(store, one, 2), ['a', 'b']);
    const account = { account: 'ac_1', limit: 10 };
    assert.deepEqual(await store.queue({ ...account, account: 'ac_2', parent: one }), []);
    assert.equal(await store.countQueued({ ...account, parent: one }), 3);
    assert.equal(await store.countQueued({ ...account, parent: one, limit: 2 }), 2);
    assert.equal(await store.countQueued(account), 4);
    assert.equal(await store.countQueued({ ...account, limit: 3 }), 3);
    assert.equal(await store.countQueued({ ...account, account: 'ac_2' }), 0);
    const [first, second, last] = await store.queue({ ...account, parent: one });
    const further = await store.queue({ ...account, parent: one, after: first!.position, limit: 1 });
    assert.deepEqual(further, [second]);
    assert.deepEqual(await store.queue({ ...account, parent: one, after: last!.position }), []);
    const taken: WriteOperation = { op: 'dequeue', positions: [first!.position, last!.position] };
    await store.write(() => [taken]);
    await store.write(() => [taken]);
    assert.deepEqual(await namesIn(store, one), ['b']);
    assert.deepEqual(await namesIn(store, other), ['x']);
  });

  storeTest(
    'a queue is read no further than so many bytes, and one entry at least',
    open,
    async ({ store }) => {
      const { id: parent } = await create(store);
      const names = ['a'.repeat(100), 'ä'.repeat(100), 'c', 'd'.repeat(10_000), 'e'];
      const sizes = names.map((name) => Buffer.byteLength(JSON.stringify({ name })));
      await put(store, parent, ...names);
      const read = async (bytes: number, after = 0, limit = 10) => {
        const entries = await store.queue({ account: 'ac_1', parent, after, limit, bytes });
        return entries.map(({ body }) => names.indexOf(String(body.name)));
      };
      const three = sizes[0]! + sizes[1]! + sizes[2]!;
      assert.deepEqual(await read(three), [0, 1, 2]);
      assert.deepEqual(await read(three, 0, 2), [0, 1]);
      assert.deepEqual(await read(three - 1), [0, 1]);
      assert.deepEqual(await read(1), [0]);
      assert.deepEqual(await read(1_000_000), [0, 1, 2, 3, 4]);
      const [, , third] = await store.queue({ account: 'ac_1', parent, limit: 3 });
      assert.deepEqual(await read(1, third!.position), [3]);
    },
  );

  storeTest('a queue goes with its document, and with what that lives below', open, async ({ store }) => {
    const parent = await create(store);
    const child = await create(store, { parent: parent.id });
    const beside = await create(store);
    for (const { id } of [parent, child, beside]) await put(store, id, 'a');
    assert.equal(await store.hasDeletedQueues(), false);
    await store.write(() => [deletion(parent)]);
    for (const { id } of [parent, child]) {
      assert.deepEqual(await namesIn(store, id), []);
      assert.equal(await store.countQueued({ account: 'ac_1', parent: id, limit: 10 }), 0);
    }
    assert.deepEqual(await namesIn(store, beside.id), ['a']);
  });

  storeTest('what waited for a deleted document takes room until it is cleared', open, async (opened) => {
    const [gone, other, kept] = [
      await create(opened.store),
      await create(opened.store),
      await create(opened.store),
    ];
    await put(opened.store, gone.id, 'a', 'b', 'c');
    await put(opened.store, other.id, 'd');
    await put(opened.store, kept.id, 'e');
    await opened.store.write(() => [deletion(gone), deletion(other)]);
    const store = await opened.reopen();
    const left: number[] = [];
    do {
      left.push(await store.countQueued({ account: 'ac_1', limit: 10 }));
      await store.write(() => [{ op: 'clear', most: 3 }]);
    } while (await store.hasDeletedQueues());
    assert.deepEqual(left, [5, 2]);
    await store.write(() => [{ op: 'clear', most: 3 }]);
    assert.deepEqual(await namesIn(store, kept.id), ['e']);
    assert.equal(await store.countQueued({ account: 'ac_1', limit: 10 }), 1);
  });

  storeTest('there is no queue of what is not there, or is in another account', open, async ({ store }) => {
    const document = await create(store);
    for (const [parent, account] of [
      ['th_gone', 'ac_1'],
      [document.id, 'ac_2'],
    ] as const) {
      const written = store.write((newId) => [
        insertion(newId('th'), { kind: 'beside' }),
        entry(document.id),
        entry(parent, {}, account),
      ]);
      assert.deepEqual(await refusal(written), { reason: 'parent-missing', id: parent });
    }
    assert.deepEqual((await store.snapshot(['beside'])).documents, []);
    assert.deepEqual(await namesIn(store, document.id), []);
  });

  storeTest(
    'an entry is refused whose document went a moment ago, or was not written after all',
    open,
    async ({ store }) => {
      const document = await create(store);
      let unwritten = '';
      // Written at once, so that all are in one transaction.
      const [kept, deleted, ofDeleted, refused, ofUnwritten] = [
        store.write(() => [entry(document.id)]),
        store.write(() => [deletion(document)]),
        store.write(() => [entry(document.id)]),
        store.write((newId) => {
          unwritten = newId('th');
          return [insertion(unwritten), entry(unwritten), entry('th_gone')];
        }),
        store.write(() => [entry(unwritten)]),
      ].map((written) => written.catch((error: unknown) => Promise.resolve(error)));
      assert.equal(typeof (await kept), 'number');
      assert.equal(typeof (await deleted), 'number');
      const missing = async (written: Promise<unknown> | undefined) => refusal(Promise.reject(await written));
      assert.deepEqual(await missing(refused), { reason: 'parent-missing', id: 'th_gone' });
      assert.deepEqual(await missing(ofUnwritten), { reason: 'parent-missing', id: unwritten });
      assert.deepEqual(await missing(ofDeleted), { reason: 'parent-missing', id: document.id });
      assert.equal(await store.countQueued({ account: 'ac_1', limit: 10 }), 1);
    },
  );

  storeTest('a position is never given again', open, async ({ store, reopen }) => {
    const { id: parent } = await create(store);
    const query = { account: 'ac_1', parent, limit: 10 };
    await put(store, parent, 'a', 'b');
    const first = await store.queue(query);
    await store.write(() => [{ op: 'dequeue', positions: first.map(({ position }) => position) }]);
    const again = await reopen();
    await put(again, parent, 'c');
    const [next] = await again.queue(query);
    assert.ok(next!.position > first[1]!.position, `${next!.position} was given before`);
  });

  storeTest('whoever watches is told which queues grow', open, async ({ store }) => {
    const [{ id: one }, { id: other }] = [await create(store), await create(store)];
    await put(store, one, 'before');
    const abort = new AbortController();
    const told = store.watchQueues(abort.signal)[Symbol.asyncIterator]();
    assert.deepEqual(await told.next(), { done: false, value: null });
    const next = told.next();
    await put(store, one, 'a');
    assert.deepEqual(await next, { done: false, value: [one] });
    await create(store);
    await store.write(() => [entry(other), entry(one), entry(other)]);
    const { value } = await told.next();
    assert.deepEqual([...(value ?? [])].sort(), [one, other].sort());
    const last = told.next();
    abort.abort();
    assert.equal((await last).done, true);
  });

  storeTest('whoever watches learns that the store is away', open, async ({ store }) => {
    const told = store.watchQueues(new AbortController().signal)[Symbol.asyncIterator]();
    await told.next();
    const waiting = assert.rejects(told.next(), { name: StoreUnavailableError.name });
    await store.close();
    await waiting;
  });
}
