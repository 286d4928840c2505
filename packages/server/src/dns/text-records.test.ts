import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Postgres, postgresMissing, until } from '../../../../test/harness/index.ts';
import type { Hostname } from '../core/names/hostname.ts';
import { documentsIn } from '../documents/store.ts';
import { onBothStores } from '../resources/both-stores.fixture.ts';
import { openPostgresStore } from '../store/postgres/store.ts';
import { TextRecords } from './text-records.ts';
import { ZoneTexts } from './zone-texts.ts';

const name = 'abc.acme.service.example' as Hostname;
const other = 'def.acme.service.example' as Hostname;

onBothStores((open) => {
  test('what was added is answered at once, next to what is there, and once', async (t) => {
    const opened = await open();
    t.after(() => opened.dispose());
    const store = documentsIn(opened.store);
    const texts = await ZoneTexts.start(store);
    t.after(() => texts.stop());
    const records = new TextRecords(store);
    await records.add(name, 'one');
    assert.deepEqual(texts.get(name), ['one']);
    await records.add(name, 'two');
    await records.add(name, 'one');
    assert.deepEqual(texts.get(name), ['one', 'two']);
    assert.equal(texts.get(other), undefined);
    await records.clear(name);
    await records.clear(other);
    assert.equal(texts.get(name), undefined);
  });

  test('records that are added at the same time are all there, and of many the last four', async (t) => {
    const opened = await open();
    t.after(() => opened.dispose());
    const store = documentsIn(opened.store);
    const texts = await ZoneTexts.start(store);
    t.after(() => texts.stop());
    const records = new TextRecords(store);
    await Promise.all(['a', 'b', 'c'].map((value) => records.add(name, value)));
    assert.deepEqual([...(texts.get(name) ?? [])].sort(), ['a', 'b', 'c']);
    for (const value of ['1', '2', '3', '4']) await records.add(name, value);
    assert.deepEqual(texts.get(name), ['1', '2', '3', '4']);
  });
});

describe('two daemons on one database', { skip: postgresMissing }, () => {
  let server: Postgres;
  before(async () => {
    server = await Postgres.shared();
  });
  after(() => server.stop());

  test('answer what either of them added', async (t) => {
    const url = await server.database();
    const stores = [await openPostgresStore({ url }), await openPostgresStore({ url })].map(documentsIn);
    const [first, second] = stores;
    assert.ok(first && second);
    t.after(() => Promise.all(stores.map((store) => store.close())));
    const texts = await ZoneTexts.start(second);
    t.after(() => texts.stop());
    await new TextRecords(first).add(name, 'one');
    await until(() => texts.get(name) !== undefined);
    await new TextRecords(second).clear(name);
    assert.equal(texts.get(name), undefined);
  });
});
