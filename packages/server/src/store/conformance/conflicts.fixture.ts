/** Conflicts: each reason for which a write is refused. */
import assert from 'node:assert/strict';
import type { WriteOperation } from '../store.ts';
import {
  binding,
  create,
  deletion,
  hostname,
  insertion,
  mention,
  type OpenStore,
  read,
  refusal,
  replacement,
  storeTest,
} from './harness.fixture.ts';

const MISSING = `th_${'0'.repeat(27)}`;

export function conflicts(open: OpenStore): void {
  storeTest(
    'of many writers who claim one name, one wins, and the others learn who',
    open,
    async ({ store }) => {
      const claim = hostname('a.example.com');
      const attempts = await Promise.allSettled(
        Array.from({ length: 20 }, (_, at) => create(store, { account: `ac_${at}`, names: [claim] })),
      );
      const [winner, ...others] = attempts.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      assert.ok(winner !== undefined && others.length === 0);
      assert.deepEqual(await store.findName(claim), { id: winner.id, account: winner.account });
      const reason = await refusal(store.write((newId) => [insertion(newId('th'), { names: [claim] })]));
      assert.deepEqual(reason, { reason: 'name-taken', claim, by: winner.id, account: winner.account });
    },
  );

  storeTest('names without a tunnel are excluded without an effect on the write', open, async ({ store }) => {
    const claim = hostname('x.example.com');
    const names = [
      { keys: ['x.example.com', '*.example.com'], below: null, includesOwn: true },
      { keys: ['*.x.example.com'], below: '.x.example.com', includesOwn: false },
    ];
    const exclusion: WriteOperation = { op: 'exclude', account: 'ac_1', names };
    await store.write((newId) => [exclusion, insertion(newId('th'), { names: [claim] })]);
    assert.notEqual(await store.findName(claim), null);
    const taken = await refusal(
      store.write((newId) => [exclusion, insertion(newId('th'), { names: [claim] })]),
    );
    assert.equal(taken.reason, 'name-taken');
  });

  storeTest('a name is free again once its holder gives it up or is gone', open, async ({ store }) => {
    const claim = hostname('b.example.com');
    const first = await create(store, { names: [claim] });
    await store.write(() => [replacement(first, { names: [hostname('c.example.com')] })]);
    const second = await create(store, { names: [claim] });
    await store.write(() => [deletion(second)]);
    assert.equal(await store.findName(claim), null);
    assert.equal((await store.findName(hostname('c.example.com')))?.id, first.id);
  });

  storeTest('one batch hands a name over from one document to another', open, async ({ store }) => {
    const claim = hostname('d.example.com');
    const holder = await create(store, { names: [claim] });
    const heir = await create(store);
    await store.write(() => [replacement(holder), replacement(heir, { names: [claim] })]);
    assert.equal((await store.findName(claim))?.id, heir.id);
  });

  storeTest('the same name in another kind of claim is another name', open, async ({ store }) => {
    await create(store, { names: [{ kind: 'hostname', value: 'e' }] });
    await create(store, { names: [{ kind: 'label', value: 'e' }] });
  });

  storeTest('of many replacements of one state, one wins', open, async ({ store }) => {
    const document = await create(store, { body: { by: -1 } });
    const attempts = await Promise.allSettled(
      Array.from({ length: 20 }, (_, by) => store.write(() => [replacement(document, { body: { by } })])),
    );
    const winners = attempts.flatMap((one, by) => (one.status === 'fulfilled' ? [by] : []));
    assert.equal(winners.length, 1);
    assert.deepEqual((await read(store, document.id)).body, { by: winners[0] });
    const stale = { reason: 'stale', id: document.id };
    assert.deepEqual(await refusal(store.write(() => [replacement(document)])), stale);
    assert.deepEqual(await refusal(store.write(() => [deletion(document)])), stale);
  });

  storeTest(
    'what is not there cannot be replaced or deleted, and what is there not be inserted again',
    open,
    async ({ store }) => {
      const document = await create(store);
      const gone = { ...document, id: MISSING };
      assert.deepEqual(await refusal(store.write(() => [replacement(gone)])), {
        reason: 'stale',
        id: MISSING,
      });
      assert.deepEqual(await refusal(store.write(() => [deletion(gone)])), { reason: 'stale', id: MISSING });
      assert.deepEqual(await refusal(store.write(() => [insertion(document.id)])), {
        reason: 'stale',
        id: document.id,
      });
    },
  );

  storeTest('a parent must exist, in the same account', open, async ({ store }) => {
    const parent = await create(store, { account: 'ac_1' });
    for (const [id, account] of [
      [MISSING, 'ac_1'],
      [parent.id, 'ac_2'],
    ] as const) {
      const reason = await refusal(store.write((newId) => [insertion(newId('th'), { account, parent: id })]));
      assert.deepEqual(reason, { reason: 'parent-missing', id });
    }
  });

  storeTest(
    'a binding link needs its target in the same account; a mention does not',
    open,
    async ({ store }) => {
      const target = await create(store, { account: 'ac_1' });
      for (const [to, account] of [
        [MISSING, 'ac_1'],
        [target.id, 'ac_2'],
      ] as const) {
        const links = [binding(to, 'backend.backend_id')];
        const reason = await refusal(store.write((newId) => [insertion(newId('th'), { account, links })]));
        assert.deepEqual(reason, { reason: 'link-target-missing', field: 'backend.backend_id', to });
        await create(store, { account, links: [mention(to)] });
      }
    },
  );

  storeTest('what is used is not deleted, and the users are named', open, async ({ store }) => {
    const target = await create(store);
    const one = await create(store, { links: [binding(target.id)] });
    const other = await create(store, { links: [mention(target.id), binding(target.id, 'fallback')] });
    const reason = await refusal(store.write(() => [deletion(target)]));
    assert.deepEqual(reason, { reason: 'in-use', id: target.id, by: [one.id, other.id] });
    await store.write(() => [deletion(one), replacement(other, { links: [mention(target.id)] })]);
    await store.write(() => [deletion(target)]);
    assert.equal(await store.get(target.id), null);
    assert.deepEqual(await store.linksTo(target.id, 10), [{ from: other.id, field: 'policies' }]);
  });

  storeTest(
    'children go with their parent, unless something outside uses one of them',
    open,
    async ({ store }) => {
      const parent = await create(store);
      const child = await create(store, { parent: parent.id, names: [hostname('child')] });
      const grandchild = await create(store, { parent: child.id, links: [binding(parent.id)] });
      const sibling = await create(store, { parent: parent.id, links: [binding(grandchild.id)] });
      const outside = await create(store, { links: [binding(grandchild.id)] });
      const reason = await refusal(store.write(() => [deletion(parent)]));
      assert.deepEqual(reason, { reason: 'in-use', id: parent.id, by: [outside.id] });
      await store.write(() => [deletion(outside), deletion(parent)]);
      for (const { id } of [parent, child, grandchild, sibling]) assert.equal(await store.get(id), null);
      assert.equal(await store.findName(hostname('child')), null);
    },
  );
}
