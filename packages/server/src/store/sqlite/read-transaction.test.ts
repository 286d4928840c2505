import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { insertion } from '../conformance/harness.fixture.ts';
import { connectReader } from './connect.ts';
import { Reader } from './reader.ts';
import { openSqliteStore } from './store.ts';

test('reads see every answered write, also when several answers arrive at once', async (context) => {
  const directory = await mkdtemp(join(tmpdir(), 'underpass-read-'));
  context.after(() => rm(directory, { recursive: true, force: true }));
  const path = join(directory, 'underpass.db');
  const store = await openSqliteStore({ path });
  const database = connectReader(path);
  const reader = new Reader(database);

  const write = async () => {
    let id = '';
    await store.write((newId) => {
      id = newId('th');
      return [insertion(id)];
    });
    return id;
  };

  for (let round = 0; round < 50; round++) {
    const { revision } = reader.state();
    const first = write();
    await turn();
    const second = write();
    await turn();
    assert.ok((await store.get(await first)) !== null);
    // The read above holds its transaction open. The test stays in this turn until the second write is committed, so
    // that its outcome can arrive in the same turn.
    while (reader.state().revision < revision + 2);
    assert.ok((await store.get(await second)) !== null, 'it was answered and is not there');
  }
  database.close();
  await store.close();
});
