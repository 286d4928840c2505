import assert from 'node:assert/strict';
import { test } from 'node:test';
import { documentsIn } from '../documents/store.ts';
import { onBothStores } from '../resources/both-stores.fixture.ts';
import { LEASE_MS } from '../store/lease.ts';
import { OrderLease } from './lease.ts';

onBothStores((open) => {
  test('one daemon asks at a time, until it says no more or has been silent for long', async () => {
    const { store: opened, dispose } = await open();
    const store = documentsIn(opened);
    let at = 0;
    const lease = (daemon: string | null) =>
      new OrderLease({ store, purpose: 'domains', daemon, uptime: () => at });
    const [one, other] = [lease('one'), lease('other')];
    assert.equal(await one.take(), 0);
    const holder = await store.findName({ kind: 'system', value: 'acme_lease/domains' });
    const { account, kind, body, parent } = (await store.get(holder!.id))!;
    const stored = { account: 'system', kind: 'acme_lease', parent: null, body: { daemon: 'one' } };
    assert.deepEqual({ account, kind, parent, body }, stored, 'other versions read it');
    assert.equal(await other.take(), LEASE_MS);
    at += LEASE_MS - 1;
    assert.equal(await one.keep(), true);
    at += 1;
    assert.equal(await other.take(), LEASE_MS, 'it has been heard meanwhile');
    at += LEASE_MS;
    assert.equal(await other.take(), 0);
    assert.equal(await one.keep(), false);
    await other.release();
    assert.equal(await one.take(), 0);
    assert.equal(await lease(null).take(), 0, 'nobody else can have the database');
    await dispose();
  });
});
