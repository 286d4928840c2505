import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LEASE_MS, Lease, LOOK_AGAIN_MS, RENEWAL_MS } from './lease.ts';
import { MemoryStore } from './memory.fixture.ts';
import { type Store, StoreUnavailableError, type WriteOperation, WriteOutcomeUnknownError } from './store.ts';

type Body = { readonly daemon: string; readonly tries: number };

const name = { kind: 'system', value: 'a_lease' };
const row = { prefix: 'ls', account: 'system', kind: 'lease', parent: null, name };

/** A store in memory whose next write can fail before or after it is done, and a clock. */
function place() {
  const store = new MemoryStore();
  const state = { at: 0, writes: 0, failure: null as { error: Error; isWritten: boolean } | null };
  const write: Store['write'] = async (build) => {
    const { failure } = state;
    state.failure = null;
    state.writes += 1;
    if (failure?.isWritten === false) throw failure.error;
    const revision = await store.write(build);
    if (failure !== null) throw failure.error;
    return revision;
  };
  const read = async () => {
    const holder = await store.findName(name);
    const found = holder === null ? null : await store.get(holder.id);
    return found === null ? null : { ...found, body: found.body as Body };
  };
  const lease = (daemon: string | null) =>
    new Lease<Body>({
      ...{ store: { write }, daemon, uptime: () => state.at, read },
      first: { ...row, body: { daemon: '', tries: 0 } },
    });
  return { store, state, lease, read };
}

test('one daemon has a lease until it releases it, or writes nothing for long', async () => {
  const { state, lease, read } = place();
  const [one, other] = [lease('one'), lease('other')];
  assert.equal(await one.claim(), 0);
  assert.deepEqual((await read())?.body, { daemon: 'one', tries: 0 });
  assert.deepEqual([one.isOurs, other.isOurs], [true, false]);
  assert.equal(await other.claim(), LEASE_MS);
  state.at += LEASE_MS - 1;
  assert.equal(await other.claim(), 1);
  assert.equal(await one.renew(), true);
  state.at += 1;
  assert.equal(await other.claim(), LEASE_MS, 'it wrote meanwhile');
  state.at += LEASE_MS;
  assert.equal(await other.claim(), 0);
  assert.equal(await one.renew(), false);
  assert.equal(one.isOurs, false);
  await one.release();
  assert.equal((await read())?.body.daemon, 'other', 'a lost lease is not released');
  await other.release();
  assert.deepEqual([other.isOurs, (await read())?.body.daemon], [false, '']);
  assert.equal(await one.claim(), 0, 'a released lease has no wait');
});

test('of daemons that claim at once one has the lease, and the other checks again soon', async () => {
  const { lease } = place();
  const [one, other] = [lease('one'), lease('other')];
  assert.deepEqual(await Promise.all([one.claim(), other.claim()]), [0, LOOK_AGAIN_MS], 'the first document');
  await one.release();
  assert.deepEqual(await Promise.all([one.claim(), other.claim()]), [0, LOOK_AGAIN_MS], 'a released one');
});

test('a claim of the holder writes only when a renewal is due', async () => {
  const { state, lease } = place();
  const one = lease('one');
  await one.claim();
  state.at += RENEWAL_MS - 1;
  assert.deepEqual([await one.claim(), state.writes], [0, 1]);
  state.at += 1;
  assert.deepEqual([await one.claim(), state.writes], [0, 2]);
  assert.deepEqual([await one.claim(), state.writes], [0, 2]);
  state.at += LEASE_MS;
  const other = lease('other');
  await other.claim();
  state.at += LEASE_MS;
  assert.equal(await other.claim(), 0);
  assert.equal(await one.claim(), LOOK_AGAIN_MS, 'it was lost');
});

test('the state is written with other operations, or neither', async () => {
  const { store, state, lease, read } = place();
  const holders = () => store.names({ kind: 'thing', prefix: '', limit: 10 });
  const [one, other] = [lease('one'), lease('other')];
  await one.claim();
  const thing = (id: string): WriteOperation => ({
    ...{ op: 'insert', id, account: 'ac_1', kind: 'thing', parent: null, body: {}, links: [] },
    names: [{ kind: 'thing', value: id }],
  });
  assert.equal(await one.write({ daemon: 'one', tries: 1 }, (newId) => [thing(newId('th'))]), true);
  assert.deepEqual([one.body, (await read())?.body.tries], [{ daemon: 'one', tries: 1 }, 1]);
  assert.equal((await holders()).length, 1);
  await other.claim();
  state.at += LEASE_MS;
  assert.equal(await other.claim(), 0);
  assert.deepEqual(other.body, { daemon: 'other', tries: 1 }, 'the state moves with the lease');
  assert.equal(await one.write({ daemon: 'one', tries: 2 }, () => [thing('th_late')]), false);
  assert.deepEqual([one.body.tries, (await read())?.body], [0, { daemon: 'other', tries: 1 }]);
  assert.equal((await holders()).length, 1);
  assert.equal(await one.write({ daemon: 'one', tries: 2 }), false, 'not without the lease either');
});

test('a lease with an unknown outcome of its claim is claimed again; one of its renewal is kept', async () => {
  const { state, lease, read } = place();
  const one = lease('one');
  await one.claim();
  await one.release();
  for (const isWritten of [false, true]) {
    state.failure = { error: new WriteOutcomeUnknownError('the thread ended'), isWritten };
    await assert.rejects(one.claim(), WriteOutcomeUnknownError);
    assert.equal(one.isOurs, false);
    assert.equal((await read())?.body.daemon, isWritten ? 'one' : '');
  }
  assert.equal(await one.claim(), 0);
  state.failure = { error: new StoreUnavailableError('away'), isWritten: false };
  await assert.rejects(one.renew(), StoreUnavailableError);
  assert.deepEqual([one.isOurs, await one.renew()], [true, true]);
});

test('the only daemon of a database has the lease without a write to claim, renew or release it', async () => {
  const { state, lease, read } = place();
  const former = lease('former');
  await former.claim();
  const only = lease(null);
  assert.equal(await only.claim(), 0, 'no other daemon can be alive');
  state.at += LEASE_MS;
  assert.equal(await only.claim(), 0);
  await only.release();
  assert.deepEqual([only.isOurs, state.writes, (await read())?.body.daemon], [true, 1, 'former']);
  const first = place();
  assert.equal(await first.lease(null).claim(), 0);
  assert.deepEqual((await first.read())?.body, { daemon: '', tries: 0 });
});
