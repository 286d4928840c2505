/** Repair reads of `follow` over a real store: they find exactly the changes that a watch withheld. */
import assert from 'node:assert/strict';
import { follow } from '../follow.ts';
import { proxy } from '../proxy.fixture.ts';
import type { Change } from '../store.ts';
import {
  byId,
  create,
  createMany,
  deletion,
  type OpenStore,
  read,
  replacement,
  storeTest,
} from './harness.fixture.ts';
import { Mirror, silence } from './mirror.fixture.ts';

/** More than two slices of a scan. */
const MANY = 2_500;

export function repairing(open: OpenStore): void {
  storeTest(
    'the repair read brings what a watch withheld, once, and leaves the rest alone',
    open,
    async ({ store }) => {
      const [kept, changed, removed] = [await create(store), await create(store), await create(store)];
      const mirror = new Mirror();
      const silent = proxy(store, { watch: (_from, _kinds, signal) => silence(signal) });
      const { stop } = await follow(silent, ['thing'], mirror, { repairMs: 1 });
      await store.write(() => [replacement(changed, { body: { v: 2 } })]);
      await store.write(() => [deletion(removed)]);
      const added = await create(store);
      await mirror.until(() => mirror.documents.has(added.id));
      const truth = byId([kept, await read(store, changed.id), added]);
      assert.deepEqual(mirror.documents, truth);
      await stop();
      assert.equal(mirror.resets, 1);
      assert.deepEqual(mirror.applied.map(({ id }) => id).sort(), [changed.id, removed.id, added.id].sort());
    },
  );

  storeTest(
    'the repair read takes what is different, not what is newer: a state that went back, and what is gone',
    open,
    async ({ store }) => {
      const [back, gone] = [await create(store), await create(store)];
      const revision = await store.write(() => [replacement(back, { body: { v: 2 } })]);
      const mirror = new Mirror();
      // Behaves like a database that was restored to the moment before both writes.
      const restored = proxy(store, {
        watch: (_from, _kinds, signal) => silence(signal),
        get: async () => back,
        async *scanStates() {
          yield { revision: back.revision, documents: [back] };
        },
      });
      const { stop } = await follow(restored, ['thing'], mirror, { repairMs: 1 });
      assert.equal(mirror.documents.get(back.id)?.revision, revision);
      await mirror.until(() => !mirror.documents.has(gone.id));
      assert.deepEqual(mirror.documents, byId([back]));
      await stop();
    },
  );

  storeTest(
    'repair reads amid writers neither repeat nor undo what the watch told',
    open,
    async ({ store }) => {
      const mirror = new Mirror();
      const { stop } = await follow(store, ['thing'], mirror, { repairMs: 1 });
      await Promise.all(
        Array.from({ length: 8 }, async () => {
          for (let at = 0; at < 40; at++) {
            const document = await create(store);
            assert.ok(mirror.documents.has(document.id));
            if (at % 2 === 0) await store.write(() => [deletion(document)]);
            assert.equal(mirror.documents.has(document.id), at % 2 === 1);
          }
        }),
      );
      await stop();
      assert.deepEqual(mirror.documents, byId((await store.snapshot(['thing'])).documents));
      const states = mirror.applied.map(({ id, revision }) => `${id} ${revision}`);
      assert.equal(new Set(states).size, states.length);
      assert.equal(mirror.resets, 1);
    },
  );

  storeTest(
    'a repair read over many slices brings what was missed in each, in the order in which it was written',
    open,
    async ({ store }) => {
      const documents = await createMany(store, MANY);
      const mirror = new Mirror();
      const { promise: written, resolve } = Promise.withResolvers<void>();
      const silent = proxy(store, {
        watch: (_from, _kinds, signal) => silence(signal),
        async *scanStates(kinds) {
          await written;
          yield* store.scanStates(kinds);
        },
      });
      const { stop } = await follow(silent, ['thing'], mirror, { repairMs: 1 });
      const everySoOften = documents.filter((_, at) => at % 300 === 0);
      const told: string[] = [];
      for (const document of everySoOften.toReversed()) {
        await store.write(() => [replacement(document, { body: { v: 2 } })]);
        told.push(document.id);
      }
      told.push((await create(store)).id);
      for (const document of documents.filter((_, at) => at % 300 === 150)) {
        await store.write(() => [deletion(document)]);
        told.push(document.id);
      }
      const truth = byId((await store.snapshot(['thing'])).documents);
      resolve();
      await mirror.until(() => mirror.applied.length > 0);
      assert.deepEqual(
        mirror.applied.map(({ id }) => id),
        told,
      );
      assert.deepEqual(mirror.documents, truth);
      await stop();
    },
  );

  storeTest(
    'what is written between two slices of a repair read is told once, and not undone',
    open,
    async ({ store }) => {
      const documents = [...(await createMany(store, MANY))];
      const mirror = new Mirror();
      const written: string[] = [];
      let disturbed = false;
      let judged = false;
      // Documents from the front were in a slice already. Those from the back have not been read.
      const disturb = async (): Promise<void> => {
        for (const document of [documents.shift()!, documents.pop()!]) {
          const revision = await store.write(() => [replacement(document, { body: { v: 2 } })]);
          written.push(`${document.id} ${revision}`);
        }
        for (const document of [documents.shift()!, documents.pop()!]) {
          const revision = await store.write(() => [deletion(document)]);
          written.push(`${document.id} ${revision}`);
        }
        const { id, revision } = await create(store);
        written.push(`${id} ${revision}`);
      };
      const busy = proxy(store, {
        async *scanStates(kinds) {
          judged = disturbed;
          mirror.check();
          for await (const slice of store.scanStates(kinds)) {
            yield slice;
            if (!judged) await disturb();
          }
          disturbed = true;
        },
      });
      const { stop } = await follow(busy, ['thing'], mirror, { repairMs: 1 });
      // A missed change, because otherwise a repair read ends at once.
      const { id, revision } = await create(store, { body: { first: true } });
      await mirror.until(() => judged);
      await stop();
      assert.deepEqual(mirror.documents, byId((await store.snapshot(['thing'])).documents));
      const told = mirror.applied.map((change) => `${change.id} ${change.revision}`);
      assert.deepEqual(told, [`${id} ${revision}`, ...written]);
      assert.equal(mirror.resets, 1);
    },
  );

  storeTest(
    'what is another one before a repair read has told of it is left to the next one, in its order',
    open,
    async ({ store }) => {
      const [first, second] = [await create(store), await create(store)];
      const mirror = new Mirror();
      const told = [second.id];
      const silent = proxy(store, {
        watch: (_from, _kinds, signal) => silence(signal),
        async *scanStates(kinds) {
          // Stops at the first slice while nothing is written.
          yield* store.scanStates(kinds);
          if (told.length > 1) return;
          told.push((await create(store)).id, first.id);
          const newer = (await read(store, first.id))!;
          await store.write(() => [replacement(newer, { body: { v: 3 } })]);
        },
      });
      const { stop } = await follow(silent, ['thing'], mirror, { repairMs: 1 });
      await store.write(() => [
        replacement(first, { body: { v: 2 } }),
        replacement(second, { body: { v: 2 } }),
      ]);
      await mirror.until(() => mirror.applied.length >= 3);
      await stop();
      assert.deepEqual(
        mirror.applied.map(({ id }) => id),
        told,
      );
    },
  );

  for (const when of ['after', 'during']) {
    storeTest(
      `a state that is past, told ${when} a repair read, is corrected by the next one although nothing was written`,
      open,
      async ({ store }) => {
        const document = await create(store);
        const mirror = new Mirror();
        const { promise: late, resolve: tell } = Promise.withResolvers<void>();
        let isAwaited = false;
        const lagging = proxy(store, {
          async *watch(_from, _kinds, signal) {
            await late;
            const { id, account, kind, revision } = document;
            yield [{ id, account, kind, revision, document }];
            yield* silence(signal);
          },
          async *scanStates(kinds) {
            for await (const slice of store.scanStates(kinds)) {
              yield slice;
              if (!isAwaited || slice.documents.length > 0) continue;
              isAwaited = false;
              tell();
              await mirror.until(() => mirror.applied.length >= 2);
            }
          },
        });
        const { stop } = await follow(lagging, ['thing'], mirror, { repairMs: 1 });
        await store.write(() => [deletion(document)]);
        await mirror.until(() => mirror.applied.length === 1);
        if (when === 'after') tell();
        else {
          isAwaited = true;
          await create(store, { kind: 'other' });
        }
        await mirror.until(() => mirror.applied.length >= 3);
        assert.deepEqual(mirror.documents, byId([]));
        await stop();
      },
    );
  }

  storeTest('a repair read is made after a write, and once for each', open, async ({ store }) => {
    await create(store);
    const mirror = new Mirror();
    let begun = 0;
    let whole = 0;
    const told: Change[] = [];
    const counted = proxy(store, {
      async *watch(from, kinds, signal) {
        for await (const changes of store.watch(from, kinds, signal)) {
          yield changes;
          // The follower has processed the changes when it requests more.
          told.push(...changes);
          mirror.check();
        }
      },
      async *scanStates(kinds) {
        begun += 1;
        mirror.check();
        yield* store.scanStates(kinds);
        whole += 1;
      },
    });
    const { stop } = await follow(counted, ['thing'], mirror, { repairMs: 1 });
    const three = async (): Promise<void> => {
      const from = begun;
      await mirror.until(() => begun > from + 3);
    };
    await three();
    assert.equal(whole, 0);
    await create(store, { kind: 'other' });
    await three();
    assert.equal(whole, 1, 'of another kind: the revision is what is compared');
    const untilCreated = whole;
    const document = await create(store);
    // Repair reads may be faster than the watch, so their number until then is not asserted.
    await mirror.until(() => told.length > 0);
    const untilTold = whole;
    await three();
    assert.ok(whole > untilCreated, 'one read is made for the write');
    assert.ok(whole - untilTold <= 2, 'the write may have come while one was made');
    const before = whole;
    await three();
    assert.equal(whole, before);
    assert.equal(told.length, 1);
    assert.deepEqual(mirror.documents.get(document.id), document);
    await stop();
  });
}
