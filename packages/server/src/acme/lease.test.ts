import assert from 'node:assert/strict';
import { test } from 'node:test';
import { documentsIn } from '../documents/store.ts';
import { onBothStores } from '../resources/both-stores.fixture.ts';
import { LEASE_MS, Lease } from './lease.ts';

onBothStores((open) => {
  test('one daemon asks at a time, until it says no more or has been silent for long', async () => {
    const { store: opened, dispose } = await open();
    const store = documentsIn(opened);
    let at = 0;
    const lease = (daemon: string | null) =>
      new Lease({ store, purpose: 'domains', daemon, uptime: () => at });
    const [one, other] = [lease('one'), lease('other')];
    assert.equal(await one.take(), 0);
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
