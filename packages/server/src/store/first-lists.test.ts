import assert from 'node:assert/strict';
import { test } from 'node:test';
import { collect } from './collect.ts';
import { create } from './conformance/harness.fixture.ts';
import { Mirror } from './conformance/mirror.fixture.ts';
import { follow } from './follow.ts';
import { ObservedStore } from './observed.ts';
import { proxy } from './proxy.fixture.ts';
import { openOnSqlite } from './sqlite/open.fixture.ts';
import { type Slice, StoreUnavailableError } from './store.ts';

const nothing = { committed() {}, conflicted() {}, failed() {} };

/** Opens a store that records the kinds of each scan. */
async function open(t: { after(end: () => Promise<void>): void }) {
  const { store, dispose } = await openOnSqlite();
  const stops: (() => Promise<void>)[] = [];
  t.after(async () => {
    for (const stop of stops) await stop();
    await dispose();
  });
  const scans: (readonly string[])[] = [];
  const failures: Error[] = [];
  const scan = (kinds: readonly string[]): AsyncIterable<Slice> => {
    scans.push(kinds);
    const failure = failures.pop();
    if (failure !== undefined) throw failure;
    return store.scan(kinds);
  };
  const counted = proxy(store, { scan, snapshot: async (kinds) => collect(scan(kinds)) });
  const observed = new ObservedStore(
    counted,
    nothing,
    { failed() {}, worked() {}, writeFailure: null },
    () => 0,
  );
  const followed = async (...kinds: string[]) => {
    const mirror = new Mirror();
    const { stop } = await follow(observed, kinds, mirror);
    stops.push(stop);
    return mirror;
  };
  return { store, observed, scans, failures, followed };
}

test('who follows at the start is given what was read once, the same objects, and what was written since', async (t) => {
  const { store, observed, scans, followed } = await open(t);
  const one = await create(store, { kind: 'one' });
  const other = await create(store, { kind: 'other' });
  observed.listTogether(['one', 'other', 'none']);
  const first = await followed('one', 'none', 'one');
  const later = await create(store, { kind: 'one' });
  const second = await followed('other', 'one');
  assert.deepEqual(scans, [['one', 'other', 'none']]);
  assert.equal(first.documents.get(one.id), second.documents.get(one.id));
  assert.ok(second.documents.has(other.id) && !first.documents.has(other.id));
  await second.until(() => second.documents.has(later.id));
  assert.equal(second.documents.size, 3);
});

test('who follows other kinds, or later, or where that reading failed, reads for himself', async (t) => {
  const { store, observed, scans, failures, followed } = await open(t);
  const one = await create(store, { kind: 'one' });
  const forget = observed.listTogether(['one']);
  await followed('one', 'other');
  forget();
  assert.ok((await followed('one')).documents.has(one.id));
  assert.deepEqual(scans, [['one'], ['one', 'other'], ['one']]);
  failures.push(new StoreUnavailableError('away'));
  observed.listTogether(['one']);
  assert.ok((await followed('one')).documents.has(one.id));
  assert.deepEqual(scans.slice(3), [['one'], ['one']]);
});

test('what is forgotten is read no further', async (t) => {
  const { observed, scans } = await open(t);
  let slices = 0;
  const left = Promise.withResolvers<void>();
  const endless = async function* (): AsyncGenerator<Slice> {
    try {
      for (;;) {
        slices += 1;
        await new Promise(setImmediate);
        yield { revision: 1, documents: [] };
      }
    } finally {
      left.resolve();
    }
  };
  observed.scan = endless;
  const forget = observed.listTogether(['one']);
  const following = observed.firstList(['one']);
  forget();
  assert.equal(await following, null);
  await left.promise;
  assert.deepEqual([slices, scans], [1, []]);
});
