import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { WriteOperation } from '../store.ts';
import { openSqliteStore } from './store.ts';

const rest = { account: 'ac_1', kind: 'thing', links: [], names: [] };
const insert = (id: string, parent: string | null): WriteOperation => ({
  op: 'insert',
  id,
  parent,
  body: { at: 0 },
  ...rest,
});

test('a document that was read is read anew after it was replaced, and not found after it or its parent was deleted', async (context) => {
  const dir = mkdtempSync(join(tmpdir(), 'underpass-cache-'));
  const store = await openSqliteStore({ path: join(dir, 'a.db') });
  context.after(async () => {
    await store.close();
    rmSync(dir, { recursive: true });
  });
  const first = await store.write(() => [insert('p_1', null), insert('c_1', 'p_1')]);
  assert.equal(await store.get('p_1'), await store.get('p_1'), 'the second read is from memory');
  assert.deepEqual((await store.get('c_1'))?.body, { at: 0 });

  const page = () => store.page({ account: 'ac_1', kind: 'thing', limit: 10 });
  assert.equal((await page())[0], await store.get('p_1'), 'a page is made of what was read before');

  const second = await store.write(() => [
    { op: 'replace', id: 'p_1', revision: first, body: { at: 1 }, links: [], names: [] },
  ]);
  assert.deepEqual(
    (await page()).map(({ id, body }) => [id, body.at]),
    [
      ['p_1', 1],
      ['c_1', 0],
    ],
  );
  assert.deepEqual((await store.get('p_1'))?.body, { at: 1 });
  await store.write(() => [{ op: 'delete', id: 'p_1', revision: second }]);
  assert.equal(await store.get('p_1'), null);
  assert.deepEqual(await page(), []);
  assert.equal(await store.get('c_1'), null, 'the child went with its parent');
});
