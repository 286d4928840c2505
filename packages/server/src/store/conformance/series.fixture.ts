/** Blocks of series: replaced by the same writer, read by key and time, and gone by age or with the account. */
import assert from 'node:assert/strict';
import type { SeriesRow, Store } from '../store.ts';
import { create, deletion, type OpenStore, read, storeTest } from './harness.fixture.ts';

const block = (account: string, changes: Partial<SeriesRow> = {}): SeriesRow => ({
  ...{ account, key: 'edge/a', node: 'n1', step: 60, start: 3600, body: '1' },
  ...changes,
});

const keep = (store: Store, ...rows: SeriesRow[]) => store.write(() => [{ op: 'keep_series', rows }]);

async function bodies(store: Store, account: string, keys = ['edge/a'], from = 0, until = 1e9, step = 60) {
  const rows = await store.series({ account, step, keys, from, until });
  return rows.map(({ body }) => body).sort();
}

async function accountIn(store: Store): Promise<string> {
  let id = '';
  await store.write((newId) => {
    id = newId('ac');
    const none = { parent: null, body: {}, links: [], names: [] };
    return [{ op: 'insert', id, account: id, kind: 'account', ...none }];
  });
  return id;
}

export function series(open: OpenStore): void {
  storeTest('a block is added, replaced by its writer, and read back', open, async (opened) => {
    const account = await accountIn(opened.store);
    const row = block(account, { key: 'endpoint/ä.example.com:443', start: 1_900_000_000, body: '1Zm9v+/=' });
    await keep(opened.store, row, block(account, { node: 'n2', body: '2' }), block(account));
    await keep(opened.store, block(account, { body: '3' }));
    const store = await opened.reopen();
    assert.deepEqual(await bodies(store, account), ['2', '3']);
    const query = { account, step: 60, keys: [row.key], from: row.start, until: row.start + 1 };
    assert.deepEqual(await store.series(query), [row]);
    assert.deepEqual(await store.series({ ...query, keys: [] }), []);
    assert.deepEqual(await store.series({ ...query, account: 'ac_other' }), []);
  });

  storeTest('blocks are selected by key, step and time', open, async ({ store }) => {
    const account = await accountIn(store);
    const starts = [0, 3600, 7200].map((start) => block(account, { start, body: `a${start}` }));
    await keep(store, ...starts, block(account, { key: 'edge/b', body: 'b' }));
    await keep(store, block(account, { step: 3600, body: 'hour' }));
    assert.deepEqual(await bodies(store, account, ['edge/a'], 3600, 7200), ['a3600']);
    assert.deepEqual(await bodies(store, account, ['edge/a', 'edge/b'], 3600), ['a3600', 'a7200', 'b']);
    assert.deepEqual(await bodies(store, account, ['edge/a'], 0, 1e9, 3600), ['hour']);
  });

  storeTest('the oldest blocks of a step are dropped, so many at a time', open, async ({ store }) => {
    const account = await accountIn(store);
    const starts = [7200, 0, 3600, 10800].map((start) => block(account, { start, body: `${start}` }));
    await keep(store, ...starts, block(account, { step: 3600, start: 0, body: 'hour' }));
    const drop = (most: number) => store.write(() => [{ op: 'drop_series', step: 60, before: 10800, most }]);
    await drop(2);
    assert.deepEqual(await bodies(store, account), ['10800', '7200']);
    await drop(10);
    await drop(10);
    assert.deepEqual(await bodies(store, account), ['10800']);
    assert.deepEqual(await bodies(store, account, ['edge/a'], 0, 1, 3600), ['hour']);
  });

  storeTest('blocks go with their account, and none comes back', open, async ({ store }) => {
    const [account, other] = [await accountIn(store), await accountIn(store)];
    const thing = await create(store);
    await keep(store, block(account, { body: 'to-be-gone' }), block(other));
    await store.write(() => [deletion(thing)]);
    assert.deepEqual(await bodies(store, account), ['to-be-gone']);
    const document = await read(store, account);
    await store.write(() => [deletion(document)]);
    await keep(store, block(account, { body: 'to-be-gone' }), block('ac_unknown'));
    assert.deepEqual(await bodies(store, account), []);
    assert.deepEqual(await bodies(store, 'ac_unknown'), []);
    assert.deepEqual(await bodies(store, other), ['1']);
  });

  storeTest('a refused batch keeps and drops no block', open, async ({ store }) => {
    const account = await accountIn(store);
    await keep(store, block(account));
    const refused = store.write(() => [
      { op: 'keep_series', rows: [block(account, { body: '2' })] },
      { op: 'drop_series', step: 60, before: 1e9, most: 10 },
      { op: 'delete', id: 'th_gone', revision: 1 },
    ]);
    await assert.rejects(refused, { name: 'ConflictError' });
    assert.deepEqual(await bodies(store, account), ['1']);
  });
}
