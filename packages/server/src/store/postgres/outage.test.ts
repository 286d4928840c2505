import assert from 'node:assert/strict';
import { after, before, describe, type TestContext, test } from 'node:test';
import { eventually, Postgres, postgresMissing } from '../../../../../test/harness/index.ts';
import { create, insert, insertion, read, replacement } from '../conformance/harness.fixture.ts';
import { StoreUnavailableError, WriteOutcomeUnknownError } from '../store.ts';
import { CuttingProxy } from './cutting-proxy.fixture.ts';
import { openPostgresStore } from './store.ts';

describe('a connection that is lost during a commit', { skip: postgresMissing }, () => {
  let server: Postgres;
  before(async () => {
    server = await Postgres.shared();
  });
  after(() => server.stop());

  /** `certaintyMs` is how long the store tries to find out the outcome of a write. */
  async function openThroughProxy(context: TestContext, certaintyMs = 60_000) {
    const url = await server.database();
    const proxy = await CuttingProxy.start(url);
    const store = await openPostgresStore({ url: proxy.url, certaintyMs });
    // The other store's clock is ahead, so its ids are greater.
    const other = await openPostgresStore({ url, now: () => Date.now() + 3_600_000 });
    context.after(async () => {
      await Promise.all([store.close(), other.close()]);
      await proxy.stop();
    });
    return { proxy, store, other };
  }

  test('the write was done: it is answered as done, and done once', async (context) => {
    const { proxy, store } = await openThroughProxy(context);
    const first = await create(store);
    const cut = proxy.cutNext('after-commit');
    let built = 0;
    const revision = await store.write(() => {
      built += 1;
      return [replacement(first, { body: { v: 2 } })];
    });
    await cut;
    assert.deepEqual([built, revision], [1, first.revision + 1]);
    assert.deepEqual((await read(store, first.id)).body, { v: 2 });
    assert.equal((await create(store)).revision, revision + 1);
  });

  for (const [cut, isDone] of [
    ['after-commit', true],
    ['before-commit', false],
  ] as const) {
    test(`${cut} and nobody can be asked: that is said, and not that nothing was changed`, async (context) => {
      const { proxy, store, other } = await openThroughProxy(context, 200);
      const first = await create(store);
      const built = proxy.cutNext(cut).then(() => proxy.refuse());
      const open = { name: WriteOutcomeUnknownError.name };
      await assert.rejects(
        store.write(() => [replacement(first, { body: { v: 2 } })]),
        open,
      );
      await built;
      await assert.rejects(create(store), { name: StoreUnavailableError.name }, 'this was not begun');
      assert.deepEqual((await read(other, first.id)).body, isDone ? { v: 2 } : first.body);
      proxy.isRefusing = false;
      await eventually(async () => assert.ok((await create(store)).revision > first.revision));
    });
  }

  test('nobody can be asked: of the same transaction, what was refused was not done', async (context) => {
    const { proxy, store } = await openThroughProxy(context, 200);
    const first = await create(store);
    // Writes that come during another one go into one transaction. No read follows, because it could take longer than
    // that.
    const earlier = insert(store);
    const settled = Promise.allSettled([
      store.write(() => [replacement(first, { body: { v: 2 } })]),
      store.write(() => [replacement(first, { body: { v: 3 } })]),
    ]);
    await earlier;
    const cut = proxy.cutNext('after-commit').then(() => proxy.refuse());
    const outcomes = await settled;
    await cut;
    assert.deepEqual(
      outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason.name),
      [WriteOutcomeUnknownError.name, StoreUnavailableError.name],
    );
  });

  test('the write was not done: it is done again as it was built', async (context) => {
    const { proxy, store } = await openThroughProxy(context);
    const first = await create(store);
    const cut = proxy.cutNext('before-commit');
    const ids: string[] = [];
    const revision = await store.write((newId) => {
      ids.push(newId('th'));
      return ids.map((id) => insertion(id));
    });
    await cut;
    assert.equal(revision, first.revision + 1);
    assert.equal((await read(store, String(ids[0]))).revision, revision);
    assert.equal(ids.length, 1, 'it was built once');
  });

  test('the write was not done and others took its place: it is refused, and was built once', async (context) => {
    const { proxy, store, other } = await openThroughProxy(context);
    await create(store);
    const cut = proxy.cutNext('before-commit');
    const { promise, resolve } = Promise.withResolvers<void>();
    const ids: string[] = [];
    const refused = assert.rejects(
      store.write((newId) => {
        ids.push(newId('th'));
        proxy.open = promise;
        return ids.map((id) => insertion(id));
      }),
      { name: StoreUnavailableError.name, message: /others have written since/ },
    );
    await cut;
    const between = await create(other);
    resolve();
    await refused;
    assert.equal(ids.length, 1);
    assert.equal((await store.snapshot(['thing'])).documents.length, 2);
    assert.ok((await create(store)).id > between.id);
  });
});
