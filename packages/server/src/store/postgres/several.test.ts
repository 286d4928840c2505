import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { eventually, Postgres, postgresMissing } from '../../../../../test/harness/index.ts';
import {
  byId,
  create,
  deletion,
  insertion,
  read,
  refusal,
  replacement,
} from '../conformance/harness.fixture.ts';
import { follow } from '../follow.ts';
import {
  type Change,
  ConflictError,
  type Store,
  type StoredDocument,
  StoreUnavailableError,
} from '../store.ts';
import { openPostgresStore } from './store.ts';
import { UnstorableTextError } from './text.ts';

/** So long that every change must come from a notification. */
const NEVER_MS = 3_600_000;

/** Returns every change until a document of the kind `end` appears. */
async function watchToTheEnd(store: Store): Promise<Change[]> {
  const seen: Change[] = [];
  for await (const changes of store.watch(0, ['thing', 'end'], new AbortController().signal)) {
    seen.push(...changes);
    if (changes.some(({ kind }) => kind === 'end')) break;
  }
  return seen;
}

describe('several stores on one database', { skip: postgresMissing }, () => {
  let server: Postgres;
  before(async () => {
    server = await Postgres.shared();
  });
  after(() => server.stop());

  async function openTogether(count: number, pollMs = NEVER_MS): Promise<Store[]> {
    const url = await server.database();
    return await Promise.all(Array.from({ length: count }, () => openPostgresStore({ url, pollMs })));
  }
  const closeAll = (stores: readonly Store[]) => Promise.all(stores.map((store) => store.close()));

  test('what one writes, the others read at once and are told of without asking', async () => {
    const [one, other] = (await openTogether(2)) as [Store, Store];
    const watch = other.watch(0, ['thing'], new AbortController().signal)[Symbol.asyncIterator]();
    const told = watch.next();
    const document = await create(one);
    assert.deepEqual(await read(other, document.id), document);
    const { value } = await told;
    assert.deepEqual(
      (value as Change[]).map((change) => change.document),
      [document],
    );
    const gone = watch.next();
    await one.write(() => [deletion(document)]);
    assert.equal(((await gone).value as Change[])[0]?.document, null);
    await closeAll([one, other]);
  });

  test('a growing queue is notified to the others, without a poll', async () => {
    const [one, other] = (await openTogether(2)) as [Store, Store];
    const { id: parent } = await create(one);
    const told = other.watchQueues(new AbortController().signal)[Symbol.asyncIterator]();
    await told.next();
    const next = told.next();
    await one.write(() => [{ op: 'enqueue', account: 'ac_1', parent, text: '{}' }]);
    assert.deepEqual((await next).value, [parent]);
    const last = assert.rejects(told.next(), { name: StoreUnavailableError.name });
    await closeAll([one, other]);
    await last;
  });

  test('what no notification tells of is found by the poll', async () => {
    const url = await server.database();
    const store = await openPostgresStore({ url, pollMs: 20 });
    const document = await create(store);
    const watch = store
      .watch(document.revision, ['thing'], new AbortController().signal)
      [Symbol.asyncIterator]();
    const told = watch.next();
    await server.query(
      url,
      `UPDATE underpass.state SET revision = revision + 1;
       UPDATE underpass.documents d SET revision = s.revision FROM underpass.state s;
       INSERT INTO underpass.changes SELECT s.revision, d.id, d.account, d.kind, false FROM underpass.state s, underpass.documents d`,
    );
    assert.equal(((await told).value as Change[])[0]?.revision, document.revision + 1);
    await store.close();
  });

  test('a watcher knows since when it may be behind: only while it has read on does that move', async () => {
    const [one, other] = (await openTogether(2)) as [Store, Store];
    const over = new AbortController();
    const feed = other.watch(0, ['thing'], over.signal);
    const watch = feed[Symbol.asyncIterator]();
    const caughtUpAt = (): number => feed.caughtUpAt ?? assert.fail('it does not say');
    const opened = caughtUpAt();
    const told = watch.next();
    await create(one);
    await told;
    const behind = caughtUpAt();
    await create(one);
    assert.equal(caughtUpAt(), behind, 'nobody takes what is next');
    await watch.next();
    const next = watch.next();
    await eventually(() => assert.ok(caughtUpAt() > behind && behind >= opened));
    over.abort();
    assert.equal((await next).done, true);
    await closeAll([one, other]);
  });

  test('with writers in all of them, each watcher is told of everything once and in order; ids and revisions increase together', async () => {
    const stores = await openTogether(3);
    const watchers = stores.map(watchToTheEnd);
    const made: StoredDocument[] = [];
    const writer = async (store: Store) => {
      for (let at = 0; at < 40; at++) {
        const document = await create(store, { body: { at } });
        made.push(document);
        if (at % 4 === 0) await store.write(() => [replacement(document, { body: { again: true } })]);
        if (at % 4 === 1) await store.write(() => [deletion(document)]);
      }
    };
    await Promise.all([...stores, ...stores].map(writer));
    const inOrder = made.toSorted((left, right) => left.revision - right.revision).map(({ id }) => id);
    assert.deepEqual(inOrder, inOrder.toSorted());
    assert.equal(new Set(inOrder).size, 240);
    await create(stores[0] as Store, { kind: 'end' });
    const truth = byId((await (stores[1] as Store).snapshot(['thing', 'end'])).documents);
    for (const seen of await Promise.all(watchers)) {
      const state = byId([]);
      for (const [at, change] of seen.entries()) {
        assert.ok(
          at === 0 || change.revision > (seen[at - 1] as Change).revision,
          'in order, and none twice',
        );
        if (change.document === null) state.delete(change.id);
        else state.set(change.id, change.document);
      }
      assert.deepEqual(state, truth);
    }
    await closeAll(stores);
  });

  test('of writers in different processes who claim one name or replace one state, one wins', async () => {
    const stores = await openTogether(3);
    const names = [{ kind: 'hostname', value: 'a.example.com' }];
    const claims = await Promise.allSettled(stores.map((store) => create(store, { names })));
    const [winner, ...more] = claims.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    assert.ok(winner !== undefined && more.length === 0);
    const replaced = await Promise.allSettled(
      stores.map((store, by) => store.write(() => [replacement(winner, { body: { by } })])),
    );
    assert.equal(replaced.filter(({ status }) => status === 'fulfilled').length, 1);
    for (const one of replaced) if (one.status === 'rejected') assert.ok(one.reason instanceof ConflictError);
    await closeAll(stores);
  });

  test('a follower has the writes of its own process when they are answered, whoever else writes', async () => {
    const stores = await openTogether(2);
    const [one, other] = stores as [Store, Store];
    const known = new Map<string, StoredDocument | null>();
    const { stop } = await follow(one, ['thing'], {
      reset: (documents) => {
        for (const document of documents) known.set(document.id, document);
      },
      apply: (changes) => {
        for (const { id, document } of changes) known.set(id, document);
      },
    });
    let writing = true;
    const foreign = (async () => {
      while (writing) await create(other);
    })();
    for (let at = 0; at < 60; at++) {
      const document = await create(one);
      assert.deepEqual(known.get(document.id), document);
    }
    writing = false;
    await foreign;
    await stop();
    await closeAll(stores);
  });

  test('keys that the database cannot hold are refused before anything is written, and found nowhere', async () => {
    const [store] = (await openTogether(1)) as [Store];
    for (const value of ['a\0b', '\ud800']) {
      for (const draft of [
        { names: [{ kind: 'n', value }] },
        { kind: value },
        { account: value },
        { links: [{ field: 'f', to: value, binding: false }] },
      ]) {
        const write = store.write((newId) => [insertion(newId('th'), draft)]);
        await assert.rejects(write, UnstorableTextError);
      }
      assert.equal(await store.get(value), null);
      assert.deepEqual(await store.page({ account: value, kind: 'thing', limit: 10 }), []);
    }
    const beside = await Promise.allSettled([
      create(store),
      store.write((newId) => [insertion(newId('th'), { kind: '\0' })]),
      create(store),
    ]);
    assert.deepEqual(
      beside.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    );
    const { reason } = await refusal(
      store.write(() => [insertion((beside[0] as { value: StoredDocument }).value.id)]),
    );
    assert.equal(reason, 'stale');
    await store.close();
  });
});
