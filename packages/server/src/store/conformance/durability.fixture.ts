/** Durability: acknowledged writes survive a restart, and no secret is stored in clear text. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { Sealer } from '../../pki/seal.ts';
import {
  binding,
  create,
  deletion,
  hostname,
  type OpenStore,
  read,
  replacement,
  storeTest,
} from './harness.fixture.ts';

export function durability(open: OpenStore): void {
  storeTest('documents, links, names and revisions are the same after a restart', open, async (opened) => {
    const target = await create(opened.store, { body: { text: 'naïve — 日本' } });
    const user = await create(opened.store, { links: [binding(target.id)], names: [hostname('a')] });
    const gone = await create(opened.store);
    await opened.store.write(() => [deletion(gone)]);
    const before = await opened.store.snapshot(['thing']);
    const store = await opened.reopen();
    assert.deepEqual(await store.snapshot(['thing']), before);
    assert.deepEqual(await read(store, target.id), target);
    assert.deepEqual(await store.linksTo(target.id, 10), [{ from: user.id, field: 'backend' }]);
    assert.deepEqual(await store.findName(hostname('a')), { id: user.id, account: user.account });
    const next = await create(store);
    assert.ok(next.revision > before.revision);
  });

  storeTest('a sealed secret is nowhere in the database in the clear', open, async (opened) => {
    const sealer = new Sealer(randomBytes(32));
    const secret = `secret-${randomBytes(12).toString('hex')}`;
    const plain = `plain-${randomBytes(12).toString('hex')}`;
    const document = await create(opened.store, {
      body: { plain, secret: sealer.seal(secret, 'thing/secret') },
    });
    await opened.store.write(() => [replacement(document, { body: { ...document.body, again: true } })]);
    const store = await opened.reopen();
    const { body } = await read(store, document.id);
    assert.equal(sealer.open(String(body.secret), 'thing/secret'), secret);
    const contents = await opened.contents();
    assert.ok(contents.includes(plain), 'the search looks where the data is');
    assert.ok(!contents.includes(secret));
  });
}
