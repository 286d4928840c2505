/** Servers of their own that are stopped and killed. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { eventually, Postgres, postgresMissing } from '../../../../../test/harness/index.ts';
import { create, insertion } from '../conformance/harness.fixture.ts';
import { follow } from '../follow.ts';
import { type Change, type Store, StoreUnavailableError, WriteOutcomeUnknownError } from '../store.ts';
import { openPostgresStore } from './store.ts';

describe('a server that goes away', { skip: postgresMissing }, () => {
  test('readers and writers are told so; watchers and followers go on when it is back, without gap or double', async (context) => {
    const server = await Postgres.start();
    context.after(() => server.stop());
    const url = await server.database();
    const [store, other] = (await Promise.all([openPostgresStore({ url }), openPostgresStore({ url })])) as [
      Store,
      Store,
    ];
    const before = await create(store);
    const seen: Change[] = [];
    const watch = (async () => {
      for await (const changes of store.watch(0, ['thing'], new AbortController().signal)) {
        seen.push(...changes);
        if (seen.length >= 3) break;
      }
    })();
    const followed = new Set<string>();
    const { stop } = await follow(store, ['thing'], {
      reset: (documents) => {
        for (const { id } of documents) followed.add(id);
      },
      apply: (changes) => {
        for (const { id } of changes) followed.add(id);
      },
    });

    await server.halt();
    const away = { name: StoreUnavailableError.name };
    await assert.rejects(store.get(before.id), away);
    await assert.rejects(store.snapshot(['thing']), away);
    await assert.rejects(create(store), away);
    await server.resume();

    const foreign = await create(other);
    const own = await create(store);
    await watch;
    assert.deepEqual(
      seen.map(({ id }) => id),
      [before.id, foreign.id, own.id],
    );
    await eventually(() => assert.ok([before, foreign, own].every(({ id }) => followed.has(id))));
    await stop();
    await Promise.all([store.close(), other.close()]);
  });

  test('killed five times in mid-write: every answered write is there, and none is half there', async (context) => {
    const server = await Postgres.start({ durable: true });
    context.after(() => server.stop());
    const url = await server.database();
    const stores = await Promise.all([openPostgresStore({ url }), openPostgresStore({ url })]);
    const answered = new Set<string>();
    let refused = 0;
    let running = true;
    const writer = async (store: Store) => {
      while (running) {
        let left = '';
        const write = store.write((newId) => {
          left = newId('left');
          const body = { text: left.repeat(100) };
          const links = [{ field: 'pair', to: left, binding: true }];
          return [
            insertion(left, { body, kind: 'left' }),
            insertion(newId('right'), { body, kind: 'right', links }),
          ];
        });
        await write.then(
          () => answered.add(left),
          async (error: unknown) => {
            assert.ok(
              error instanceof StoreUnavailableError || error instanceof WriteOutcomeUnknownError,
              String(error),
            );
            refused += 1;
            await eventually(async () => assert.equal(await store.get(''), null));
          },
        );
      }
    };
    const writers = Promise.all([...stores, ...stores].map(writer));
    for (let kill = 0; kill < 5; kill++) {
      const wanted = answered.size + 20;
      await eventually(() => assert.ok(answered.size >= wanted));
      await server.halt('SIGQUIT');
      await server.resume();
    }
    running = false;
    await writers;
    const { documents } = await (stores[0] as Store).snapshot(['left', 'right']);
    const there = new Set(documents.map(({ id }) => id));
    for (const id of answered) assert.ok(there.has(id), `${id} was answered and is gone`);
    for (const { id, kind } of documents) {
      if (kind === 'left') assert.equal((await (stores[1] as Store).linksTo(id, 5)).length, 1);
    }
    assert.equal(documents.length % 2, 0);
    context.diagnostic(`${answered.size} answered, ${refused} refused, ${documents.length / 2} there`);
    await Promise.all(stores.map((store) => store.close()));
  });
});
