/** A process knows that its followers have processed a revision of another process. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Postgres, postgresMissing } from '../../../../../test/harness/index.ts';
import { create } from '../conformance/harness.fixture.ts';
import { follow } from '../follow.ts';
import { ObservedStore, type StoreObserver } from '../observed.ts';
import type { Store } from '../store.ts';
import { openPostgresStore } from './store.ts';

/** So long that no poll and no repair read helps. */
const NEVER_MS = 3_600_000;
const unobserved: StoreObserver = { committed() {}, conflicted() {}, failed() {} };
const noOutages = { failed() {}, worked() {}, writeFailure: null };

describe('a revision of another process', { skip: postgresMissing }, () => {
  let server: Postgres;
  let writer: Store;
  let observed: ObservedStore;
  before(async () => {
    server = await Postgres.shared();
    const url = await server.database();
    writer = await openPostgresStore({ url, pollMs: NEVER_MS });
    const reader = await openPostgresStore({ url, pollMs: NEVER_MS });
    observed = new ObservedStore(reader, unobserved, noOutages, () => performance.now());
  });
  after(async () => {
    await Promise.all([writer?.close(), observed?.close()]);
    await server?.stop();
  });

  async function following(kind: string) {
    const ids = new Set<string>();
    const following = await follow(
      observed,
      [kind],
      {
        reset: (documents) => {
          for (const { id } of documents) ids.add(id);
        },
        apply: (changes) => {
          for (const { id } of changes) ids.add(id);
        },
      },
      { repairMs: NEVER_MS },
    );
    return { ids, stop: () => following.stop() };
  }

  test('is reached when all followers have processed it, of its kind or not', async () => {
    const [things, others] = await Promise.all([following('thing'), following('other')]);
    for (let count = 0; count < 50; count++) {
      const { id, revision } = await create(writer);
      assert.equal(await observed.reached(revision), true);
      assert.ok(things.ids.has(id));
    }
    assert.equal(others.ids.size, 0);
    await Promise.all([things.stop(), others.stop()]);
    assert.equal(await observed.reached(Number.MAX_SAFE_INTEGER), true, 'nothing follows any more');
  });

  test('is not reached if the log ends before it', async () => {
    const things = await following('thing');
    const { revision } = await create(writer);
    assert.equal(await observed.reached(revision + 1), false);
    assert.equal(await observed.reached(revision), true);
    await things.stop();
  });

  test('is remembered as the last write', async () => {
    const { revision } = await create(observed);
    assert.equal(observed.written, revision);
  });
});
