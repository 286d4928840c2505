/** Reads of pages, names, links and snapshots. */
import assert from 'node:assert/strict';
import { StoreUnavailableError } from '../store.ts';
import {
  binding,
  create,
  createMany,
  deletion,
  hostname,
  insertion,
  mention,
  type OpenStore,
  storeTest,
} from './harness.fixture.ts';

export function reads(open: OpenStore): void {
  storeTest('pages go from the newest to the oldest, in one account and kind', open, async ({ store }) => {
    const made: string[] = [];
    await store.write((newId) => {
      const operations = [];
      for (let at = 0; at < 250; at++) {
        const id = newId('th');
        made.push(id);
        operations.push(insertion(id, { body: { at } }));
        operations.push(
          insertion(newId('th'), { account: 'ac_2' }),
          insertion(newId('th'), { kind: 'other' }),
        );
      }
      return operations;
    });
    const seen: string[] = [];
    for (let before: string | undefined; ; ) {
      const page = await store.page({
        account: 'ac_1',
        kind: 'thing',
        limit: 100,
        ...(before && { before }),
      });
      seen.push(...page.map(({ id }) => id));
      before = page.at(-1)?.id;
      if (page.length < 100) break;
    }
    assert.deepEqual(seen, made.reverse());
  });

  storeTest('paging goes on where it was even when that document is gone since', open, async ({ store }) => {
    const [oldest, middle, newest] = [await create(store), await create(store), await create(store)];
    const query = { account: 'ac_1', kind: 'thing', limit: 10 };
    await store.write(() => [deletion(middle)]);
    assert.deepEqual(await store.page({ ...query, before: middle.id }), [oldest]);
    assert.deepEqual(await store.page({ ...query, before: oldest.id }), []);
    assert.deepEqual(await store.page(query), [newest, oldest]);
    assert.deepEqual(await store.page({ ...query, account: 'ac_9' }), []);
  });

  storeTest('pages of the children of one document', open, async ({ store }) => {
    const [parent, other] = [
      await create(store, { kind: 'parent' }),
      await create(store, { kind: 'parent' }),
    ];
    const first = await create(store, { parent: parent.id });
    await create(store, { parent: other.id });
    await create(store, { parent: parent.id, kind: 'another' });
    const last = await create(store, { parent: parent.id });
    const query = { account: 'ac_1', kind: 'thing', parent: parent.id, limit: 10 };
    assert.deepEqual(await store.page(query), [last, first]);
    assert.deepEqual(await store.page({ ...query, before: last.id }), [first]);
    assert.deepEqual(await store.page({ ...query, limit: 1 }), [last]);
  });

  storeTest('what is not there is null, or empty', open, async ({ store }) => {
    for (const id of ['', '__proto__', "'; DROP TABLE documents; --", 'th_\0']) {
      assert.equal(await store.get(id), null);
      assert.equal(await store.findName({ kind: id, value: id }), null);
      assert.deepEqual(await store.linksTo(id, 10), []);
      assert.deepEqual((await store.snapshot([id])).documents, []);
    }
  });

  storeTest('links to a document, of both sorts, up to a limit', open, async ({ store }) => {
    const target = await create(store);
    const one = await create(store, { links: [binding(target.id, 'a'), mention(target.id, 'b')] });
    const two = await create(store, { account: 'ac_2', links: [mention(target.id, 'a')] });
    const all = [
      { from: one.id, field: 'a' },
      { from: one.id, field: 'b' },
      { from: two.id, field: 'a' },
    ];
    assert.deepEqual(await store.linksTo(target.id, 10), all);
    assert.deepEqual(await store.linksTo(target.id, 2), all.slice(0, 2));
    const newestFirst = [2, 0, 1].map((at) => all[at]);
    assert.deepEqual(await store.linksBefore(target.id, 10), newestFirst);
    assert.deepEqual(await store.linksBefore(target.id, 2), newestFirst.slice(0, 2));
    assert.deepEqual(await store.linksBefore(target.id, 2, two.id), newestFirst.slice(1));
    assert.deepEqual(await store.linksBefore(target.id, 2, one.id), []);
  });

  storeTest('names that begin alike, in their order, page by page', open, async ({ store }) => {
    const values = ['a.', 'a.b', 'a.b.c', 'a.c', 'a/', 'a-', 'b.a', 'A.x', 'a.ä'];
    const one = await create(store, { names: values.slice(0, 5).map(hostname) });
    const two = await create(store, { account: 'ac_2', names: values.slice(5).map(hostname) });
    await create(store, { names: [{ kind: 'other', value: 'a.d' }] });
    const query = { kind: 'hostname', prefix: 'a.', limit: 10 };
    const all = [
      { value: 'a.b', id: one.id, account: 'ac_1' },
      { value: 'a.b.c', id: one.id, account: 'ac_1' },
      { value: 'a.c', id: one.id, account: 'ac_1' },
      { value: 'a.ä', id: two.id, account: 'ac_2' },
    ];
    assert.deepEqual(await store.names(query), all);
    assert.deepEqual(await store.names({ ...query, limit: 2 }), all.slice(0, 2));
    assert.deepEqual(await store.names({ ...query, after: 'a.b.c' }), all.slice(2));
    assert.deepEqual(await store.names({ ...query, prefix: 'a.b.c' }), []);
    assert.deepEqual(await store.names({ ...query, kind: '\0', prefix: '\0' }), []);
    await store.write(() => [deletion(one)]);
    assert.deepEqual(await store.names(query), all.slice(3));
  });

  storeTest(
    'a snapshot has all documents of some kinds, of one revision, while others write',
    open,
    async ({ store }) => {
      let writing = true;
      const writer = async () => {
        while (writing) {
          await store.write((newId) => [
            insertion(newId('th'), { kind: 'left' }),
            insertion(newId('th'), { kind: 'right', account: 'ac_2' }),
          ]);
        }
      };
      const writers = Promise.all([writer(), writer(), writer()]);
      for (let size = 0; size < 1500; ) {
        const { revision, documents } = await store.snapshot(['left', 'right', 'left']);
        const count = (kind: string) => documents.filter((document) => document.kind === kind).length;
        assert.equal(count('left'), count('right'));
        assert.equal(documents.length, new Set(documents.map(({ id }) => id)).size);
        assert.ok(documents.every((document) => document.revision <= revision));
        assert.ok(documents.length === 0 || documents.some((document) => document.revision === revision));
        size = documents.length;
      }
      writing = false;
      await writers;
    },
  );

  storeTest(
    'a scan has every document once, in slices of one moment, whatever is written meanwhile',
    open,
    async ({ store }) => {
      const documents = await createMany(store, 2_500);
      const seen: string[] = [];
      const sizes: number[] = [];
      for await (const slice of store.scan(['thing', 'thing'])) {
        assert.equal(slice.revision, documents[0]?.revision);
        seen.push(...slice.documents.map(({ id }) => id));
        sizes.push(slice.documents.length);
        await store.write((newId) => [deletion(documents.at(-sizes.length)!), insertion(newId('th'))]);
      }
      assert.deepEqual(
        seen,
        documents.map(({ id }) => id),
      );
      assert.equal(sizes[0], 0);
      assert.ok(Math.max(...sizes) <= 1_000);
    },
  );

  storeTest('a scan of states has those of the documents, of one moment', open, async ({ store }) => {
    await createMany(store, 2_500);
    const expected = [];
    for await (const { documents } of store.scan(['thing']))
      for (const { id, account, revision } of documents) expected.push({ id, account, revision });
    const states = [];
    for await (const slice of store.scanStates(['thing', 'thing'])) {
      assert.equal(slice.revision, expected.at(-1)?.revision);
      if (states.length === 0) await create(store);
      states.push(...slice.documents);
    }
    assert.deepEqual(states, expected);
  });

  storeTest('a scan can be left at any slice, many times', open, async ({ store }) => {
    await createMany(store, 1_500);
    for (let time = 0; time < 20; time++) {
      let slices = 0;
      for await (const _ of store.scan(['thing'])) {
        slices += 1;
        if (slices > time % 3) break;
      }
    }
    const document = await create(store);
    assert.equal((await store.snapshot(['thing'])).documents.length, 1_501);
    await store.write(() => [deletion(document)]);
  });

  storeTest('a closed store says so', open, async ({ store }) => {
    const document = await create(store);
    const accepted = store.write(() => [deletion(document)]);
    await Promise.all([store.close(), store.close()]);
    assert.ok((await accepted) > document.revision, 'what was accepted is finished');
    const gone = { name: StoreUnavailableError.name };
    await assert.rejects(store.get(document.id), gone);
    await assert.rejects(store.snapshot(['thing']), gone);
    await assert.rejects(create(store), gone);
  });
}
