/** Documents of a newer program are refused, never misread. */
import assert from 'node:assert/strict';
import { follow } from '../follow.ts';
import { DOCUMENT_FORMAT, NewerFormatError } from '../format.ts';
import { StoreOpenError } from '../open-error.ts';
import { proxy } from '../proxy.fixture.ts';
import { type Change, StoreUnavailableError } from '../store.ts';
import { create, deletion, insert, type OpenStore, replacement, storeTest } from './harness.fixture.ts';
import { Mirror, silence } from './mirror.fixture.ts';

export function formats(open: OpenStore): void {
  storeTest(
    'a document of a newer format is named, not read, and others are, also by who follows',
    open,
    async (opened) => {
      const { store } = opened;
      const newer = await insert(store, { kind: 'newer' });
      const known = await create(store);
      await opened.makeNewer(newer);
      const isRefusal = (error: unknown): boolean => error instanceof NewerFormatError && error.id === newer;
      await assert.rejects(store.page({ account: 'ac_1', kind: 'newer', limit: 10 }), isRefusal);
      await assert.rejects(store.snapshot(['thing', 'newer']), isRefusal);
      const watch = store.watch(0, ['newer', 'thing'], new AbortController().signal)[Symbol.asyncIterator]();
      const { value } = await watch.next();
      const changes: readonly Change[] = value;
      assert.deepEqual(
        changes.map(({ id, document, newerFormat }) => [id, document, newerFormat]),
        [
          [newer, null, DOCUMENT_FORMAT + 1],
          [known.id, known, undefined],
        ],
      );
      assert.deepEqual((await store.snapshot(['thing'])).documents, [known]);
    },
  );

  for (const way of ['watch', 'repair'] as const) {
    storeTest(
      `who follows keeps what it had of a document that a newer program wrote, and all else goes on (${way})`,
      open,
      async (opened) => {
        const { store } = opened;
        const changed = await create(store);
        const written = Promise.withResolvers<void>();
        const late = proxy(store, {
          async *watch(from, kinds, signal) {
            if (way === 'repair') return yield* silence(signal);
            await written.promise;
            yield* store.watch(from, kinds, signal);
          },
          async *scanStates(kinds) {
            await written.promise;
            yield* store.scanStates(kinds);
          },
        });
        const mirror = new Mirror();
        const errors: unknown[] = [];
        const options = { onError: (error: unknown) => errors.push(error) };
        const { stop } = await follow(late, ['thing'], mirror, {
          ...options,
          ...(way === 'repair' ? { repairMs: 1 } : {}),
        });
        const revision = await store.write(() => [replacement(changed, { body: { v: 2 } })]);
        await opened.makeNewer(changed.id);
        const others = [await create(store)];
        written.resolve();
        for (let round = 0; round < 3; round++) {
          await mirror.until(() => others.every(({ id }) => mirror.documents.has(id)));
          others.push(await create(store));
        }
        assert.deepEqual(mirror.documents.get(changed.id), changed);
        assert.equal(mirror.resets, 1);
        assert.deepEqual(
          errors.map((error) => error instanceof NewerFormatError && error.id),
          [changed.id],
        );
        await store.write(() => [deletion({ ...changed, revision })]);
        await mirror.until(() => !mirror.documents.has(changed.id));
        await stop();
      },
    );
  }

  storeTest(
    'who has to list again after a newer program wrote a document keeps what he had of it, and all else goes on',
    open,
    async (opened) => {
      const { store } = opened;
      const [changed, deleted] = [await create(store), await create(store)];
      const lost = Promise.withResolvers<never>();
      let watches = 0;
      const late = proxy(store, {
        async *watch(from, kinds, signal) {
          watches += 1;
          if (watches === 1) await lost.promise;
          yield* store.watch(from, kinds, signal);
        },
      });
      const mirror = new Mirror();
      const { stop } = await follow(late, ['thing'], mirror, { onError() {} });
      await store.write(() => [replacement(changed, { body: { v: 2 } })]);
      await opened.makeNewer(changed.id);
      await store.write(() => [deletion(deleted)]);
      const others = [await create(store)];
      lost.reject(new StoreUnavailableError('away for a while'));
      for (let round = 0; round < 3; round++) {
        await mirror.until(() => others.every(({ id }) => mirror.documents.has(id)));
        others.push(await create(store));
      }
      assert.deepEqual(mirror.documents.get(changed.id), changed);
      assert.equal(mirror.documents.has(deleted.id), false);
      assert.equal(mirror.resets, 1);
      await stop();
    },
  );

  storeTest('a store with a document of a newer format does not open, and says why', open, async (opened) => {
    const newer = await create(opened.store);
    await (await opened.reopen()).get(newer.id);
    await opened.makeNewer(newer.id);
    for (let attempt = 0; attempt < 2; attempt++) {
      await assert.rejects(opened.reopen(), (error) => {
        assert.ok(error instanceof StoreOpenError, String(error));
        assert.equal(error.reason, 'newer-version');
        assert.match(
          error.message,
          new RegExp(`format ${DOCUMENT_FORMAT + 1};.*up to ${DOCUMENT_FORMAT}\\.`),
        );
        return true;
      });
    }
  });
}
