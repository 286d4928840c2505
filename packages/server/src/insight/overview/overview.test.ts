/** Tests of overviews over a store in memory. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { documentsIn } from '../../documents/store.ts';
import { Readiness } from '../../health/readiness.ts';
import { FakeOnline } from '../../resources/engine.fixture.ts';
import { openInMemory } from '../../store/memory.fixture.ts';
import type { JsonObject, WriteOperation } from '../../store/store.ts';
import { Inventory } from './inventory.ts';
import { Overview } from './overview.ts';

async function start(t: TestContext, keptMs?: number) {
  const { store, dispose } = await openInMemory();
  const inventory = new Inventory(documentsIn(store), assert.ifError, keptMs);
  t.after(async () => {
    await inventory.stop();
    await dispose();
  });
  const readiness = new Readiness();
  const service = { version: '1.0', name: 'a', region: 'eu', readiness, others: () => [] };
  const overview = new Overview({
    ...{ inventory, online: new FakeOnline(), service, traffic: null, now: Date.now },
    ...{ hasAuthority: true, requiresProof: false },
    ref: (id) => ({ id, uri: `https://api/${id}` }),
  });
  const principal = { owner: 'usr_x', role: 'admin', subject: '', key: 'ak_x', address: '' } as const;
  const get = async (operation: string, account: string): Promise<JsonObject> => {
    const call = { path: {}, query: {}, body: null, baseUrl: '', missing: () => {} };
    const result = await overview.runs()[operation]?.({ ...call, principal: { ...principal, account } });
    assert.ok(result !== null && result !== undefined);
    return result;
  };
  const reserve = (account: string, count: number) =>
    store.write((newId) =>
      Array.from({ length: count }, (_, at): WriteOperation => {
        const body = {
          domain: `n${at}.example.com`,
          region: '',
          cname_target: '',
          description: '',
          metadata: '',
        };
        return {
          op: 'insert',
          id: newId('rd'),
          account,
          kind: 'reserved_domain',
          parent: null,
          body,
          links: [],
          names: [],
        };
      }),
    );
  return { store, inventory, get, reserve };
}

test('10,000 resources are listed once, and answers are bounded', async (t) => {
  const { store, get, reserve } = await start(t);
  await reserve('ac_1', 10_000);
  await reserve('ac_2', 1);
  let reads = 0;
  const { scan } = store;
  store.scan = (kinds) => {
    reads += 1;
    return scan.call(store, kinds);
  };
  const overview = await get('overview_get', 'ac_1');
  assert.equal(overview.warning_count, 10_000);
  assert.ok(Array.isArray(overview.warnings) && overview.warnings.length === 20);
  const status = await get('status_get', 'ac_1');
  assert.ok(Array.isArray(status.warnings) && status.warnings.length === 1000);
  assert.equal((await get('overview_get', 'ac_2')).warning_count, 1);
  const before = reads;
  for (let count = 0; count < 100; count += 1) await get('overview_get', 'ac_1');
  assert.equal(reads, before, 'no further list');
});

test('facts are forgotten when nothing reads them, and come back', async (t) => {
  const { inventory, get, reserve } = await start(t);
  await reserve('ac_1', 3);
  await get('overview_get', 'ac_1');
  assert.equal(inventory.size, 3);
  await inventory.stop();
  assert.equal(inventory.size, 0);
  assert.equal((await inventory.of('ac_1')).reserved_domain.size, 3);
  assert.equal((await inventory.of('ac_unknown')).reserved_domain.size, 0);
});
