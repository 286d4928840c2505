/** What a newer program wrote is refused, never misread. */
import assert from 'node:assert/strict';
import { DOCUMENT_FORMAT, NewerFormatError } from '../format.ts';
import { StoreOpenError } from '../open-error.ts';
import { create, insert, type OpenStore, storeTest } from './harness.fixture.ts';

export function formats(open: OpenStore): void {
  storeTest('a document of a newer format is named, not read, and others are', open, async (opened) => {
    const { store } = opened;
    const newer = await insert(store, { kind: 'newer' });
    const known = await create(store);
    await opened.makeNewer(newer);
    const isRefusal = (error: unknown): boolean => error instanceof NewerFormatError && error.id === newer;
    await assert.rejects(store.page({ account: 'ac_1', kind: 'newer', limit: 10 }), isRefusal);
    await assert.rejects(store.snapshot(['thing', 'newer']), isRefusal);
    const watch = store.watch(0, ['newer'], new AbortController().signal)[Symbol.asyncIterator]();
    await assert.rejects(Promise.resolve(watch.next()), isRefusal);
    assert.deepEqual((await store.snapshot(['thing'])).documents, [known]);
  });

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
