import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openOnSqlite } from '../store/sqlite/open.fixture.ts';
import type { Change, DocumentFeed, StoredDocument } from './index.ts';
import { documentsIn, followDocuments } from './store.ts';

test('what a document of a kind has is known by its kind alone, and nothing else can be read of it', async (t) => {
  const opened = await openOnSqlite({});
  t.after(() => opened.dispose());
  const store = documentsIn(opened.store);
  const body = { name: 'acme' };
  const row = { op: 'insert', account: 'ac_1', parent: null, links: [], names: [] } as const;
  await store.write(() => [{ ...row, id: 'ac_1', kind: 'account', body }]);

  const document = await store.get('ac_1');
  // @ts-expect-error before its kind is known
  assert.equal(document?.body.name, 'acme');
  assert.equal(document?.kind === 'account' && document.body.name, 'acme');
  for (const account of await store.page({ account: 'ac_1', kind: 'account', limit: 1 })) {
    assert.equal(account.body.name, 'acme');
    // @ts-expect-error of another kind
    assert.equal(account.body.owner_id, undefined);
  }
  // @ts-expect-error no such kind
  await store.page({ account: 'ac_1', kind: 'acount', limit: 1 });

  const seen: StoredDocument<'account' | 'user'>[] = [];
  const follower = {
    reset: (documents: readonly StoredDocument<'account' | 'user'>[]) => seen.push(...documents),
    apply: () => assert.fail('nothing was written'),
  };
  const following = await followDocuments(store, ['account', 'user'], follower);
  await following.stop();
  assert.deepEqual(
    seen.map(({ kind }) => kind),
    ['account'],
  );
  // @ts-expect-error the follower knows nothing of such documents
  await (await followDocuments(store, ['tls_edge'], follower)).stop();
});

test('a feed is all that following needs, and it cannot write', async (t) => {
  const opened = await openOnSqlite({});
  t.after(() => opened.dispose());
  const store = documentsIn(opened.store);
  const feed: DocumentFeed = {
    get: (id) => store.get(id),
    scan: (kinds) => store.scan(kinds),
    scanStates: (kinds) => store.scanStates(kinds),
    snapshot: (kinds) => store.snapshot(kinds),
    watch: (...args) => store.watch(...args),
  };
  // @ts-expect-error a feed has no writes
  assert.equal(feed.write, undefined);

  const seen: string[] = [];
  const follower = {
    reset: () => {},
    apply: (changes: readonly Change<'account'>[]) => seen.push(...changes.map(({ id }) => id)),
  };
  const following = await followDocuments(feed, ['account'], follower);
  const row = { op: 'insert', account: 'ac_1', parent: null, links: [], names: [] } as const;
  await store.write(() => [{ ...row, id: 'ac_1', kind: 'account', body: { name: 'acme' } }]);
  await following.stop();
  assert.deepEqual(seen, ['ac_1']);
});
