/** Tests of the list of names over a store in memory. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { documentsIn } from '../../documents/store.ts';
import { FakeOnline } from '../../resources/engine.fixture.ts';
import type { QueryValues } from '../../resources/standalone/definition.ts';
import { openInMemory } from '../../store/memory.fixture.ts';
import type { JsonObject, WriteOperation } from '../../store/store.ts';
import { rulesOf, tableOf } from '../explain/explain.fixture.ts';
import { Inventory } from '../overview/inventory.ts';
import { namesRuns } from './list-names.ts';

async function start(t: TestContext) {
  const { store, dispose } = await openInMemory();
  const inventory = new Inventory(documentsIn(store), assert.ifError);
  t.after(async () => {
    await inventory.stop();
    await dispose();
  });
  const ref = (id: string) => ({ id, uri: `https://api/${id}` });
  const rules = rulesOf(tableOf({}));
  const runs = namesRuns({ inventory, online: new FakeOnline(), rules, ref });
  const list = async (account: string, query: QueryValues = {}) => {
    const principal = { owner: 'usr_x', role: 'admin', subject: '', key: 'ak_x', address: '' } as const;
    const call = { path: {}, query, body: null, baseUrl: 'https://api', missing: () => {} };
    const result = await runs.names_list?.({ ...call, principal: { ...principal, account } });
    assert.ok(result !== null && result !== undefined);
    return result as { names: JsonObject[]; next_page_uri: string | null };
  };
  const reserve = (account: string, names: readonly string[]) =>
    store.write((newId) => names.map((name) => reservation(newId('rd'), account, name)));
  return { list, reserve };
}

function reservation(id: string, account: string, domain: string): WriteOperation {
  const body = { domain, region: '', cname_target: '', description: '', metadata: '' };
  const place = { account, kind: 'reserved_domain', parent: null } as const;
  return { op: 'insert', id, ...place, body, links: [], names: [] };
}

test('pages have each of 10,000 names once, in order, and none of another account', async (t) => {
  const { list, reserve } = await start(t);
  const own = Array.from({ length: 10_000 }, (_, at) => `n${String(at).padStart(5, '0')}.example.com`);
  await reserve('ac_1', own);
  await reserve('ac_2', ['theirs.example.com']);
  const seen: unknown[] = [];
  let query: QueryValues | null = { limit: 100 };
  while (query !== null) {
    const page = await list('ac_1', query);
    assert.ok(page.names.length <= 100);
    seen.push(...page.names.map(({ name }) => name));
    query =
      page.next_page_uri === null
        ? null
        : Object.fromEntries(new URL(page.next_page_uri).searchParams.entries());
  }
  assert.deepEqual(seen, own);
});

test('a search examines a bounded number of names, and the pages after it find the rest', async (t) => {
  const { list, reserve } = await start(t);
  await reserve(
    'ac_1',
    Array.from({ length: 5_000 }, (_, at) => `n${String(at).padStart(4, '0')}.example.com`),
  );
  const first = await list('ac_1', { q: 'n4999' });
  assert.deepEqual(first.names, []);
  assert.ok(first.next_page_uri?.includes('after=n1999'));
  const last = await list('ac_1', { q: 'n4999', after: 'n3999.example.com' });
  assert.equal(last.names.length, 1);
  assert.equal(last.next_page_uri, null);
  const [{ served_by, state, protected_by } = {}] = last.names;
  assert.deepEqual(
    { served_by, state, protected_by },
    { served_by: 'nothing', state: 'no_agent', protected_by: [] },
  );
  assert.equal((await list('ac_1', { name: 'n4998.example.com' })).names.length, 1);
  assert.equal((await list('ac_1', { name: 'n4998.example' })).names.length, 0);
  assert.equal((await list('ac_1', { filter: 'protected_by = null', limit: 3 })).names.length, 3);
  assert.equal((await list('ac_1', { filter: 'served_by = nothing', limit: 3 })).names.length, 3);
});
