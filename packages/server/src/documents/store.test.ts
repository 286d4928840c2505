import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openOnSqlite } from '../store/sqlite/open.fixture.ts';
import type { StoredDocument } from './index.ts';
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
