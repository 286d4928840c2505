/** Notes: texts beside the documents, which the change log does not have. */
import assert from 'node:assert/strict';
import type { NoteKind, Store, WriteOperation } from '../store.ts';
import { create, deletion, insertion, type OpenStore, refusal, storeTest } from './harness.fixture.ts';

interface Given {
  readonly kind?: NoteKind;
  readonly account?: string;
  readonly at?: number;
  readonly needsDocument?: boolean;
  readonly text?: string;
}

function note(key: string, given: Given = {}): WriteOperation {
  const { kind = 'change', account = 'ac_1', at = 1, needsDocument = false, text = key } = given;
  return { op: 'note', kind, account, key, at, needsDocument, text: JSON.stringify({ text }) };
}

async function keysIn(store: Store, kind: NoteKind = 'change', account = 'ac_1'): Promise<string[]> {
  return (await store.notes({ kind, account, limit: 100 })).map(({ key }) => key);
}

export function notes(open: OpenStore): void {
  storeTest('notes are read by descending keys, a page at a time', open, async ({ store, reopen }) => {
    await store.write(() => ['b', 'a', 'c'].map((key) => note(key)));
    const revision = await store.write(() => [note('d', { at: 7, text: 'ä \ud800' })]);
    await store.write(() => [note('x', { account: 'ac_2' }), note('y', { kind: 'visit' })]);
    assert.deepEqual(await keysIn(store), ['d', 'c', 'b', 'a']);
    const page = { kind: 'change', account: 'ac_1', limit: 2 } as const;
    assert.deepEqual(await store.notes({ ...page, limit: 1 }), [
      { key: 'd', at: 7, revision, body: { text: 'ä \ud800' } },
    ]);
    const older = await store.notes({ ...page, before: 'c' });
    assert.deepEqual(
      older.map(({ key }) => key),
      ['b', 'a'],
    );
    const found = await store.notesAt('change', 'ac_1', ['a', 'x', 'none', 'd']);
    assert.deepEqual(found.map(({ key }) => key).sort(), ['a', 'd']);
    assert.deepEqual(await store.notesAt('change', 'ac_1', []), []);
    assert.deepEqual(await keysIn(await reopen()), ['d', 'c', 'b', 'a']);
  });

  storeTest('the latest note of a key stays, whatever the order of writes', open, async ({ store }) => {
    for (const [at, text] of [
      [5, 'five'],
      [9, 'nine'],
      [7, 'seven'],
      [9, 'again'],
    ] as const)
      await store.write(() => [note('k', { at, text })]);
    const [kept] = await store.notes({ kind: 'change', account: 'ac_1', limit: 5 });
    assert.deepEqual([kept?.at, kept?.body], [9, { text: 'again' }]);
  });

  storeTest('a note of a use needs its document, and goes with it', open, async ({ store }) => {
    const document = await create(store);
    const use: Given = { kind: 'use', needsDocument: true };
    await store.write(() => [note(document.id, use), note('th_gone', use)]);
    await store.write(() => [note(document.id, { ...use, account: 'ac_2' }), note(document.id)]);
    assert.deepEqual(await keysIn(store, 'use'), [document.id]);
    assert.deepEqual(await keysIn(store, 'use', 'ac_2'), []);
    await store.write(() => [deletion(document)]);
    assert.deepEqual(await keysIn(store, 'use'), []);
    assert.deepEqual(await keysIn(store), [document.id], 'what changed is known longer');
  });

  storeTest('notes go with their account', open, async ({ store }) => {
    let id = '';
    await store.write((newId) => {
      id = newId('ac');
      return [insertion(id, { kind: 'account', account: id }), note('a', { account: id }), note('b')];
    });
    await store.write(() => [note('v', { kind: 'visit', account: id })]);
    const document = await store.get(id);
    await store.write(() => [deletion(document!)]);
    assert.deepEqual([await keysIn(store, 'change', id), await keysIn(store, 'visit', id)], [[], []]);
    assert.deepEqual(await keysIn(store), ['b']);
  });

  storeTest('old notes expire, some at a time', open, async ({ store }) => {
    assert.equal(await store.oldestNote('change'), null);
    await store.write(() => [4, 2, 3, 1].map((at) => note(`k${at}`, { at, account: `ac_${at % 2}` })));
    await store.write(() => [note('v', { kind: 'visit', at: 0 })]);
    assert.equal(await store.oldestNote('change'), 1);
    await store.write(() => [{ op: 'expire', kind: 'change', before: 4, most: 2 }]);
    assert.equal(await store.oldestNote('change'), 3);
    await store.write(() => [{ op: 'expire', kind: 'change', before: 4, most: 2 }]);
    assert.deepEqual(await keysIn(store, 'change', 'ac_0'), ['k4']);
    assert.deepEqual(await keysIn(store, 'change', 'ac_1'), []);
    assert.equal(await store.oldestNote('visit'), 0);
  });

  storeTest('an account keeps a number of notes', open, async ({ store }) => {
    await store.write(() => ['a', 'b', 'c', 'd', 'e'].map((key) => note(key)));
    await store.write(() => [note('x', { account: 'ac_2' })]);
    const trim = { op: 'trim', kind: 'change', account: 'ac_1', keep: 2, most: 2 } as const;
    await store.write(() => [{ ...trim, keep: 5 }]);
    assert.equal((await keysIn(store)).length, 5);
    await store.write(() => [trim]);
    assert.deepEqual(await keysIn(store), ['e', 'd', 'c']);
    await store.write(() => [trim, { op: 'forget', kind: 'change', account: 'ac_1', key: 'e' }]);
    assert.deepEqual(await keysIn(store), ['d']);
    assert.deepEqual(await keysIn(store, 'change', 'ac_2'), ['x']);
  });

  storeTest('a refused batch writes no note, and no follower sees one', open, async ({ store }) => {
    const document = await create(store);
    const stale = { ...document, revision: document.revision + 1 };
    await refusal(store.write(() => [note('a'), deletion(stale)]));
    assert.deepEqual(await keysIn(store), []);
    const { revision } = await store.snapshot(['thing']);
    const abort = new AbortController();
    const feed = store.watch(revision, ['thing', 'change'], abort.signal)[Symbol.asyncIterator]();
    await store.write(() => [note('b')]);
    await create(store);
    const { value } = await feed.next();
    assert.equal(value?.length, 1);
    assert.equal(value[0].kind, 'thing');
    abort.abort();
  });
}
